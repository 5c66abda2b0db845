/** Shows a range in a test's expectation: the text with `«` and `»` around it. */

import type { Range } from '../../../core/src/text/range.ts'

/** `text` with `«…»` around `range`. */
export function underline(text: string, { start, end }: Range): string {
  return `${text.slice(0, start)}«${text.slice(start, end)}»${text.slice(end)}`
}
