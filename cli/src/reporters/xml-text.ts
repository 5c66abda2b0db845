/** Text in XML, for reports that build servers read. */
import { displayable } from '../terminal/displayable.ts'

/** Text between tags. XML has no way to write control characters and two others; they become visible signs. */
export function content(text: string): string {
  const safe = displayable(text).replace(/[\ufffe\uffff]/g, '\ufffd')
  return safe.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The value of an attribute. */
export function attribute(text: string): string {
  return content(text).replaceAll('"', '&quot;').replaceAll('\n', '&#10;').replaceAll('\t', '&#9;')
}
