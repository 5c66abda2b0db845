/** Transcripts in Markdown: what users see, and how much they don't. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import createMarkdownIt from 'markdown-it'
import { addTranscripts } from '../../client/render/markdown-fences.ts'

const html = (markdown: string) => addTranscripts(createMarkdownIt()).render(markdown)
const fence = (text: string, info = 'openchatml') => `\`\`\`${info}\n${text}\n\`\`\`\n`

const question = '<|start|>user<|message|>How **far**? <script>alert(1)</script><|end|>'
const thought = '<|start|>assistant<|channel|>analysis<|message|>SECRET<|end|>'
const answer = '<|start|>assistant<|channel|>final<|message|>2 km<|return|>'

test('a transcript is shown as users see it', () => {
  const shown = html(fence(`version: 2.2\n${question}\n${thought}\n${thought}\n${answer}`))
  assert.match(shown, /<strong>far<\/strong>/)
  assert.match(shown, /2 km/)
  assert.match(shown, /2 hidden messages/)
  assert.doesNotMatch(shown, /SECRET|<script|version/)
})

test('what is hidden stays hidden, whatever the fence', () => {
  const texts = [
    thought,
    `SECRET ${question}`,
    `${answer}\nSECRET`,
    '<|start|>assistant<|channel|>anlysis<|message|>SECRET',
    '<|im_start|>system\nSECRET<|im_end|>',
    `chat_messages: [SECRET]\n${question}`,
    `${thought}${'x'.repeat(200_001)}`,
  ]
  for (const text of texts) {
    for (const info of [
      'openchatml',
      'ocm',
      'OpenChatML {.wide}',
      'ocm:a.ocm',
      'ocm{1,2}',
      'ocm,x',
      'ocm?',
      '{ocm}',
      '{.ocm}',
      ' ocm',
    ]) {
      assert.doesNotMatch(html(fence(text, info)), /SECRET/, text.slice(0, 60))
    }
  }
})

test('source, and what is no transcript, stays as it is', () => {
  assert.match(html(fence(thought, 'openchatml source')), /SECRET/)
  assert.match(html(fence('version: 2.2')), /<code class="language-openchatml">version: 2.2/)
  assert.match(html(fence('let x', 'js')), /<code class="language-js">let x/)
})
