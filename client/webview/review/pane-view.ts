/** What the page of a dataset knows of the pane that shows samples: it is loaded later. */
import type { FromReviewPage, ToReviewPage } from '../../src/review/review-protocol.ts'

/** The pane. */
export interface ReviewPaneView {
  receive(message: ToReviewPage): void
  /** Gives the sample the focus. */
  focus(): void
}

/** Makes the pane in `host`. */
export type CreateReviewPane = new (
  window: Window & typeof globalThis,
  host: HTMLElement,
  post: (message: FromReviewPage) => void,
) => ReviewPaneView
