/** `textDocument/completion` */
import { type CompletionItem, type CompletionParams, CompletionTriggerKind } from 'vscode-languageserver'
import { completions } from '../../../core/src/index.ts'
import { fromPosition } from '../from-lsp.ts'
import type { ServerContext } from '../server-context.ts'
import { toCompletionItem } from '../to-lsp.ts'

/** Characters behind which something can be proposed. */
export const completionTriggers = ['<', '|', '>', '=', ' ', '.', ':', '"']

/** Proposes what may be written at a position. */
export function handleCompletion(context: ServerContext, params: CompletionParams): CompletionItem[] {
  const document = context.document(params.textDocument)
  const trigger = triggerOf(params)
  const found = completions(
    document.analysis,
    fromPosition(document, params.position),
    trigger === undefined ? {} : { trigger },
  )
  const { hasSnippets } = context.client
  const { suggestCommand } = context.options
  return found.map((it) => toCompletionItem(document, it, { hasSnippets, suggestCommand }))
}

function triggerOf({ context }: CompletionParams): string | undefined {
  return context?.triggerKind === CompletionTriggerKind.TriggerCharacter
    ? context.triggerCharacter
    : undefined
}
