/** The text of a message as the page shows it, without an element: marks of Markdown are gone. */
import type { VisiblePart } from '../../core/src/internal.ts'
import { resolved, withStandIns } from './literals.ts'
import { laidOutJson, longestMarkdown, toHtml } from './markdown-to-html.ts'

/** What is shown of `parts`, which are JSON or Markdown. */
export function shownText(parts: readonly VisiblePart[], isJson: boolean): string {
  const text = parts.map((part) => part.text).join('')
  if (text.length > longestMarkdown) return text
  if (isJson) return laidOutJson(text) ?? text
  const standIns = withStandIns(parts)
  if (!standIns) return text
  return resolved(textOfHtml(toHtml(standIns)), standIns)
}

const characters: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' }

/** The text of HTML as the renderer of Markdown writes it. */
function textOfHtml(html: string): string {
  // Every `<` begins a tag: those of texts and attributes are escaped.
  const [before = '', ...tags] = html.split('<')
  return [before, ...tags.map((it) => it.slice(it.indexOf('>') + 1))]
    .join('')
    .replace(/&(lt|gt|amp|quot);/g, (whole, name: string) => characters[name] ?? whole)
}
