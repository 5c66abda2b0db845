/**
 * Rules for bodies. A grammar inside a body must never hide the body's end, and TextMate looks for the `end` of an
 * outer rule only where no inner rule is open. So an embedded grammar gets text in two ways that it cannot leave:
 *
 * - Lines that belong to the body as a whole are embedded by a `begin`/`while` rule. At the start of every line `while` is
 *   asked first, from the outside in, and throws away whatever the embedded grammar has left open.
 * - The rest of a line before a control token is embedded as a capture, which ends where it ends.
 *   There the embedded grammar starts anew; rules for what such a rest may begin with make up for that.
 *
 * So at the level of a body itself there is never text, only the starts of lines and control tokens.
 */
import { coreTokens, messages, token, turns } from './expressions.mjs'

/** The languages that bodies can be in, and the grammar for each; `text` has none. */
const grammars = {
  json: ['source.json'],
  markdown: ['text.html.markdown'],
  python: ['source.python'],
  text: [],
  typescript: ['source.ts'],
  yaml: ['source.yaml'],
}

/** What may begin the last line of a body in a language whose constructs span lines. */
const restPatterns = {
  json: [
    {
      match: '(")(?>[^"\\\\\\n]+|\\\\.)*+(")(?=[ \\t]*:)',
      name: 'string.json support.type.property-name.json',
      captures: {
        1: { name: 'punctuation.support.type.property-name.begin.json' },
        2: { name: 'punctuation.support.type.property-name.end.json' },
      },
    },
    { match: ':', name: 'punctuation.separator.dictionary.key-value.json' },
    { match: ',', name: 'punctuation.separator.dictionary.pair.json' },
    { match: '\\}', name: 'punctuation.definition.dictionary.end.json' },
    { match: '\\]', name: 'punctuation.definition.array.end.json' },
  ],
  typescript: [{ match: '\\}', name: 'punctuation.definition.block.ts' }],
}

/** The scope of embedded text, which package.json maps to the language. */
export function embeddedScope(language) {
  return `meta.embedded.block.${language}.openchatml`
}

/** The rules by which captures embed a language: from its start, or as the rest of something. */
export function fragments() {
  const rules = {}
  for (const [language, scopes] of Object.entries(grammars)) {
    if (scopes.length === 0) continue
    const include = scopes.map((it) => ({ include: it }))
    rules[`fragment-${language}`] = fragment(include)
    const rest = restPatterns[language]
    if (rest) rules[`fragment-${language}-rest`] = fragment([...rest, ...include])
  }
  return rules
}

/** A rule around a capture's patterns, so that `\G` holds at its start, as Markdown needs it. */
function fragment(patterns) {
  return { begin: '(?=[^\\n])', end: '(?!)', patterns }
}

function capture(language, isRest) {
  const name = embeddedScope(language)
  if (grammars[language].length === 0) return { name }
  const suffix = isRest && restPatterns[language] ? '-rest' : ''
  return { name, patterns: [{ include: `#fragment-${language}${suffix}` }] }
}

const functionMarkers = ['function_list', 'function_call', 'function_output']

const anchors = ['\\G', '^'] // the start of a body, and of each further line; separate, so that each search is anchored

/**
 * The lines of a body in `language`.
 *
 * @param expressions how bodies end, {@link messages} or {@link turns}
 * @param except a negative lookahead for lines that belong to something else
 */
function lines(language, expressions, except = '') {
  const { run, maybeRun, atStop } = expressions
  const patterns = anchors.flatMap((anchor) => [
    { match: `${anchor}(${run})${atStop}`, captures: { 1: capture(language, anchor === '^') } },
    {
      begin: `${anchor}(?=${run}$)`,
      while: `^(?=${maybeRun}$)${except}`,
      contentName: embeddedScope(language),
      patterns: grammars[language].map((include) => ({ include })),
    },
  ])
  return expressions === messages ? [...patterns, ...literals(language)] : patterns
}

/** Literal blocks that reach over lines; others are part of their line (D9). The last pattern is for what follows one. */
function literals(language) {
  const { run } = messages
  return [...anchors.map((anchor) => `${anchor}(${run})?`), '()'].map((before, index) => ({
    begin: `${before}(${token('literal')})`,
    beginCaptures: {
      1: capture(language, index > 0),
      2: { name: 'keyword.control.literal.openchatml' },
    },
    end: `(${token('endliteral')})(${run})?`,
    endCaptures: { 1: { name: 'keyword.control.endliteral.openchatml' }, 2: capture(language, true) },
    contentName: 'string.unquoted.literal.openchatml',
  }))
}

const namespace = 'namespace[ \\t]+[\\w.$]+[ \\t]*\\{'
const closingLine = '\\}[ \\t]*(?://|$)'
const typescriptFence = '(?:`{3,}|~{3,})[ \\t]*(?:ts|typescript)\\b'
const fence = '[ \\t]*(?:`{3,}|~{3,})[ \\t]*$'

