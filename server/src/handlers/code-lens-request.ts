/** `textDocument/codeLens` */
import { CodeLensRequest } from 'vscode-languageserver'
import { casesInHeader, toolLenses } from '../../../core/src/internal.ts'
import { collect } from '../scheduler.ts'
import { toCaseLens, toCodeLens } from '../to-lsp.ts'
import { documentHandler, onceSettled } from './handler.ts'

/** Says how often each defined tool is called, and shows the prompt filled with each case of the header. */
export const codeLensHandler = documentHandler(
  CodeLensRequest.type,
  onceSettled(async (request) => {
    const { context, document } = request
    if (!document.settings.codeLens) return []
    const { referencesCommand, filledPromptCommand } = context.options
    const cases = filledPromptCommand === undefined ? [] : casesInHeader(document.analysis)
    const { items } = await collect(toolLenses(document.analysis), request)
    return [
      ...cases.map((it) => toCaseLens(document, it, filledPromptCommand ?? '')),
      ...items.map((lens) => toCodeLens(document, lens, referencesCommand)),
    ]
  }),
)
