/** `textDocument/prepareCallHierarchy`, `callHierarchy/incomingCalls` and `callHierarchy/outgoingCalls` */
import type {
  CallHierarchyIncomingCall,
  CallHierarchyIncomingCallsParams,
  CallHierarchyItem,
  CallHierarchyOutgoingCall,
  CallHierarchyOutgoingCallsParams,
  CallHierarchyPrepareParams,
} from 'vscode-languageserver'
import { hierarchyItemAt, incomingCalls, outgoingCalls } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import type { OpenDocument } from '../open-document.ts'
import type { ServerContext } from '../server-context.ts'
import { toHierarchyItem, toRange } from '../to-lsp.ts'

/** The tool or turn at a position. */
export function handlePrepareCallHierarchy(
  context: ServerContext,
  params: CallHierarchyPrepareParams,
): CallHierarchyItem[] | null {
  const document = context.document(params.textDocument)
  const item = hierarchyItemAt(document.analysis, fromPosition(document, params.position))
  return item ? [toHierarchyItem(document, item)] : null
}

/** The turns that call a tool. */
export function handleIncomingCalls(
  context: ServerContext,
  { item }: CallHierarchyIncomingCallsParams,
): CallHierarchyIncomingCall[] {
  const document = context.document(item)
  const found = itemOf(document, item)
  return (found ? incomingCalls(document.analysis, found) : []).map(({ item: from, calls }) => ({
    from: toHierarchyItem(document, from),
    fromRanges: calls.map((it) => toRange(document, it)),
  }))
}

/** The tools that a turn calls. */
export function handleOutgoingCalls(
  context: ServerContext,
  { item }: CallHierarchyOutgoingCallsParams,
): CallHierarchyOutgoingCall[] {
  const document = context.document(item)
  const found = itemOf(document, item)
  return (found ? outgoingCalls(document.analysis, found) : []).map(({ item: to, calls }) => ({
    to: toHierarchyItem(document, to),
    fromRanges: calls.map((it) => toRange(document, it)),
  }))
}

/** The document may have changed since the item was made: what stands at its place now counts. */
function itemOf(document: OpenDocument, { selectionRange }: CallHierarchyItem) {
  return hierarchyItemAt(document.analysis, fromPosition(document, selectionRange.start))
}
