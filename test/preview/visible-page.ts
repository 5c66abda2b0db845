/** A page that shows what users see of a transcript. */
import { PageChannel } from '../../client/src/preview/page-channel.ts'
import { visibleView } from '../../client/src/preview/page-view.ts'
import { PreviewSession } from '../../client/src/preview/session.ts'
import { parseVisible } from '../../client/src/preview/visible-source.ts'
import type { TestPage } from './dom.ts'

/** Opens `text` in `page`, which has said nothing yet. */
export function openVisible(page: TestPage, text: string) {
  const channel = new PageChannel(visibleView, page.send, () => {})
  const session = new PreviewSession(
    text,
    (it) => parseVisible(it),
    () => () => {},
  )
  channel.open({ uri: 'file:///a.ocm', session })
  return channel
}
