/** `textDocument/linkedEditingRange` */
import { LinkedEditingRangeRequest } from 'vscode-languageserver'
import { linkedRanges } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import { toRange } from '../to-lsp.ts'
import { documentHandler } from './handler.ts'

/** The places of a call id, which change together. */
export const linkedEditingRangeHandler = documentHandler(
  LinkedEditingRangeRequest.type,
  ({ document, params }) => {
    const ranges = linkedRanges(document.analysis, fromPosition(document, params.position))
    if (ranges.length === 0) return null
    return { ranges: ranges.map((range) => toRange(document, range)), wordPattern: '[^\\s<>=|]+' }
  },
)
