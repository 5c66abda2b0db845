/** `textDocument/semanticTokens/range`, and for clients without it, `textDocument/semanticTokens/full` and its differences */
import type {
  CancellationToken,
  SemanticTokens,
  SemanticTokensDelta,
  SemanticTokensDeltaParams,
  SemanticTokensParams,
  SemanticTokensRangeParams,
} from 'vscode-languageserver'
import { type Range, semanticTokens } from '../../../core/src/internal.ts'
import { fromRange } from '../from-lsp.ts'
import type { OpenDocument } from '../open-document.ts'
import { collect, type Job } from '../scheduler.ts'
import type { ServerContext } from '../server-context.ts'
import { toSemanticTokens } from '../to-lsp.ts'

/** The tokens of what the editor shows. */
export async function handleSemanticTokensRange(
  context: ServerContext,
  params: SemanticTokensRangeParams,
  token: CancellationToken,
): Promise<SemanticTokens> {
  const document = context.document(params.textDocument)
  return (await tokensIn({ document, token }, fromRange(document, params.range))).tokens
}

/** The tokens of the whole document. */
export async function handleSemanticTokens(
  context: ServerContext,
  params: SemanticTokensParams,
  token: CancellationToken,
): Promise<SemanticTokens> {
  const document = context.document(params.textDocument)
  return context.tokenDeltas.full(document, await allTokens(context, { document, token }))
}

/** What changed in the tokens of the whole document. */
export async function handleSemanticTokensDelta(
  context: ServerContext,
  params: SemanticTokensDeltaParams,
  token: CancellationToken,
): Promise<SemanticTokens | SemanticTokensDelta> {
  const document = context.document(params.textDocument)
  const tokens = await allTokens(context, { document, token })
  return context.tokenDeltas.delta(document, params.previousResultId, tokens)
}

const tokensAtMost = 100_000 // of one answer; an editor that asks for those on the screen gets all of these

async function allTokens(context: ServerContext, job: Job): Promise<SemanticTokens> {
  const { tokens, isComplete } = await tokensIn(job, { start: 0, end: job.document.transcript.length })
  if (!isComplete && !cutDocuments.has(job.document)) {
    cutDocuments.add(job.document)
    context.log(`Semantic tokens: only the first ${tokensAtMost} of a large document are sent`)
  }
  return tokens
}

/** Documents that were too large for one answer, which is logged once. */
const cutDocuments = new WeakSet<OpenDocument>()

async function tokensIn(job: Job, range: Range) {
  const { items, isComplete } = await collect(semanticTokens(job.document.analysis, range), job, tokensAtMost)
  return { tokens: toSemanticTokens(job.document, items, range), isComplete }
}
