/** A page that shows what users see of a transcript. */

import { PageChannel } from '../../client/src/preview/page-channel.ts'
import { visibleView } from '../../client/src/preview/page-view.ts'
import { PreviewSession } from '../../client/src/preview/preview-session.ts'
import { parseVisible } from '../../client/src/preview/visible-source.ts'
import type { FoundTexts, ParseOptions, SampleMetadata } from '../../core/src/internal.ts'
import type { TestPage } from './dom.ts'

/** Opens `text` in `page`, which has said nothing yet; that of a sample with what it says besides. */
export function openVisible(
  page: Pick<TestPage, 'send'>,
  text: string,
  metadata?: () => SampleMetadata | undefined,
  found?: () => FoundTexts | undefined,
  options?: ParseOptions,
) {
  const channel = new PageChannel(visibleView, page.send, () => {})
  const session = new PreviewSession(
    text,
    (it) => parseVisible(it, options),
    () => () => {},
  )
  channel.open({ uri: 'file:///a.ocm', session, ...(metadata && { metadata }), ...(found && { found }) })
  return channel
}
