/** The page of a dataset before it has any content. Its policy allows its own script and style, and nothing else. */
import { localize } from '../../../core/src/internal.ts'
import { type PageParts, pageHtml, pagePolicy } from '../preview/html.ts'

/** The whole document. It contains no text of a dataset. */
export function datasetHtml(parts: PageParts): string {
  return pageHtml(parts, { title: localize`Dataset`, policy: pagePolicy(parts.nonce) })
}
