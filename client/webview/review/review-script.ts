/** What a dataset's page loads when samples are reviewed for the first time. */
import { setTranslations } from '../../render/page-texts.ts'
import { ReviewPane } from './review-pane.ts'

setTranslations(JSON.parse(document.body.dataset.translations ?? '{}'))
document.dispatchEvent(new CustomEvent('openchatml-review', { detail: ReviewPane }))
