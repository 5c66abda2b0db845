/** What a page shows of a document: how a message crosses, and under which kind. The usual view has visible messages only. */
import type { MessageSide, SampleMetadata, VisibleMessage, VisiblePart } from '../../../core/src/internal.ts'
import { shownText } from '../../render/shown-text.ts'
import type { TextsOf } from './match-finder.ts'
import type {
  PageMessage,
  PagePart,
  PageSettings,
  PageStretch,
  ToPage,
  WindowUpdate,
} from './preview-protocol.ts'
import type { Summary } from './preview-session.ts'

/** A way to show messages of one type. */
export interface PageView<Message, Shown extends { readonly id: string }> {
  /** True for views that have more messages than users see. */
  readonly showsHidden?: true
  /** What crosses to the page of one message, with no more than `limit` UTF-16 code units of text. */
  shown(id: string, message: Message, limit: number): Shown
  /** The training flags of a sample's messages, as many as the view has messages if it is the sample's own; absent in other views. */
  flagsOf?(metadata: SampleMetadata): readonly (readonly string[])[]
  /** `shown` with the flags of its message. */
  flagged?(shown: Shown, flags: readonly string[]): Shown
  /** True if what a query found is marked. */
  readonly marksFound?: true
  /** The texts of what crossed in which a reader can find words, in order; see {@link TextsOf}. */
  readonly textsOf: TextsOf<Shown>
  /** UTF-16 code units of text. */
  textLength(message: Message): number
  open(settings: PageSettings): ToPage
  update(update: WindowUpdate<Shown>): ToPage
  /** What there is to say of all messages together; absent in most views. */
  summary?(summary: Summary): ToPage | undefined
}

/** What an end user may see, and nothing else (D15). */
export const visibleView: PageView<VisibleMessage, PageMessage> = {
  shown: pageMessage,
  flagsOf: ({ flags }) => flags,
  flagged: (shown, flags) => ({ ...shown, flags }),
  marksFound: true,
  textsOf: textsOfMessage,
  textLength,
  open: (settings) => ({ kind: 'open', ...settings }),
  update: (update) => ({ kind: 'update', ...update }),
  summary: (counts) => ('isEmpty' in counts ? { kind: 'hiddenCounts', counts } : undefined),
}

/** The messages of {@link visibleView}, of which the page then asks for a replay. */
export const replayView: PageView<VisibleMessage, PageMessage> = {
  ...visibleView,
  open: (settings) => ({ kind: 'replayOpen', ...settings }),
}

/** The texts of a message as the page shows them. */
export function textsOfMessage(
  { parts, sides, isJson }: PageMessage,
  mayMatch: (source: string) => boolean,
): readonly string[] {
  if (!mayMatch(parts.map((it) => it.text).join('')) && !sides) return []
  return (sides ?? [{ parts }]).map((it) => shownText(it.parts ?? [], isJson))
}

/** What crosses to the page of one visible message. Each field is named here; nothing is passed through. */
export function pageMessage(id: string, message: VisibleMessage, limit: number): PageMessage {
  const cut = cutter(limit)
  return {
    id,
    role: message.role,
    ...(message.name === undefined ? {} : { name: message.name }),
    isPreamble: message.intent === 'preamble',
    isJson: message.isJson === true,
    parts: cut(message.parts),
    ...(message.sides && { sides: pageSides(message.sides, limit) }),
    ...(message.isSourceOnly && { isSourceOnly: true }),
    isTruncated: message.truncated,
    omitted: Math.max(0, textLength(message) - limit),
  }
}

/** What crosses of the sides of merge conflicts, with no more than `limit` UTF-16 code units of text in all. */
export function pageSides(sides: readonly MessageSide[], limit: number): readonly PageStretch[] {
  const cut = cutter(limit)
  return sides.map(({ side, parts, line }) => ({
    line,
    ...(side && { side }),
    ...(parts && { parts: cut(parts) }),
  }))
}

/** Takes parts of a message, one after the other, up to `limit` UTF-16 code units of text in all. */
function cutter(limit: number): (parts: readonly VisiblePart[]) => PagePart[] {
  let room = limit
  return (parts) => {
    const taken: PagePart[] = []
    for (const { kind, text } of parts) {
      if (room <= 0) break
      taken.push({ kind, text: cutText(text, room) })
      room -= text.length
    }
    return taken
  }
}

/** The start of `text`: up to `room` UTF-16 code units, and no half of a pair. */
export function cutText(text: string, room: number): string {
  if (text.length <= room) return text
  const isPair = /[\uD800-\uDBFF]/.test(text.charAt(room - 1))
  return text.slice(0, isPair ? room - 1 : room)
}

function textLength({ parts }: { readonly parts: readonly VisiblePart[] }): number {
  let length = 0
  for (const part of parts) length += part.text.length
  return length
}
