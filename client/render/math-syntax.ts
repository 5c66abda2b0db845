/**
 * Formulas in Markdown, as VS Code's own preview reads them: `$…$` within a line, `$$…$$` as a block. Models also write `\(…\)`
 * within a line and `\[…\]` as a block, so these are read as well. What does not end, or is not a formula, stays as it is written.
 */
import type { MarkdownIt, StateBlock, StateInline, Token } from 'markdown-it'
import { formulaOf, longestFormula } from './math.ts'

/** What a rendering has to say about formulas. */
export interface MathEnvironment {
  /** False or absent: a dollar sign is a dollar sign. */
  readonly hasMath?: boolean
  /** Matches what must not be in a formula: stand-ins for literal text. */
  readonly standIns?: { readonly pattern: RegExp | undefined }
  /** UTF-16 code units of formulas that may still be read in this rendering. */
  mathLeft?: number
  /** Symbols that macros may still make in this rendering. */
  symbolsLeft?: number
}

/** What macros of a message may make together, in symbols; further formulas with macros stay as they are written. */
const mostSymbols = 40_000

/** All formulas of a message together (UTF-16 code units); further ones stay as they are written. */
const mostMath = 40_000

/** What a formula costs whatever it says, as if it were longer by so much. */
const costOfFormula = 20

/** How many lines a block may have. */
const mostLines = 200

/** Adds formulas to `markdown`, for renderings that want them. */
export function addMath(markdown: MarkdownIt): void {
  markdown.inline.ruler.before('escape', 'math', inlineMath)
  markdown.block.ruler.before('fence', 'math_block', blockMath, {
    alt: ['paragraph', 'reference', 'blockquote', 'list'],
  })
  markdown.renderer.rules.math_inline = (tokens, index, _options, environment) =>
    formulaHtml(markdown, tokens[index], environment as MathEnvironment)
  markdown.renderer.rules.math_block = (tokens, index, _options, environment) => {
    const line = String(tokens[index]?.attrGet('data-line') ?? '')
    return `<p class="math block"${line === '' ? '' : ` data-line="${line}"`}>${formulaHtml(markdown, tokens[index], environment as MathEnvironment)}</p>\n`
  }
}

function formulaHtml(markdown: MarkdownIt, token: Token | undefined, environment: MathEnvironment): string {
  if (!token) return ''
  const { isBlock } = token.meta as { readonly isBlock: boolean }
  const formula = withinBounds(token.content, isBlock, environment)
  if (formula === undefined)
    return `<code class="math-source">${markdown.utils.escapeHtml(token.markup + token.content + token.info)}</code>`
  return token.type === 'math_inline' ? `<span class="math">${formula}</span>` : formula
}

/** The formula as HTML, unless it cannot be read or the message has had its share of symbols. */
function withinBounds(tex: string, isBlock: boolean, environment: MathEnvironment): string | undefined {
  const left = environment.symbolsLeft ?? mostSymbols
  if (left <= 0) return undefined
  const { html, cost } = formulaOf(tex, isBlock)
  environment.symbolsLeft = left - cost
  return html
}

/** True if `tex` may be read; what is read and not only looked at counts. */
function takes(environment: MathEnvironment, tex: string, silent: boolean): boolean {
  if (tex.trim() === '' || tex.length > longestFormula || environment.standIns?.pattern?.test(tex))
    return false
  const left = (environment.mathLeft ?? mostMath) - tex.length - costOfFormula
  if (left < 0) return false
  if (!silent) environment.mathLeft = left
  return true
}

