/** A conversation as one HTML file. */
import { escapedHtml, type VisibleMessage } from '../../core/src/internal.ts'
import { documentStyle } from './document-style.ts'
import {
  type ConversationItem,
  type DocumentOptions,
  debugNotice,
  type HiddenItem,
  hiddenRemark,
  remarksOf,
  type SeenItem,
  speakerOf,
} from './exported-conversation.ts'
import { lineBreaks, type StandIns, withStandIns } from './literals.ts'
import {
  isFollowable,
  isInlineImage,
  jsonHtml,
  longestMarkdown,
  plainNote,
  toHtml,
} from './markdown-to-html.ts'
import { localize } from './page-texts.ts'
import { stillPageHead } from './still-page.ts'

/** The file, piece by piece. */
export function* htmlDocument(
  items: Iterable<ConversationItem>,
  { title, isDebug, language, hasMath = true }: DocumentOptions,
): IterableIterator<string> {
  yield `${stillPageHead({ title, style: documentStyle, language })}<main>
<h1>${escapedHtml(title)}</h1>
${isDebug ? `<p class="debug" role="note">${escapedHtml(debugNotice())}</p>\n` : ''}`
  for (const item of items) yield item.kind === 'seen' ? seenHtml(item, hasMath) : hiddenHtml(item)
  yield '</main>\n</body>\n</html>\n'
}

/** A message that users see, as an article. */
export function seenHtml({ message }: SeenItem, hasMath: boolean): string {
  const { role, intent } = message
  const remarks = remarksOf(message).map((it) => ` <span class="remark">${escapedHtml(it)}</span>`)
  return `<article class="${role}${intent === undefined ? '' : ' preamble'}">
<header><bdi>${escapedHtml(speakerOf(message))}</bdi>${remarks.join('')}</header>
<div class="content" dir="auto">${contentHtml(message, hasMath)}</div>
</article>
`
}

function hiddenHtml(item: HiddenItem): string {
  return `<article class="hidden">
<header><bdi>${escapedHtml(item.label)}</bdi> <span class="remark">${escapedHtml(hiddenRemark(item))}</span></header>
<pre>${escapedHtml(item.text)}</pre>
</article>
`
}

function contentHtml({ parts, isJson }: VisibleMessage, hasMath: boolean): string {
  const text = parts.map((it) => it.text).join('')
  if (isJson && text.length <= longestMarkdown) return withoutLines(jsonHtml(text))
  const standIns = text.length > longestMarkdown ? undefined : withStandIns(parts)
  if (!standIns) {
    const note = text.length > longestMarkdown ? `<p class="note">${escapedHtml(plainNote())}</p>\n` : ''
    return `${note}<pre class="literal">${escapedHtml(text)}</pre>`
  }
  return withoutLines(withLiterals(withImages(toHtml(standIns, { hasMath })), standIns)).replaceAll(
    '<a href=',
    '<a rel="noreferrer noopener" href=',
  )
}

function withoutLines(html: string): string {
  return html.replaceAll(/ data-line="\d*"/g, '')
}

/** Pictures within the text are shown, others are links to where they are. */
function withImages(html: string): string {
  return html.replaceAll(
    /<span data-image="([^"<>]*)">([^<>]*)<\/span>/g,
    (_, source: string, text: string) => {
      if (isInlineImage(source)) return `<img src="${source}" alt="${text}">`
      const label = localize`Image: ${text || localize`no description`}`
      return isFollowable(source) ? `<a href="${source}">${label}</a>` : label
    },
  )
}

/** Puts literal text where its stand-ins are. Values of attributes are escaped, so a tag ends at the next `>`. */
function withLiterals(html: string, { literals, pattern }: StandIns): string {
  if (!pattern) return html
  // Linear: one code unit.
  const every = new RegExp(pattern, 'gu')
  return html
    .replaceAll(/<p[^<>]*>(.)<\/p>/gsu, (paragraph, standIn: string) => {
      const literal = literals.get(standIn)
      return literal === undefined ? paragraph : `<pre class="literal">${escapedHtml(literal)}</pre>`
    })
    .replaceAll(/<[^<>]*>|[^<>]+/g, (piece) =>
      piece.replaceAll(every, (standIn) => {
        const text = escapedHtml(literals.get(standIn) ?? '')
        if (piece.startsWith('<')) return text
        return lineBreaks(text) > 0
          ? `<code class="literal block">${text}</code>`
          : `<code class="literal">${text}</code>`
      }),
    )
}
