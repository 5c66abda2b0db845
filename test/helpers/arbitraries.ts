/** Random transcripts: whole ones, broken ones, and soups of everything that means something to a scanner. */
import fc from 'fast-check'
import { isNight } from './nightly.ts'

const pieces = [
  '<|start|>',
  '<|start|>user<|message|>',
  '<|start|>assistant<|channel|>final<|message|>',
  '<|start|>assistant<|channel|>analysis<|message|>',
  '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a":1}<|call|>',
  '<|start|>tool name=functions.f call_id=c1<|channel|>commentary<|message|>{}<|end|>',
  '<|start|>functions.f to=assistant<|message|>',
  '<|channel|>',
  '<|message|>',
  '<|constrain|>',
  '<|call|>',
  '<|return|>',
  '<|end|>',
  '<|literal|>',
  '<|endliteral|>',
  '<<|end|>',
  '<<|start|>user',
  '<<<|literal|>',
  '<|start_reason|>',
  '<|end_reason|>',
  'user',
  'assistant',
  'system',
  'final',
  'analysis',
  'commentary',
  'functions.f',
  'python',
  ' to=functions.f',
  ' call_id=c1',
  ' call_id=c2',
  ' name=x',
  ' intent=preamble',
  ' json',
  '=',
  ' ',
  '\t',
  '\n',
  '\r\n',
  '\r',
  '<',
  '<|',
  '|>',
  '<|sta',
  'rt|>',
  'x',
  'héllo',
  '😀',
  '\ud83d',
  '\ufeff',
  '---\n',
  '\n---\n',
  '...\n',
  'version: 2.2\n',
  'profiles: {harmony: {enabled: true}}\n',
  'tokens: ["<|start|>"]\n',
  '{"a":',
  '}',
  '\n<|start|>assistant<|channel|>final<|message|>Hi<|return|>\n',
  '\n<|start|>user<|message|>Hello<|end|>\n',
]

const chatmlPieces = [
  '<|im_start|>',
  '<|im_start|>user\n',
  '<|im_start|>assistant\n',
  '<|im_end|>',
  '<|im_end|>\n',
  '[BOS]',
  '[EOS]',
  '<|fim_prefix|>',
  '<|fim_middle|>',
  '<|fim_suffix|>',
  '<|file_separator|>',
  '\n<|file_separator|>\n',
  '<|function_call|>\n{"name":"f","arguments":{}}',
  '<|start_reflect|>',
  '<|end_reflect|>',
  'tool',
  ' name=Bob',
]

/** A sequence of pieces that mean something, most of it malformed. */
export const soup: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...pieces), { minLength: 2, maxLength: 30, size: 'max' })
  .map((parts) => parts.join(''))

const messages = [
  '<|start|>system<|message|>Be brief.<|end|>\n',
  '<|start|>developer<|message|># Tools\n\nnamespace functions {\ntype f = () => any;\n}<|end|>\n',
  '<|start|>user<|message|>Hi <<|end|> there<|end|>\n',
  '<|start|>user name=Ann<|message|>print <|literal|><|start|>user<|message|><|end|><|endliteral|><|end|>\r\n',
  '<|start|>assistant<|channel|>analysis<|message|>Think\nhard.<|end|>',
  '<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"a":1}<|call|>\n',
  '<|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>{"ok":true}<|end|>\n',
  '<|start|>assistant<|channel|>commentary to=functions.g json<|message|>{}<|call|><|end|>',
  '<|start|>functions.g to=assistant<|channel|>commentary<|message|>{}<|end|>\n',
  '<|start|>assistant to=browser.search<|channel|>analysis code<|message|>{}<|call|>',
  '<|start|>assistant intent=preamble<|channel|>commentary<|message|>Plan.<|end|>\n',
  '<|start|>assistant<|channel|>final<|message|>Done.<|return|>\n',
  '<|start|>user<|message|>unclosed <|literal|> here<|end|>\n',
  '<|start|>assistant<|channel|>final<|message|>cut off ',
  '<|start|>assistant',
  'stray ',
]

const headers = [
  '',
  'version: 2.2\n\n',
  '---\nversion: 2.2\n---\n',
  'version: 2.0\n',
  'version: 2.2\nprofiles:\n  harmony:\n    enabled: true\n',
  '# no version\nmodel: m\n',
]

/** A header and messages, most of them well formed. */
export const plausible: fc.Arbitrary<string> = fc
  .tuple(fc.constantFrom(...headers), fc.array(fc.constantFrom(...messages), { maxLength: 12, size: 'max' }))
  .map(([header, parts]) => header + parts.join(''))

/** The same with the tokens of 0.1 mixed in. */
export const mixedSoup: fc.Arbitrary<string> = fc
  .array(
    fc.constantFrom(...chatmlPieces, ...chatmlPieces, ...pieces.slice(0, 24), '\n', ' ', 'x', 'user', '<'),
    {
      minLength: 2,
      maxLength: 30,
      size: 'max',
    },
  )
  .map((parts) => parts.join(''))

const firstSurrogate = 0xd800
const nSurrogates = 0x800

/**
 * Any code point but a surrogate, as text: the `binary` of fast-check, value by value. That one writes down all 1.1 million of them
 * when the first string is described, which costs each process as much as loading all else.
 */
export const codePoint: fc.Arbitrary<string> = fc.nat({ max: 0x10ffff - nSurrogates }).map(
  (index) => String.fromCodePoint(index < firstSurrogate ? index : index + nSurrogates),
  (value) => {
    const code = typeof value === 'string' ? value.codePointAt(0) : undefined
    if (code === undefined || String.fromCodePoint(code) !== value) throw new Error('not a code point')
    return code < firstSurrogate ? code : code - nSurrogates
  },
)

/** Any string at all, lone surrogates included. */
export const anyString: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: codePoint, maxLength: 60 }),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 40 })
    .map((codes) => String.fromCharCode(...codes)),
)

/** Text of any kind that a parser may meet. */
export const transcriptText: fc.Arbitrary<string> = fc.oneof(
  { arbitrary: plausible, weight: 4 },
  { arbitrary: soup, weight: 4 },
  { arbitrary: mixedSoup, weight: 3 },
  { arbitrary: anyString, weight: 1 },
)

/** An edit whose place is given in parts per thousand of the text it will meet. */
export interface RelativeEdit {
  readonly at: number
  readonly length: number
  readonly text: string
}

/** Edits as people make them: typed characters, pasted pieces, deletions. */
export const relativeEdit: fc.Arbitrary<RelativeEdit> = fc.record({
  at: fc.integer({ min: 0, max: 1000 }),
  length: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 40 })),
  text: fc.oneof(
    fc.constant(''),
    fc.constantFrom(...pieces, ...chatmlPieces),
    fc.string({ maxLength: 2 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 4 }).map((parts) => parts.join('')),
  ),
})

/** The edit in the coordinates of `text`. */
export function placeEdit({ at, length, text }: RelativeEdit, document: string) {
  const start = Math.round((at / 1000) * document.length)
  return { start, end: Math.min(document.length, start + length), text }
}

/** Runs per property. By day, all draw the same values in every run; `npm run fuzz` sets `PROPERTY_RUNS` and draws others. */
export const propertyRuns = Number(process.env.PROPERTY_RUNS ?? (isNight ? 100 : 25))