/** Bodies of system and developer messages: Markdown with tool definitions `namespace X { … }` (2.2 §16, D19). */
function instructions() {
  const { boundary, run, maybeRun, stop } = messages
  const typescript = (except) => lines('typescript', messages, except)
  return [
    ...anchors.flatMap((anchor) => [
      {
        match: `${anchor}(?=[ \\t]*${namespace}[^\\n]*\\}[ \\t]*(?://[^\\n]*)?$)(${run})$`,
        captures: { 1: capture('typescript', false) },
      },
      {
        begin: `${anchor}([ \\t]*)(?=${namespace})`,
        end: `^\\1(\\}[ \\t]*(?://${maybeRun})?)(?=$|${stop})|(?=${boundary})`,
        endCaptures: { 1: capture('typescript', true) },
        patterns: typescript(`(?![ \\t]*${closingLine})`),
      },
      {
        begin: `${anchor}[ \\t]*(\`{3,}|~{3,})[ \\t]*(ts|typescript)\\b([^\\n\`<]*)$`,
        beginCaptures: {
          1: { name: 'punctuation.definition.markdown' },
          2: { name: 'fenced_code.block.language.markdown' },
          3: { name: 'fenced_code.block.language.attributes.markdown' },
        },
        end: `^[ \\t]*(\\1)[ \\t]*$|(?=${boundary})`,
        endCaptures: { 1: { name: 'punctuation.definition.markdown' } },
        name: 'markup.fenced_code.block.markdown',
        patterns: typescript(`(?!${fence})`),
      },
    ]),
    ...lines('markdown', messages, `(?![ \\t]*(?:${namespace}|${typescriptFence}))`),
  ]
}

const jsonStart = '[ \\t]*(?:\\{[ \\t]*(?:["}]|$)|\\[[ \\t]*(?:[\\[{"\\]\\d-]|(?:true|false|null)\\b|$))'

/** Bodies of calls and replies without a declared type: JSON if they begin like it, else Markdown. */
function exchange() {
  return anchors
    .flatMap((anchor) => [
      { begin: `${anchor}(?=${jsonStart})`, language: 'json' },
      { begin: `${anchor}(?=[ \\t]*\\S)`, language: 'markdown' },
    ])
    .map(({ begin, language }) => ({
      begin,
      end: `(?=${messages.boundary})`,
      patterns: lines(language, messages),
    }))
}

/** The patterns of the body for each kind of body that a header can announce. */
export const bodyPatterns = {
  instructions: instructions(),
  exchange: exchange(),
  markdown: lines('markdown', messages),
  json: lines('json', messages),
  yaml: lines('yaml', messages),
  python: lines('python', messages),
  text: lines('text', messages),
}

const jsonLine = '[ \\t]*(?:[{}\\[\\]",:]|-?\\d|(?:true|false|null)\\b|$)'

/**
 * Bodies of 0.1: Markdown, and JSON behind a function marker that begins a line (0.1 §8).
 * In a system message only definitions are JSON: what stands behind the other markers there describes a call in words.
 */
export function turnPatterns(role) {
  const markers = token(...(role === 'system' ? ['function_list'] : functionMarkers))
  const section = (anchor) => ({
    begin: `${anchor}[ \\t]*(${markers})`,
    beginCaptures: { 1: { name: 'keyword.control.function.openchatml' } },
    end: `(?=${turns.boundary})|^(?!${jsonLine})`,
    patterns: lines('json', turns, `(?=${jsonLine})`),
  })
  return [...anchors.map(section), ...lines('markdown', turns, `(?![ \\t]*${markers})`)]
}

/** A backslash before a token escapes nothing, though the strings of many languages take the next character with it. */
const backslash = '(?:\\\\(?=<))?'

function marker(name, ...tokens) {
  return { match: `${backslash}(${token(...tokens)})`, captures: { 1: { name } } }
}

const thoughts = marker(
  'keyword.control.thought.openchatml',
  ...['reflect', 'introspect', 'reason'].flatMap((it) => [`start_${it}`, `end_${it}`]),
)

/** All of a run of `<`, of which only the last one escapes; else an operator such as `<<` could begin before it. */
const escapedToken = {
  match: `${backslash}(?<!<)<*(<${token(...coreTokens)})`,
  captures: { 1: { name: 'constant.character.escape.openchatml' } },
}

/** A literal block that closes on its line. */
const literal = {
  match: `${backslash}(${token('literal')})((?>[^<\\n]+|<(?!\\|endliteral\\|>))*)(${token('endliteral')})`,
  captures: {
    1: { name: 'keyword.control.literal.openchatml' },
    2: { name: 'string.unquoted.literal.openchatml' },
    3: { name: 'keyword.control.endliteral.openchatml' },
  },
}

const turnMarkers = [
  marker('keyword.control.thought.openchatml', 'reflect', 'introspect', 'reason'),
  marker('keyword.control.function.openchatml', ...functionMarkers),
]

/**
 * Code spans of Markdown that contain a token: Markdown's own rule for them lets nothing in, this one does.
 * Backticks around a mere `<|literal|>` are no code span: what follows is literal text, as far as `<|endliteral|>`.
 */
const codeSpans = [
  { match: `(?<!\`)\`+(?=[^\`\\n]*(?<!<)${token('literal')}(?![^\`\\n]*${token('endliteral')}))` },
  {
    begin: '(?<!`)(`+)(?=[^`\\n]*<\\|[^`\\n]*\\1(?!`))',
    end: '`+',
    name: 'markup.inline.raw.string.markdown',
    captures: { 0: { name: 'punctuation.definition.raw.markdown' } },
  },
]

/**
 * Control tokens and escapes inside embedded text. They take part in no rule of the embedded grammar.
 * Where it comes to Markdown's code spans, paragraphs are meant; other languages use backticks for other things.
 */
export const injections = {
  'L:meta.body.openchatml meta.embedded.block': { patterns: [escapedToken, literal, thoughts] },
  'L:meta.body.chatml.openchatml meta.embedded.block': { patterns: [thoughts, ...turnMarkers] },
  'L:meta.body meta.paragraph.markdown - markup.inline.raw': { patterns: codeSpans },
}
