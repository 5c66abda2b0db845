/**
 * A conversation as a Markdown file. Text of messages is in quotations and labels are outside, so no message can pass for
 * another one, leave a code block open, or end the file early with an HTML comment.
 */
import { inLines, type VisibleMessage, withLineFeeds } from '../../core/src/internal.ts'
import {
  type ConversationItem,
  type DocumentOptions,
  debugNotice,
  hiddenRemark,
  remarksOf,
  speakerOf,
} from './exported-conversation.ts'
import { withoutHtml } from './markdown-source.ts'
import { longestMarkdown, plainNote } from './markdown-to-html.ts'

/** The file, piece by piece. */
export function* markdownDocument(
  items: Iterable<ConversationItem>,
  { title, isDebug }: DocumentOptions,
): IterableIterator<string> {
  yield `# ${inline(title)}\n`
  if (isDebug) yield `\n*${debugNotice()}*\n`
  for (const item of items) {
    if (item.kind === 'seen') {
      const label = [`**${inline(speakerOf(item.message))}**`, ...remarksOf(item.message)].join(', ')
      yield `\n${label}\n\n${quoted(markdownOf(item.message))}`
    } else {
      yield `\n**${inline(item.label)}** (${inline(hiddenRemark(item))})\n\n${quoted(fenced(item.text))}`
    }
  }
}

function markdownOf({ parts, isJson }: VisibleMessage): string {
  const length = parts.reduce((sum, { text }) => sum + text.length, 0)
  if (length > longestMarkdown) {
    const text = parts.map((it) => it.text).join('')
    return `*${plainNote()}*\n\n${fenced(withLineFeeds(text))}`
  }
  if (isJson) return fenced(parts.map(({ text }) => withLineFeeds(text)).join(''), 'json')
  const markdown = parts.map(({ kind, text }) => (kind === 'literal' ? literal(text) : text)).join('')
  return withoutHtml(withLineFeeds(markdown))
}

function literal(text: string): string {
  if (/[\r\n]/.test(text)) return `\n${fenced(text)}\n`
  const fence = '`'.repeat(longestRun(text) + 1)
  return /^`|`$|^ .* $/.test(text) ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`
}

function fenced(text: string, language = 'text'): string {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1))
  return `${fence}${language}\n${text.replace(/\n$/, '')}\n${fence}`
}

function longestRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

/** Words in a line of Markdown that must not mean anything. After an address, a backslash may be part of it. */
function inline(text: string): string {
  return text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]>#|~&]/g, '\\$&')
    .replaceAll('<', '&lt;')
}

function quoted(markdown: string): string {
  const text = markdown.slice(markdown.search(/[^\n]|$/)).trimEnd()
  return text === '' ? '>\n' : `${inLines(text, quotedLines)}\n`
}

/** `lines` in a quotation: `> ` before each, and `>` before an empty one. */
function quotedLines(lines: string): string {
  return lines
    .split(/^/m)
    .map((line) => (/^[\n\u2028\u2029]/.test(line) ? `>${line}` : `> ${line}`))
    .join('')
}
