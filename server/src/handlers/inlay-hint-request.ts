/** `textDocument/inlayHint` */
import { type InlayHint, type InlayHintParams, InlayHintRequest } from 'vscode-languageserver'
import { channelHints, inlayHints, messageEnds, type Range } from '../../../core/src/internal.ts'
import { fromRange } from '../from-lsp.ts'
import { collect } from '../scheduler.ts'
import { toChannelHint, toInlayHint, toTokenHint } from '../to-lsp.ts'
import { type DocumentRequest, documentHandler, onceSettled } from './handler.ts'

/** Says after each call where it is answered, names channels that are not written, and counts tokens; as the settings say. */
export const inlayHintHandler = documentHandler(
  InlayHintRequest.type,
  onceSettled(async (request: DocumentRequest<InlayHintParams>) => {
    const { document, params } = request
    const range = fromRange(document, params.range)
    const { calls, channels, tokens } = document.settings.inlayHints
    const ofCalls = calls
      ? await collect(inlayHints(document.analysis, range), request, hintsAtMost)
      : undefined
    const ofChannels = channels
      ? await collect(channelHints(document.analysis, range), request, hintsAtMost)
      : undefined
    return [
      ...(ofCalls?.items ?? []).map((hint) => toInlayHint(document, hint)),
      ...(ofChannels?.items ?? []).map((hint) => toChannelHint(document, hint)),
      ...(tokens ? await tokenHints(request, range) : []),
    ]
  }),
)

const hintsAtMost = 20_000 // of each kind in one answer; an editor asks for those on the screen

/** Waits for the counts: editors keep what they show until the answer comes, so nothing flickers. */
async function tokenHints(
  request: DocumentRequest<InlayHintParams>,
  range: Range,
): Promise<readonly InlayHint[]> {
  const { context, document } = request
  const { items } = await collect(messageEnds(document.analysis, range), request, hintsAtMost)
  const segments = items.map(({ segment }) => segment)
  if (!(await context.tokenCounts.countVisible(request, segments))) return []
  return items.flatMap(({ segment, offset }) => {
    const count = context.tokenCounts.known(document, segment)
    return count && count.all > 0 ? [toTokenHint(document, offset, count)] : []
  })
}
