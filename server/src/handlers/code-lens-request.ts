/** `textDocument/codeLens` */
import { CodeLensRequest } from 'vscode-languageserver'
import { toolLenses } from '../../../core/src/internal.ts'
import { collect } from '../scheduler.ts'
import { toCodeLens } from '../to-lsp.ts'
import { documentHandler, onceSettled } from './handler.ts'

/** Says how often each defined tool is called. */
export const codeLensHandler = documentHandler(
  CodeLensRequest.type,
  onceSettled(async (request) => {
    const { context, document } = request
    if (!document.settings.codeLens) return []
    const { items } = await collect(toolLenses(document.analysis), request)
    return items.map((lens) => toCodeLens(document, lens, context.options.referencesCommand))
  }),
)
