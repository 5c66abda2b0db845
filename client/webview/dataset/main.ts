/** Where the script of a dataset's page starts. */
import { setTranslations } from '../../render/localize.ts'
import type { ToDatasetPage } from '../../src/datasets/protocol.ts'
import { createDatasetPage, type DatasetHost } from './page.ts'

declare function acquireVsCodeApi(): DatasetHost

setTranslations(JSON.parse(document.body.dataset.translations ?? '{}'))
const receive = createDatasetPage(window, acquireVsCodeApi())
// Only the editor can post into its frame; it speaks the protocol it was built with.
window.addEventListener('message', (event: MessageEvent<ToDatasetPage>) => receive(event.data))
