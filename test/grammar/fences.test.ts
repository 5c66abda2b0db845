/** Transcripts in Markdown are colored as transcripts, and what follows them as Markdown. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadGrammar, scopedLines } from './textmate-grammar.ts'

const markdown = await loadGrammar('text.html.markdown')

/** The innermost scope of the first piece that contains `word`. */
function scopeOf(text: string, word: string): string {
  for (const { tokens } of scopedLines(markdown, text)) {
    const token = tokens.find((it) => it.text.includes(word))
    if (token) return token.scopes.at(-1) ?? ''
  }
  return ''
}

for (const info of ['openchatml', 'ocm', 'openchatml source', 'OpenChatML {.numbered}']) {
  test(`a fence of ${info}`, () => {
    const text = `# Title\n\n\`\`\`${info}\nversion: 2.2\n<|start|>assistant<|channel|>final<|message|>**Hi** \`open\n\`\`\`\n\n**after**\n`
    assert.match(scopeOf(text, 'version'), /yaml$/)
    assert.match(scopeOf(text, 'assistant'), /role\.openchatml$/)
    assert.match(scopeOf(text, 'after'), /markdown$/)
  })
}

test('a fence of another language', () => {
  assert.doesNotMatch(scopeOf('```openchatml2\n<|start|>user<|message|>Hi\n```\n', 'user'), /openchatml/)
})

test('a fence in a list, and one in a body', () => {
  const list = '- One:\n\n  ```ocm\n  <|start|>user<|message|>Hi<|end|>\n  ```\n\n- two\n'
  assert.match(scopeOf(list, 'user'), /role\.openchatml$/)
  assert.match(scopeOf(list, 'two'), /markdown$/)
})
