/**
 * The regular expressions of the grammar, as strings for Oniguruma.
 *
 * Every expression is linear: what repeats is atomic or possessive, and what scans a line is anchored, because an
 * unanchored scan that fails is tried again at every later character.
 */

/** White space that the parser skips between the words of a header, within a line. */
export const blank = '[ \\t\\x{A0}\\x{FEFF}]'

/** A word of a header: up to white space or to a control token. */
export const word = '(?>[^\\s<]+|<(?!\\|))+'

/** A word that is no attribute. */
export const bareWord = `(?![A-Za-z_][\\w-]*=)${word}`

/** Where a word ends. */
export const wordEnd = '(?=\\s|<\\||$)'

/** Where a word begins: behind white space or behind a control token. */
export const wordStart = '(?<![^\\s>])'

/** Any of `words`, none of which contains a special character but dots. */
export function anyOf(words) {
  return `(?:${words.map((it) => it.replaceAll('.', '\\.')).join('|')})`
}

/** The token called `name`, in a group if there are several names. */
export function token(...names) {
  return `<\\|${names.length === 1 ? names[0] : anyOf(names)}\\|>`
}

/** The tokens that a doubled `<` turns into text. */
export const coreTokens = [
  'start',
  'channel',
  'message',
  'call',
  'constrain',
  'return',
  'end',
  'literal',
  'endliteral',
]

/** What begins a line where the YAML header ends (D1). */
export const opener = `(?:${token('start', 'im_start', 'fim_prefix', 'fim_middle', 'fim_suffix', 'file_separator')}|\\[BOS\\])`

/** Roles that are no names of tools. */
export const people = ['system', 'developer', 'user', 'assistant', 'tool']

/** The name of a tool in the place of a role (D5). */
export const toolRole = `(?:(?:functions\\.)?python${wordEnd}|(?:functions|browser)\\.${word})`

/** Behind a start token in a body: only a known role begins a message there (D10). */
const knownRole = `${blank}{0,8}(?:(?:${people.join('|')}|python)${wordEnd}|(?:functions|browser)\\.(?=[^\\s<]))`

/**
 * How the bodies of a framing end.
 *
 * - `boundary`: where the body ends.
 * - `run`: as much of a line as belongs to the body, one character at least. A line break or a control token follows.
 * - `maybeRun`: the same or nothing.
 * - `atStop`: that a control token follows which a run stops at, other than a literal.
 */
export const messages = bodyExpressions({
  boundary: `(?<!<)<\\|(?:${anyOf(['end', 'call', 'return'])}\\|>|start\\|>${knownRole})`,
  atStop: '(?=<(?!\\|literal))',
  stop: `<\\|(?:${anyOf(['end', 'call', 'return', 'literal'])}\\|>|start\\|>${knownRole})`,
  // A literal block that closes on the line is text; so is a token behind another `<`.
  further: [`(?<!<)${token('literal')}(?>[^<\\n]+|<(?!\\|endliteral\\|>))*${token('endliteral')}`, '(?<=<)<'],
})

/** The same for OpenChatML 0.1, which has neither literals nor escapes. */
export const turns = bodyExpressions({
  boundary: `<\\|(?:im_end\\|>|im_start\\|>${knownRole})`,
  atStop: '(?=<)',
  stop: `<\\|(?:im_end\\|>|im_start\\|>${knownRole})`,
  further: [],
})

function bodyExpressions({ boundary, atStop, stop, further }) {
  const piece = ['[^<\\n]++', `<(?!${stop.slice(1)})`, ...further].join('|')
  return { boundary, atStop, stop, run: `(?>(?:${piece})+)`, maybeRun: `(?>(?:${piece})*)` }
}
