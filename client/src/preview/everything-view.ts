/** *Everything*: hidden messages cross too, under kinds of their own. Only a reader's choice makes a channel with it. */
import { type CardBlock, callBlocks, replyCard } from '../../../core/src/internal.ts'
import type { EverythingEntry, HiddenMessage, ToolExchange } from './everything-source.ts'
import { cutText, type PageView, pageMessage, pageSides, textsOfMessage, visibleView } from './page-view.ts'
import type {
  EverythingMessage,
  EverythingToolMessage,
  EverythingToolSide,
  PageStretch,
} from './preview-protocol.ts'

/** Everything, as cards. */
export const everythingView: PageView<EverythingEntry, EverythingMessage> = {
  showsHidden: true,
  textsOf(message, mayMatch) {
    switch (message.kind) {
      case 'hidden':
        return textsOfSides(message.sides) ?? [message.text]
      case 'visible': {
        const texts = textsOfMessage(message.message, mayMatch)
        return message.privateText === '' ? texts : [...texts, message.privateText]
      }
      case 'tool':
        return [message.call, message.reply].flatMap(
          (side) => textsOfSides(side?.sides) ?? side?.blocks.map((it) => it.text) ?? [],
        )
      default:
        return message satisfies never
    }
  },
  shown: everythingMessage,
  textLength: ({ shown }) => {
    if (shown.kind === 'visible') return visibleView.textLength(shown.message)
    if (shown.kind === 'hidden') return shown.text.length
    // The text crosses twice: as it reads, and as it is written.
    return 2 * ((shown.call?.text.length ?? 0) + (shown.reply?.text.length ?? 0))
  },
  open: (settings) => ({ kind: 'everythingOpen', ...settings }),
  update: (update) => ({ kind: 'everythingUpdate', ...update }),
  summary: (counts) => ('tools' in counts ? { kind: 'everythingCounts', counts } : undefined),
}

function everythingMessage(
  id: string,
  { shown, problems, side: conflictSide, flags }: EverythingEntry,
  limit: number,
): EverythingMessage {
  const noted = {
    problems,
    ...(conflictSide && { side: conflictSide }),
    ...(flags.length > 0 && { flags }),
  }
  switch (shown.kind) {
    case 'hidden': {
      const text = cutText(shown.text, limit)
      const { sides, ...rest } = shown
      const omitted = shown.text.length - text.length
      return { ...rest, id, text, ...(sides && { sides: pageSides(sides, limit) }), ...noted, omitted }
    }
    case 'visible': {
      const { kind, message, privateText } = shown
      const seen = pageMessage(id, message, limit)
      return { kind, id, message: seen, privateText: cutText(privateText, limit), ...noted }
    }
    case 'tool':
      return { ...toolMessage(id, shown, limit / 4), ...noted }
    default:
      return shown satisfies never
  }
}

/** As of visible messages: what both sides have, and each side. */
function textsOfSides(sides: readonly PageStretch[] | undefined): readonly string[] | undefined {
  return sides?.map(({ parts = [] }) => parts.map((it) => it.text).join(''))
}

function toolMessage(
  id: string,
  { tool, call, reply }: ToolExchange,
  limit: number,
): Omit<EverythingToolMessage, 'problems'> {
  const card = reply && replyCard(reply.text)
  return {
    kind: 'tool',
    id,
    tool,
    call: call && side(call, callBlocks(call.text), limit),
    reply: reply && card && side(reply, card.blocks, limit),
    isFailed: card?.isFailed === true,
    ...(card?.duration !== undefined && { duration: card.duration }),
  }
}

function side(
  { labels, text, sides, why }: HiddenMessage,
  blocks: readonly CardBlock[],
  limit: number,
): EverythingToolSide {
  const raw = cutText(text, limit)
  if (sides) {
    const omitted = text.length - raw.length
    return { labels, blocks: [], sides: pageSides(sides, limit), raw, why, omitted }
  }
  const cut: CardBlock[] = []
  let room = limit
  let omitted = 0
  for (const block of blocks) {
    const kept = cutText(block.text, Math.max(0, room))
    if (room > 0) cut.push({ ...block, text: kept })
    omitted += block.text.length - kept.length
    room -= kept.length
  }
  return { labels, blocks: cut, raw, why, omitted }
}
