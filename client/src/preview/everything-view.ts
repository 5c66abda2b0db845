/** *Everything*: hidden messages cross too, under kinds of their own. Nothing but a reader's command makes a channel with it. */
import type { AnyMessage } from './everything-source.ts'
import { cutText, type PageView, pageMessage, visibleView } from './page-view.ts'
import type { EverythingMessage } from './preview-protocol.ts'

/** Everything, labelled. */
export const everythingView: PageView<AnyMessage, EverythingMessage> = {
  showsHidden: true,
  shown: everythingMessage,
  textLength: (it) => (it.kind === 'hidden' ? it.text.length : visibleView.textLength(it.message)),
  open: (settings) => ({ kind: 'everythingOpen', ...settings }),
  update: (update) => ({ kind: 'everythingUpdate', ...update }),
}

function everythingMessage(id: string, any: AnyMessage, limit: number): EverythingMessage {
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
