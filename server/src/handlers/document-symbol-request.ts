/** `textDocument/documentSymbol` */
import { type DocumentSymbol, DocumentSymbolRequest } from 'vscode-languageserver'
import { localize, type OutlineScope, outlineBlocks, outlineSizes } from '../../../core/src/internal.ts'
import type { OpenDocument } from '../open-document.ts'
import { flatSymbols, noteAtEnd, SymbolTree } from '../outline-to-lsp.ts'
import { inSlices, type Job } from '../scheduler.ts'
import { documentHandler } from './handler.ts'

const entriesAtMost = 5000 // an answer that is made, sent and read within a frame; what VS Code takes for JSON

/** The outline. */
export const documentSymbolHandler = documentHandler(DocumentSymbolRequest.type, async (request) => {
  const symbols = await symbolsOf(request)
  return request.context.client.hasSymbolTrees ? symbols : flatSymbols(request.document.uri, symbols)
})

/**
 * Where there are too many entries, whole kinds are given up, so that what is left leads to every part of the document.
 * What room is left goes to the keys of the header, and then to what is in bodies.
 */
async function symbolsOf(job: Job): Promise<DocumentSymbol[]> {
  const { analysis, transcript } = job.document
  const sizes = outlineSizes(analysis)
  const scope = scopes.find((it) => sizes[it] <= entriesAtMost) ?? 'turns'
  const blocks = outlineBlocks(analysis, scope)
  const tree = new SymbolTree(transcript)
  let entriesLeft = entriesAtMost
  let partsLeft = entriesAtMost - sizes[scope]
  let isCut = false
  await inSlices(job, () => {
    const next = blocks.next()
    if (next.done) return true
    if (entriesLeft-- === 0) {
      isCut = true
      return true
    }
    const { located, depth, item, parts } = next.value
    tree.add(located, depth, item)
    if (partsLeft <= 0) return false
    for (const part of parts()) {
      if (partsLeft-- <= 0) break
      tree.add(located, depth + 1 + part.depth, part)
    }
    return false
  })
  if (isCut || scope !== 'messages') tree.top.push(note(job.document, scope, isCut))
  return tree.top
}

const scopes: readonly OutlineScope[] = ['messages', 'visible', 'turns']

/** Says what the outline leaves out. */
function note(document: OpenDocument, scope: OutlineScope, isCut: boolean): DocumentSymbol {
  if (isCut) {
    const detail = localize`the outline shows the first ${entriesAtMost} entries`
    return noteAtEnd(document, localize`More messages`, detail)
  }
  const detail =
    scope === 'visible'
      ? localize`with this many messages, the outline shows only visible ones`
      : localize`with this many messages, the outline shows only turns`
  return noteAtEnd(document, localize`More messages`, detail)
}