// Within a line, at `$` or `\(`.
//
//   The area is $\pi r^2$.
//               ^
function inlineMath(state: StateInline, silent: boolean): boolean {
  const environment = state.env as MathEnvironment
  if (environment.hasMath !== true) return false
  const { src, pos } = state
  const open = ['$$', '$', '\\('].find((it) => src.startsWith(it, pos))
  if (open === undefined) return false
  const close = closerOf(open)
  const from = pos + open.length
  if (open === '$' && !mayOpen(src, pos)) return false
  const to = nextCloser(state, close, from)
  if (to === -1 || state.posMax < to + close.length) return false
  if (open === '$' && !mayClose(src, to)) return false
  const tex = src.slice(from, to)
  if (open === '\\(' && isProse(tex)) return false
  if (!isReadable(tex) || !takes(environment, tex, silent)) return false
  if (!silent) {
    const token = state.push('math_inline', 'math', 0)
    token.markup = open
    token.info = close
    token.content = tex
    token.meta = { isBlock: open === '$$' }
  }
  state.pos = to + close.length
  return true
}

function closerOf(open: string): string {
  if (open === '\\(') return '\\)'
  return open === '\\[' ? '\\]' : open
}

/** Words in escaped parentheses are not a formula. */
function isProse(tex: string): boolean {
  return /^[\p{L}\s.,;:'’!?-]{1,500}$/u.test(tex) && /\p{L}{3}/u.test(tex) && /\s/.test(tex)
}

function isReadable(tex: string): boolean {
  return tex.length <= longestFormula && !/\n\s*\n/.test(tex)
}

/** A price is not a formula: `$5`, `US$5`. */
function mayOpen(source: string, at: number): boolean {
  return !/[\w$]/.test(source.charAt(at - 1)) && /\S/.test(source.charAt(at + 1))
}

function mayClose(source: string, at: number): boolean {
  return /\S/.test(source.charAt(at - 1)) && !/[\w$]/.test(source.charAt(at + 1))
}

/** Where the next closer was found for a text: one search serves all openers before it. */
const searches = new WeakMap<StateInline, Map<string, { readonly from: number; readonly at: number }>>()

function nextCloser(state: StateInline, close: string, from: number): number {
  let known = searches.get(state)
  if (!known) {
    known = new Map()
    searches.set(state, known)
  }
  const before = known.get(close)
  if (before && before.from <= from && (before.at === -1 || from <= before.at)) return before.at
  let at = state.src.indexOf(close, from)
  while (at > 0 && isEscaped(state.src, at)) at = state.src.indexOf(close, at + 1)
  known.set(close, { from, at })
  return at
}

function isEscaped(source: string, at: number): boolean {
  let count = 0
  while (count < at && source.charAt(at - 1 - count) === '\\') count++
  return count % 2 === 1
}

// At the beginning of a line, at `$$` or `\[`; a line that ends with the closer ends the block.
//
//   $$
//   ^
//   e = mc^2
//   $$
function blockMath(state: StateBlock, startLine: number, endLine: number, silent: boolean): boolean {
  const environment = state.env as MathEnvironment
  if (environment.hasMath !== true || state.sCount[startLine]! - state.blkIndent >= 4) return false
  const first = lineOf(state, startLine)
  const open = ['$$', '\\['].find((it) => first.startsWith(it))
  if (open === undefined) return false
  const close = closerOf(open)
  const lines: string[] = []
  let line = startLine
  let text = first.slice(open.length)
  let length = 0
  for (;;) {
    length += text.length
    const end = text.trimEnd()
    if (end.endsWith(close) && !isEscaped(end, end.length - close.length)) {
      lines.push(end.slice(0, -close.length))
      break
    }
    if (line === startLine && text.includes(close)) return false // it ends within the line
    lines.push(text)
    line++
    if (line >= endLine || line - startLine > mostLines || length > longestFormula) return false
    // A line that is further out ends the list or quotation, and the formula with it.
    if (!state.isEmpty(line) && state.sCount[line]! < state.blkIndent) return false
    text = lineOf(state, line)
  }
  const tex = lines.join('\n')
  if (!takes(environment, tex, silent)) return false
  if (silent) return true
  state.line = line + 1
  const token = state.push('math_block', 'math', 0)
  token.block = true
  token.markup = open
  token.info = close
  token.content = tex
  token.map = [startLine, state.line]
  token.meta = { isBlock: true }
  return true
}

function lineOf(state: StateBlock, line: number): string {
  return state.src.slice(state.bMarks[line]! + state.tShift[line]!, state.eMarks[line])
}
