/** `textDocument/linkedEditingRange` */
import type { LinkedEditingRangeParams, LinkedEditingRanges } from 'vscode-languageserver'
import { linkedRanges } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import type { ServerContext } from '../server-context.ts'
import { toRange } from '../to-lsp.ts'

/** The places of a call id, which change together. */
export function handleLinkedEditingRange(
  context: ServerContext,
  params: LinkedEditingRangeParams,
): LinkedEditingRanges | null {
  const document = context.document(params.textDocument)
  const ranges = linkedRanges(document.analysis, fromPosition(document, params.position))
  if (ranges.length === 0) return null
  return { ranges: ranges.map((range) => toRange(document, range)), wordPattern: '[^\\s<>=|]+' }
}
