/** `textDocument/onTypeFormatting` */
import { DocumentOnTypeFormattingRequest } from 'vscode-languageserver'
import { literalEndAt } from '../../../core/src/internal.ts'
import { onTypeTrigger } from '../capabilities.ts'
import { fromPosition } from '../from-lsp.ts'
import { toTextEdits } from '../to-lsp.ts'
import { documentHandler } from './handler.ts'

/** Closes a literal block whose beginning was just typed. */
export const onTypeFormattingHandler = documentHandler(
  DocumentOnTypeFormattingRequest.type,
  ({ document, params }) => {
    const offset = fromPosition(document, params.position)
    const text = params.ch === onTypeTrigger ? literalEndAt(document.analysis, offset) : undefined
    return text === undefined ? [] : toTextEdits(document, [{ start: offset, end: offset, text }])
  },
)
