/** `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `callHierarchy/outgoingCalls` */
import {
  CallHierarchyIncomingCallsRequest,
  type CallHierarchyItem,
  CallHierarchyOutgoingCallsRequest,
  CallHierarchyPrepareRequest,
} from 'vscode-languageserver'
import {
  type Analysis,
  type HierarchyCall,
  hierarchyItemAt,
  incomingCalls,
  outgoingCalls,
  type CallHierarchyItem as ToolOrTurn,
} from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import type { ServerContext } from '../server-context.ts'
import { toHierarchyItem, toRange } from '../to-lsp.ts'
import { documentHandler, handler } from './handler.ts'

/** The tool or turn at a position. */
export const prepareCallHierarchyHandler = documentHandler(
  CallHierarchyPrepareRequest.type,
  ({ document, params }) => {
    const item = hierarchyItemAt(document.analysis, fromPosition(document, params.position))
    return item ? [toHierarchyItem(document, item)] : null
  },
)

/** The turns that call a tool. */
export const incomingCallsHandler = handler(
  CallHierarchyIncomingCallsRequest.type,
  ({ context, params }) =>
    callsOf(context, params.item, incomingCalls).map(({ item, fromRanges }) => ({ from: item, fromRanges })),
  'item',
)

/** The tools that a turn calls. */
export const outgoingCallsHandler = handler(
  CallHierarchyOutgoingCallsRequest.type,
  ({ context, params }) =>
    callsOf(context, params.item, outgoingCalls).map(({ item, fromRanges }) => ({ to: item, fromRanges })),
  'item',
)

/** The document may have changed since the item was made: what is at its place now counts. */
function callsOf(
  context: ServerContext,
  item: CallHierarchyItem,
  calls: (analysis: Analysis, item: ToolOrTurn) => readonly HierarchyCall[],
) {
  const document = context.document(item)
  const found = hierarchyItemAt(document.analysis, fromPosition(document, item.selectionRange.start))
  return (found ? calls(document.analysis, found) : []).map((it) => ({
    item: toHierarchyItem(document, it.item),
    fromRanges: it.calls.map((call) => toRange(document, call)),
  }))
}
