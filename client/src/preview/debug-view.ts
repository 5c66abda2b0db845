/** The debug view: hidden messages cross too, under kinds of their own. Nothing but a reader's command makes a channel with it. */
import type { AnyMessage } from './debug-source.ts'
import { cutText, type PageView, pageMessage, visibleView } from './page-view.ts'
import type { DebugMessage } from './preview-protocol.ts'

/** Everything, labelled. */
export const debugView: PageView<AnyMessage, DebugMessage> = {
  showsHidden: true,
  shown: debugMessage,
  textLength: (it) => (it.kind === 'hidden' ? it.text.length : visibleView.textLength(it.message)),
  open: (settings) => ({ kind: 'debugOpen', ...settings }),
  update: (update) => ({ kind: 'debugUpdate', ...update }),
}

function debugMessage(id: string, any: AnyMessage, limit: number): DebugMessage {
  if (any.kind === 'hidden') {
    const text = cutText(any.text, limit)
    return { ...any, id, text, omitted: any.text.length - text.length }
  }
  const { message, ...rest } = any
  return {
    ...rest,
    id,
    message: pageMessage(id, message, limit),
    privateText: cutText(any.privateText, limit),
  }
}
