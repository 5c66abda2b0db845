/** Random transcripts for the preview's properties, with canary words in every hidden place. */
import * as fc from 'fast-check'

/** Part of every canary: it must be nowhere on the page. With no number after it does it resemble a word that hides a message. */
export const canary = 'OSTRICH'

/** Part of what a user may see. */
export const visibleWord = 'VISIBLE'

const hidden = fc.nat({ max: 999 }).map((it) => `${canary}${it}`)

const hiddenMessages = fc.oneof(
  hidden.map((it) => `<|start|>system<|message|>${it}<|end|>`),
  hidden.map((it) => `<|start|>developer<|message|>${it}<|end|>`),
  hidden.map(
    (it) => `<|start|>developer name=${it}<|message|>namespace functions { type ${it} = () => any; }<|end|>`,
  ),
  hidden.map((it) => `<|start|>assistant<|channel|>analysis<|message|>${it}<|end|>`),
  hidden.map((it) => `<|start|>user<|channel|>analysis<|message|>${it}<|end|>`),
  hidden.map((it) => `<|start|>assistant<|channel|>analysis intent=preamble<|message|>${it}<|end|>`),
  hidden.map((it) => `<|start|>assistant<|channel|>commentary<|message|>${it}<|end|>`),
  hidden.map(
    (it) =>
      `<|start|>assistant call_id=${it} to=functions.${it}<|channel|>commentary<|constrain|>json<|message|>{"q":"${it}"}<|call|>`,
  ),
  hidden.map((it) => `<|start|>assistant to=functions.f<|channel|>final<|message|>${it}<|call|>`),
  hidden.map((it) => `<|start|>tool name=functions.f call_id=${it}<|message|>${it}<|end|>`),
  hidden.map((it) => `<|start|>functions.f<|channel|>final<|message|>${it}<|end|>`),
  hidden.map((it) => `<|start|>narrator<|message|>${it}<|end|>`),
  hidden.map((it) => `<|start|>assistant<|channel|>secret<|message|>${it}<|end|>`),
  hidden.map((it) => `<|start|>assistant<|channel|><|message|>${it}<|end|>`),
  hidden.map((it) => `<|start|>assistant ${it}<|end|>`),
  // Thoughts, closed and closed wrongly; and what the next message cuts off.
  fc
    .tuple(hidden, fc.constantFrom('reason', 'reflect', 'introspect'), fc.boolean())
    .map(
      ([it, kind, isClosed]) =>
        `<|start|>assistant<|message|><|start_${kind}|>${it}${isClosed ? `<|end_${kind}|>` : '<|end_other|>'}<|end|>`,
    ),
  hidden.map((it) => `<|start|>system<|message|>${it}\n`),
  hidden.map((it) => `<|start|>assistant<|channel|>analysis<|message|>${it}\n`),
  hidden.map(
    (it) => `<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|message|>{"q":"${it}\n`,
  ),
  hidden.map((it) => `<|start|>system<|message|><|literal|>${it}<|end|><|endliteral|>${it}<|end|>`),
)

const visibleText = fc.oneof(
  fc.constantFrom(
    '',
    '**bold**',
    '`code`',
    '```ts\nlet x = 1\n```',
    '| a |\n|---|\n| b |',
    '[x](https://e.org)',
    '<b>',
    '<<|end|>',
    '\n\n',
    '$x^2$',
    '$$\n\\frac{1}{2}\n$$',
    '{"a": 1}',
  ),
  fc.constant('<|literal|><|start|>user\n<|end|><|endliteral|>'),
  fc.nat({ max: 99 }).map((it) => `${visibleWord}${it} `),
  fc.string({
    maxLength: 8,
    unit: fc.constantFrom('a', ' ', '\n', '#', '*', '-', '>', '!', '[', ']', '(', ')', '`', '|'),
  }),
)

/** What a header says besides who speaks stays hidden, although the message is visible. */
const headersWithSecrets = hidden.chain((it) =>
  fc.constantFrom(
    `<|start|>user content_type=${it}<|message|>`,
    `<|start|>user mood=${it}<|message|>`,
    `<|start|>assistant call_id=${it}<|channel|>final<|message|>`,
    `<|start|>assistant intent=${it}<|channel|>final<|message|>`,
    `<|start|>assistant<|channel|>final<|constrain|>${it}<|message|>`,
    `<|start|>assistant mood=${it}<|channel|>final<|constrain|>json<|message|>`,
  ),
)

const visibleHeaders = fc.constantFrom(
  '<|start|>user<|message|>',
  '<|start|>user name=Ada<|message|>',
  '<|start|>assistant<|channel|>final<|message|>',
  '<|start|>assistant<|message|>',
  '<|start|>assistant<|channel|>commentary intent=preamble<|message|>',
)

const visibleMessages = fc
  .tuple(
    fc.oneof({ weight: 3, arbitrary: visibleHeaders }, { weight: 1, arbitrary: headersWithSecrets }),
    fc.array(visibleText, { maxLength: 4 }).map((it) => it.join('')),
  )
  .map(([header, text]) => `${header}${text}<|end|>`)

/** Whole transcripts: a header, messages that a user sees, and others. Nothing hidden is truncated or malformed into something visible. */
export const transcripts = fc
  .tuple(
    fc.constantFrom('', `---\nversion: 2.2\ntitle: ${canary}\n---\n`),
    fc.array(fc.oneof({ weight: 2, arbitrary: visibleMessages }, { weight: 3, arbitrary: hiddenMessages }), {
      maxLength: 12,
    }),
    fc.option(
      hidden.map((it) => `<|start|>assistant<|channel|>analysis<|message|>${it}`),
      { nil: '' },
    ),
  )
  .map(([header, messages, end]) => header + messages.join('') + end)

/** Text made of everything that means something, in any order: for edits. */
export const fragments = fc.oneof(
  fc.constantFrom(
    '<|start|>',
    '<|end|>',
    '<|message|>',
    '<|channel|>',
    'user',
    'assistant',
    'final',
    'analysis',
    '<|literal|>',
    '<|endliteral|>',
    '<|call|>',
    '<',
    '\n',
    '---\n',
    'x',
  ),
  visibleMessages,
)

/** An edit of a text whose length is not known yet: places are parts of the length. */
export const edits = fc.record({
  from: fc.double({ min: 0, max: 1, noNaN: true }),
  to: fc.double({ min: 0, max: 1, noNaN: true }),
  text: fragments,
})
