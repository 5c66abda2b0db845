/** Hover: what is explained, and in which words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyze, hover, Transcript } from '../../core/src/internal.ts'
import { framings } from '../../core/src/vocabulary/dialects.ts'
import { hoverAt } from '../helpers/check-hover.ts'

const rows: readonly (readonly [marked: string, hover: string])[] = [
  [
    '<|st$0art|>user<|message|>Hi<|end|>',
    `<|start|>user<|message|>Hi<|end|>
▔▔▔▔↑▔▔▔▔
**Visible** to users.

This message: \`user\`, channel \`final\` (default).

---

\`<|start|>\`: **Opens a message header**

The role follows immediately, then attributes such as \`to=\` and \`call_id=\`.
Inside a body, it starts a new message only where a known role follows; elsewhere, it is text.

*OpenChatML 2.2 §3*`,
  ],
  [
    '<|start|>assistant<|channel|>ana$0lysis<|message|>Hm<|end|>',
    `<|start|>assistant<|channel|>analysis<|message|>Hm<|end|>
                             ▔▔▔↑▔▔▔▔
**Hidden** from users: \`analysis\` is private reasoning, regardless of the author.

This message: \`assistant\`, channel \`analysis\`.

---

\`analysis\`: **Private reasoning and calls of built-in tools**

Never shown to users, regardless of the author.

*OpenChatML 2.2 §5*`,
  ],
  [
    '<|start|>assistant to=python call_$0id=c1<|channel|>analysis<|message|>1<|call|>\n<|start|>tool name=python call_id=c1<|message|>1<|end|>',
    `<|start|>assistant to=python call_id=c1<|channel|>analysis<|message|>1<|call|>
                             ▔▔▔▔▔↑▔▔▔▔
**Hidden** from users: \`analysis\` is private reasoning, regardless of the author. Reply: line 2.

This message: \`assistant\`, channel \`analysis\`, recipient \`python\`.

---

\`call_id=\`: **The identifier that links a call and its reply**

Unique in the transcript.
It is in the header of the call, and the reply repeats it.

*OpenChatML 2.2 §8.1*`,
  ],
  [
    '<|start|>user<|message|>a <$0<|end|> b<|end|>',
    `<|start|>user<|message|>a <<|end|> b<|end|>
                           ↑▔▔▔▔▔▔
**Escaped token**: the first \`<\` is removed when the message is read, and \`<|end|>\` is plain text.

*OpenChatML 2.2 §3, D8*`,
  ],
  ['<|start|>user<|message|>a$0 b<|end|>', 'no explanation'],
  ['$0', 'no explanation'],
]

for (const [marked, expected] of rows) {
  test(JSON.stringify(marked), () => assert.equal(hoverAt(marked), expected))
}

test('a token without effect says so', () => {
  assert.match(hoverAt('<|start|>user<|message|>a <|cha$0nnel|> b<|end|>'), /Has no effect here/)
})

test('keys and values of the header are explained', () => {
  assert.match(
    hoverAt('profiles:\n  har$0mony:\n    enabled: true\n<|start|>user<|message|>x<|end|>'),
    /HIP-1/,
  )
  assert.match(hoverAt('---\nver$0sion: 2.2\n---\n'), /version of the specification/)
  assert.match(hoverAt('generation_settings:\n  reasoning_effort: hi$0gh\n'), /Long reasoning/)
  // A value without a meaning of its own by its key; nothing beside it.
  assert.match(hoverAt('generation_settings:\n  temperature: 0.$07\n'), /randomness of sampling/)
  assert.match(hoverAt('profiles: {harmony: {enabled: tr$0ue}}\n'), /Applies the profile/)
  assert.match(hoverAt('lint:\n  stray-te$0xt: off\n'), /Text appears outside messages/)
  assert.match(hoverAt('lint:\n  stray-text: o$0ff\n'), /Not reported/)
  assert.match(hoverAt('expect: [stray-$0text]\n'), /Text appears outside messages/)
  for (const beside of ['version:$0 2.2\n', 'capabilities: {roles: [wiz$0ard]}\n', 'expect:\n$0  - x\n']) {
    assert.equal(hoverAt(`---\n${beside}---\n`), 'no explanation')
  }
})

test('a declared tool is shown where it is called', () => {
  const markdown = hoverAt(
    '<|start|>developer<|message|>namespace functions {\n// Says `x`.\ntype f = (_: {x: string}) => any;\n} // namespace functions<|end|>\n<|start|>assistant to=functions.$0f<|channel|>commentary<|message|>{}<|call|>',
  )
  assert.match(
    markdown,
    /`functions\.f`: \*\*A tool that line 3 declares\*\*\n\n```typescript\n\/\/ Says `x`\.\ntype f/,
  )
})

test('who sees a message, and why not', () => {
  const visibility = (header: string) =>
    /\*\*(Visible|Hidden)\*\*.*$/m.exec(hoverAt(`<|st$0art|>${header}<|message|>x`))?.[0]
  assert.equal(visibility('user'), '**Visible** to users.')
  assert.equal(visibility('assistant intent=preamble<|channel|>commentary'), '**Visible** to users.')
  assert.match(
    visibility('assistant<|channel|>commentary') ?? '',
    /Hidden.*only where the assistant wrote it with `intent=preamble`/,
  )
  assert.match(visibility('system') ?? '', /Hidden.*this role/)
  assert.match(visibility('assistant to=f<|channel|>final') ?? '', /Hidden.*a tool call/)
  assert.match(visibility('robot') ?? '', /Hidden.*role is unknown/)
  assert.match(visibility('assistant<|channel|>finale') ?? '', /Hidden.*channel is unknown/)
})

test('every control token of every dialect is explained where it stands', () => {
  for (const framing of framings) {
    for (const { text, summary } of framing.tokens) {
      if (!text.startsWith('<|') || text.includes('fim') || text.includes('separator')) continue
      const isChatml = framing.name === 'chatml'
      const head = isChatml ? '<|im_start|>assistant\nx ' : '<|start|>assistant<|message|>x '
      const transcript = Transcript.parse(
        `${head}${text}`,
        isChatml ? {} : { dialect: framing.name === 'harmony' ? 'harmony' : '2.2' },
      )
      assert.ok(
        hover(analyze(transcript), head.length)?.markdown.includes(summary),
        `${framing.name} ${text}`,
      )
    }
  }
})

test('text of the document cannot become a link or a picture', () => {
  const markdown = hoverAt('<|st$0art|>assistant to=`](http://x)![x](http://x)`<|message|>x<|end|>')
  assert.match(markdown, /`` `\]\(http:\/\/x\)!\[x\]\(http:\/\/x\)` ``/)
})
