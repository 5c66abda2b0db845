/** `textDocument/semanticTokens/range`, and for clients without it, `textDocument/semanticTokens/full` and its differences */
import {
  type SemanticTokens,
  SemanticTokensDeltaRequest,
  SemanticTokensRangeRequest,
  SemanticTokensRequest,
} from 'vscode-languageserver'
import { type Range, semanticTokens } from '../../../core/src/internal.ts'
import { fromRange } from '../from-lsp.ts'
import type { OpenDocument } from '../open-document.ts'
import { collect, type Job } from '../scheduler.ts'
import { toSemanticTokens } from '../to-lsp.ts'
import { type DocumentRequest, documentHandler } from './handler.ts'

/** The tokens of what the editor shows. */
export const semanticTokensRangeHandler = documentHandler(
  SemanticTokensRangeRequest.type,
  async (request) => {
    const { document, params } = request
    return (await tokensIn(request, fromRange(document, params.range))).tokens
  },
)

/** The tokens of the whole document. */
export const semanticTokensHandler = documentHandler(SemanticTokensRequest.type, async (request) =>
  request.context.tokenDeltas.full(request.document, await allTokens(request)),
)

/** What changed in the tokens of the whole document. */
export const semanticTokensDeltaHandler = documentHandler(
  SemanticTokensDeltaRequest.type,
  async (request) => {
    const { context, document, params } = request
    return context.tokenDeltas.delta(document, params.previousResultId, await allTokens(request))
  },
  'previousResultId',
)

const tokensAtMost = 100_000 // of one answer; an editor that asks for those on the screen gets all of these

async function allTokens(request: DocumentRequest<unknown>): Promise<SemanticTokens> {
  const { context, document } = request
  const { tokens, isComplete } = await tokensIn(request, { start: 0, end: document.transcript.length })
  if (!isComplete && !cutDocuments.has(document)) {
    cutDocuments.add(document)
    context.log(`Semantic tokens: only the first ${tokensAtMost} of a large document are sent`)
  }
  return tokens
}

/** Documents that were too large for one answer, which is logged once. */
const cutDocuments = new WeakSet<OpenDocument>()

async function tokensIn(job: Job, range: Range) {
  const { items, isComplete } = await collect(semanticTokens(job.document.analysis, range), job, tokensAtMost)
  const cut = toSemanticTokens(job.document, items, { clip: range, limit: tokensAtMost })
  return { tokens: cut.tokens, isComplete: isComplete && cut.isComplete }
}
