/** Where the script of a dataset's page starts. */
import { setTranslations } from '../../render/page-texts.ts'
import type { ToDatasetPage } from '../../src/datasets/dataset-protocol.ts'
import type { ToReviewPage } from '../../src/review/review-protocol.ts'
import { createDatasetPage, type DatasetHost } from './dataset-page.ts'

declare function acquireVsCodeApi(): DatasetHost

setTranslations(JSON.parse(document.body.dataset.translations ?? '{}'))
const receive = createDatasetPage(window, acquireVsCodeApi())
// Only the editor can post into its frame; it speaks the protocol it was built with.
window.addEventListener('message', (event: MessageEvent<ToDatasetPage | ToReviewPage>) => receive(event.data))
