/** `textDocument/completion` */
import { type CompletionParams, CompletionRequest, CompletionTriggerKind } from 'vscode-languageserver'
import { completions } from '../../../core/src/internal.ts'
import { fromPosition } from '../from-lsp.ts'
import { addsNothing } from '../list-filter.ts'
import { toCompletionItem } from '../to-lsp.ts'
import { documentHandler } from './handler.ts'

/** Proposes what may be written at a position, without what is there already. */
export const completionHandler = documentHandler(CompletionRequest.type, ({ context, document, params }) => {
  const offset = fromPosition(document, params.position)
  const textFrom = (start: number) => document.transcript.text({ start, end: offset })
  const trigger = triggerOf(params)
  const found = completions(document.analysis, offset, trigger === undefined ? {} : { trigger })
  const { hasSnippets } = context.client
  const { suggestCommand } = context.options
  return found.flatMap((it) => {
    const typed = textFrom(it.range.start)
    return addsNothing(it, typed)
      ? []
      : toCompletionItem(document, it, { typed, hasSnippets, suggestCommand })
  })
})

/** The character that was typed and made the editor ask. */
function triggerOf({ context }: CompletionParams): string | undefined {
  return context?.triggerKind === CompletionTriggerKind.TriggerCharacter
    ? context.triggerCharacter
    : undefined
}
