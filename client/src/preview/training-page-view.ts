/** The training view: what a model is trained on crosses, hidden text too, under kinds of its own. Only a reader's command begins it. */
import { cutText, type PageView } from './page-view.ts'
import type { TrainingMessage } from './preview-protocol.ts'
import type { TrainingEntry } from './training-source.ts'

/** The text of the chat template with its tokens. */
export const trainingPageView: PageView<TrainingEntry, TrainingMessage> = {
  showsHidden: true,
  textsOf: ({ text }) => [text],
  shown(id, { role, flags, text, tokens, limit }, room) {
    const shown = cutText(text, room)
    const omitted = text.length - shown.length
    const kept = omitted === 0 ? tokens : firstTokens(tokens, shown.length)
    return { id, role, flags, text: shown, omitted, tokens: kept, ...(limit !== undefined && { limit }) }
  },
  textLength: ({ text }) => text.length,
  open: (settings) => ({ kind: 'trainingOpen', ...settings }),
  update: (update) => ({ kind: 'trainingUpdate', ...update }),
  summary: (totals) => ('trained' in totals ? { kind: 'trainingTotals', totals } : undefined),
}

/** The tokens of the first `length` UTF-16 code units. */
function firstTokens(
  { first, ids, starts, ends, flags, parts }: TrainingMessage['tokens'],
  length: number,
): TrainingMessage['tokens'] {
  const found = starts.findIndex((it) => it >= length)
  const count = found === -1 ? starts.length : found
  return {
    first,
    ids: ids.slice(0, count),
    starts: starts.slice(0, count),
    ends: ends.slice(0, count).map((it) => Math.min(it, length)),
    flags: flags.slice(0, count),
    parts: parts.filter(([index]) => index < count),
  }
}
