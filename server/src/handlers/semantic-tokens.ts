/** `textDocument/semanticTokens/range`, and for clients without it, `textDocument/semanticTokens/full` and its differences */
import type {
  CancellationToken,
  SemanticTokens,
  SemanticTokensDelta,
  SemanticTokensDeltaParams,
  SemanticTokensParams,
  SemanticTokensRangeParams,
} from 'vscode-languageserver'
import { type Range, semanticTokens } from '../../../core/src/index.ts'
import { fromRange } from '../from-lsp.ts'
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
  return tokensIn({ document, token }, fromRange(document, params.range))
}

/** The tokens of the whole document. */
export async function handleSemanticTokens(
  context: ServerContext,
  params: SemanticTokensParams,
  token: CancellationToken,
): Promise<SemanticTokens> {
  const document = context.document(params.textDocument)
  return context.tokenDeltas.full(document, await allTokens({ document, token }))
}

/** What changed in the tokens of the whole document. */
export async function handleSemanticTokensDelta(
  context: ServerContext,
  params: SemanticTokensDeltaParams,
  token: CancellationToken,
): Promise<SemanticTokens | SemanticTokensDelta> {
  const document = context.document(params.textDocument)
  const tokens = await allTokens({ document, token })
  return context.tokenDeltas.delta(document, params.previousResultId, tokens)
}

function allTokens(job: Job): Promise<SemanticTokens> {
  return tokensIn(job, { start: 0, end: job.document.transcript.length })
}

async function tokensIn(job: Job, range: Range): Promise<SemanticTokens> {
  const { items } = await collect(semanticTokens(job.document.analysis, range), job)
  return toSemanticTokens(job.document, items, range)
}
