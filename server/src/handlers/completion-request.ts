/** `textDocument/completion` */
import { type CompletionParams, CompletionRequest, CompletionTriggerKind } from 'vscode-languageserver'
import { completions } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import { toCompletionItem } from '../to-lsp.ts'
import { documentHandler } from './handler.ts'

/**
 * Proposes what may be written at a position. A list for the beginning of a control token is incomplete: for an editor
 * that takes tokens for words, the `>` that ends one is a letter among others, and it would not ask what follows.
 */
export const completionHandler = documentHandler(CompletionRequest.type, ({ context, document, params }) => {
  const offset = fromPosition(document, params.position)
  const textFrom = (start: number) => document.transcript.text({ start, end: offset })
  const trigger = triggerOf(params, textFrom(Math.max(0, offset - 1)))
  const found = completions(document.analysis, offset, trigger === undefined ? {} : { trigger })
  const { hasSnippets } = context.client
  const { suggestCommand } = context.options
  const items = found.map((it) => toCompletionItem(document, it, { hasSnippets, suggestCommand }))
  const [first] = found
  const isToken = first !== undefined && textFrom(first.range.start).startsWith('<')
  return isToken ? { isIncomplete: true, items } : items
})

/** The character that was typed and made the editor ask, of its own accord or because the last list was incomplete. */
function triggerOf({ context }: CompletionParams, typed: string): string | undefined {
  switch (context?.triggerKind) {
    case CompletionTriggerKind.TriggerCharacter:
      return context.triggerCharacter
    case CompletionTriggerKind.TriggerForIncompleteCompletions:
      return typed
    default:
      return undefined
  }
}
