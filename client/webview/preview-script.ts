/** Where the page's script starts. */

import { setTranslations } from '../render/page-texts.ts'
import type { ToPage } from '../src/preview/preview-protocol.ts'
import { createPage, type PageHost } from './preview-page.ts'

declare function acquireVsCodeApi(): PageHost

setTranslations(JSON.parse(document.body.dataset.translations ?? '{}'))
const receive = createPage(window, acquireVsCodeApi())
// Only the editor can post into a preview's frame; it speaks the protocol it was built with.
window.addEventListener('message', (event: MessageEvent<ToPage>) => receive(event.data))
