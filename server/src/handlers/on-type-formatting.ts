/** `textDocument/onTypeFormatting` */
import type { DocumentOnTypeFormattingParams, TextEdit } from 'vscode-languageserver'
import { literalEndAt } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import type { ServerContext } from '../server-context.ts'
import { toTextEdits } from '../to-lsp.ts'

/** The character that ends a control token. */
export const onTypeTrigger = '>'

/** Closes a literal block whose beginning was just typed. */
export function handleOnTypeFormatting(
  context: ServerContext,
  params: DocumentOnTypeFormattingParams,
): TextEdit[] {
  const document = context.document(params.textDocument)
  const offset = fromPosition(document, params.position)
  const text = params.ch === onTypeTrigger ? literalEndAt(document.analysis, offset) : undefined
  return text === undefined ? [] : toTextEdits(document, [{ start: offset, end: offset, text }])
}
