/** `textDocument/inlayHint` */
import type { CancellationToken, InlayHint, InlayHintParams } from 'vscode-languageserver'
import { channelHints, inlayHints, messageEnds, type Range } from '../../../core/src/internal.ts'
import { fromRange } from '../from-lsp.ts'
import { collect, type Job } from '../scheduler.ts'
import type { ServerContext } from '../server-context.ts'
import { toChannelHint, toInlayHint, toTokenHint } from '../to-lsp.ts'

/** Says behind each call where it is answered, names channels that are not written, and counts tokens; as the settings say. */
export async function handleInlayHint(
  context: ServerContext,
  params: InlayHintParams,
  token: CancellationToken,
): Promise<InlayHint[]> {
  const document = context.document(params.textDocument)
  const job = { document, token }
  const range = fromRange(document, params.range)
  const { calls, channels, tokens } = document.settings.inlayHints
  const ofCalls = calls ? await collect(inlayHints(document.analysis, range), job) : undefined
  const ofChannels = channels ? await collect(channelHints(document.analysis, range), job) : undefined
  return [
    ...(ofCalls?.items ?? []).map((hint) => toInlayHint(document, hint)),
    ...(ofChannels?.items ?? []).map((hint) => toChannelHint(document, hint)),
    ...(tokens ? await tokenHints(context, job, range) : []),
  ]
}

/** Waits for the counts: editors keep what they show until the answer comes, so nothing flickers. */
async function tokenHints({ tokenCounts }: ServerContext, job: Job, range: Range): Promise<InlayHint[]> {
  const { document } = job
  const { items } = await collect(messageEnds(document.analysis, range), job)
  const segments = items.map(({ segment }) => segment)
  if (!(await tokenCounts.countVisible(job, segments))) return []
  return items.flatMap(({ segment, offset }) => {
    const count = tokenCounts.known(document, segment)
    return count && count.all > 0 ? [toTokenHint(document, offset, count)] : []
  })
}
