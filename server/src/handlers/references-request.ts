/** `textDocument/references` */
import { ReferencesRequest } from 'vscode-languageserver'
import { references, referencesAtMost } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import { toLocation } from '../to-lsp.ts'
import { documentHandler } from './handler.ts'
import { inputBeside, rangesOf } from './inputs-beside.ts'

/** The places of a call id, tool, or input; where very many messages have it, those in the nearest ones. */
export const referencesHandler = documentHandler(
  ReferencesRequest.type,
  async (request) => {
    const { context, document, params } = request
    const { includeDeclaration } = params.context
    const offset = fromPosition(document, params.position)
    const beside = await inputBeside(request, offset)
    const ranges = references(document.analysis, offset, { includeDeclaration })
    if (ranges.length >= referencesAtMost)
      context.log(`References: only those in the nearest ${referencesAtMost} messages are sent`)
    return [
      ...ranges.map((it) => toLocation(document, it)),
      ...(beside?.uses ?? []).flatMap((uses) =>
        rangesOf(uses).map((range) => ({ uri: uses.file.uri, range })),
      ),
    ]
  },
  'context',
)
