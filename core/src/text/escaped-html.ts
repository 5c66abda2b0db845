/** Text in HTML. */
import { withEach } from './long-text.ts'

/** `text` as HTML that says the same, between tags and in attributes. */
export function escapedHtml(text: string): string {
  return withEach(text, [
    ['&', '&amp;'],
    ['<', '&lt;'],
    ['>', '&gt;'],
    ['"', '&quot;'],
  ])
}
