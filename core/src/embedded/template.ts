/**
 * Placeholders of template languages in a transcript that is yet to be filled in: `{{ name }}`, `{% if … %}`, `{# … #}`
 * as in Jinja, Mustache and Handlebars. Doubled braces around anything but a name are none: `{{"a": 1}}` is a mistake.
 */
import type { Span } from '../text/range.ts'

const name = '[-~]?[^\\S\\r\\n]{0,8}[#/>^&!]?[^\\S\\r\\n]{0,8}[A-Za-z_]'
const inside = '[^{}\\r\\n]{0,400}' // far more than a placeholder has, and few enough for a search that is linear
// Linear: every run is bounded.
const placeholders = new RegExp(
  `\\{\\{\\{?${name}${inside}\\}\\}\\}?|\\{%${inside}%\\}|\\{#${inside}#\\}`,
  'g',
)

const longest = 430 // UTF-16 code units of a placeholder, or some more

/** True if there is a placeholder in `text`. */
export function hasTemplates(text: string): boolean {
  // Most texts have no brace, which is found at once: this is asked at every keystroke.
  return text.includes('{') && text.search(placeholders) !== -1
}

/** The placeholders in `text`, in order. */
export function templatesIn(text: string): readonly Span[] {
  return [...text.matchAll(placeholders)].map(({ index, 0: placeholder }) => ({
    from: index,
    to: index + placeholder.length,
  }))
}

/** Those of {@link templatesIn} that share text with `span`, or are around it. Costs only what is near it. */
export function templatesAt(text: string, { from, to }: Span): readonly Span[] {
  const end = Math.max(to, from + 1)
  let start = Math.max(0, from - longest)
  for (let braces = 0; braces < 2 && text[start - 1] === '{'; braces++) start--
  return templatesIn(text.slice(start, end + longest))
    .map((it) => ({ from: start + it.from, to: start + it.to }))
    .filter((it) => it.from < end && from < it.to)
}

/**
 * `text` with words of the same length for placeholders that stand for a value, and white space for those that are
 * on a line of their own, or for nothing.
 */
export function withoutTemplates(text: string, templates: readonly Span[]): string {
  const parts: string[] = []
  let at = 0
  for (const { from, to } of templates) {
    // After another placeholder on its line it is not alone, so nothing is looked at twice.
    const before = text.slice(at, from)
    const lineStart = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1
    const isAlone =
      (at === 0 || lineStart > 0) &&
      /^[^\S\r\n]*$/.test(before.slice(lineStart)) &&
      /^[^\S\r\n]*(?:[\r\n]|$)/.test(text.slice(to, to + 80))
    const isValue = text.startsWith('{{', from) && !isAlone
    parts.push(text.slice(at, from), (isValue ? 'x' : ' ').repeat(to - from))
    at = to
  }
  parts.push(text.slice(at))
  return parts.join('')
}
