/** Text in XML, for reports that build servers read. */
import { withEach } from '../../../core/src/internal.ts'
import { displayable } from '../terminal/displayable.ts'

/** Text between tags. XML has no way to write control characters and two others; they become visible signs. */
export function content(text: string): string {
  const safe = displayable(text).replace(/[\ufffe\uffff]/g, '\ufffd')
  return withEach(safe, [
    ['&', '&amp;'],
    ['<', '&lt;'],
    ['>', '&gt;'],
  ])
}

/** The value of an attribute. */
export function attribute(text: string): string {
  return withEach(content(text), [
    ['"', '&quot;'],
    ['\n', '&#10;'],
    ['\t', '&#9;'],
  ])
}
