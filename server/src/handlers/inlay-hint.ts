/** `textDocument/inlayHint` */
import type { CancellationToken, InlayHint, InlayHintParams } from 'vscode-languageserver'
import { channelHints, inlayHints } from '../../../core/src/index.ts'
import { fromRange } from '../from-lsp.ts'
import { collect } from '../scheduler.ts'
import type { ServerContext } from '../server-context.ts'
import { toChannelHint, toInlayHint } from '../to-lsp.ts'

/** Says behind each call where it is answered, and names channels that are not written; both as the settings say. */
export async function handleInlayHint(
  context: ServerContext,
  params: InlayHintParams,
  token: CancellationToken,
): Promise<InlayHint[]> {
  const document = context.document(params.textDocument)
  const range = fromRange(document, params.range)
  const { calls, channels } = document.settings.inlayHints
  const ofCalls = calls ? await collect(inlayHints(document.analysis, range), { document, token }) : undefined
  const ofChannels = channels
    ? await collect(channelHints(document.analysis, range), { document, token })
    : undefined
  return [
    ...(ofCalls?.items ?? []).map((hint) => toInlayHint(document, hint)),
    ...(ofChannels?.items ?? []).map((hint) => toChannelHint(document, hint)),
  ]
}
