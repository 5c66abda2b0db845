/** The text of a template and the tokens of its tags, as Jinja2 has them with `trim_blocks` and `lstrip_blocks`. */
import { type JinjaToken, jinjaTags } from '../embedded/jinja-tokens.ts'
import { TemplateFault } from './template-problem.ts'

/** A token; of text, its text, which trimming has left. */
export interface TemplateToken extends Pick<JinjaToken, 'value' | 'number' | 'isFloat' | 'at'> {
  readonly kind: JinjaToken['kind'] | 'text' | 'open' | 'close' | 'end'
  /** Behind the tag that it closes. */
  readonly end?: number
}

const space = /\s*/y

/** The tokens of `source`, whose line breaks are `\n`. @throws TemplateFault */
export function templateTokens(source: string): readonly TemplateToken[] {
  const tokens: TemplateToken[] = []
  const end = source.endsWith('\n') ? source.length - 1 : source.length
  let at = 0
  let startsLine = true
  for (const { kind, range, inside, opening, closing, fault, tokens: words } of jinjaTags(source, { end })) {
    const isValue = kind === 'output'
    if (opening === '-') addText(at, at + source.slice(at, range.start).trimEnd().length)
    else addText(at, isValue || opening === '+' ? range.start : beforeIndent(at, range.start))
    if (fault) throw new TemplateFault('syntax', fault.message, fault.at)
    if (isValue || kind === 'statement') {
      tokens.push({ kind: 'open', value: isValue ? '{{' : '{%', at: range.start }, ...words)
      tokens.push({ kind: 'close', value: isValue ? '}}' : '%}', at: inside.end, end: range.end })
    }
    // Jinja2 keeps the line break after `{% raw %}`.
    const trimsBreak = !isValue && kind !== 'raw' && closing !== '+' && source[range.end] === '\n'
    at = closing === '-' ? afterSpace(range.end) : range.end + (trimsBreak ? 1 : 0)
    startsLine = source[at - 1] === '\n'
  }
  addText(at, end)
  tokens.push({ kind: 'end', value: '', at: end })
  return tokens

  function addText(from: number, to: number): void {
    if (to > from) tokens.push({ kind: 'text', value: source.slice(from, to), at: from })
  }

  /** Where the line's indentation before the tag begins, if there is nothing else before it. */
  function beforeIndent(from: number, tag: number): number {
    const text = source.slice(from, tag)
    const line = text.lastIndexOf('\n') + 1
    if (line === 0 && !startsLine) return tag
    return text.slice(line).trim() === '' ? from + line : tag
  }

  function afterSpace(from: number): number {
    space.lastIndex = from
    space.test(source)
    return space.lastIndex
  }
}
