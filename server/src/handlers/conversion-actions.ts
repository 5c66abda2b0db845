/** Actions that convert headers and whole transcripts: the part of `textDocument/codeAction` that is about purpose and style. */
import { type CodeAction, CodeActionKind } from 'vscode-languageserver'
import {
  conversionEdits,
  headerStyleEdit,
  localizable,
  localized,
  type Range,
  transcriptConversions,
} from '../../../core/src/internal.ts'
import { conversionKind } from '../capabilities.ts'
import { collect } from '../scheduler.ts'
import type { DocumentRequest } from './handler.ts'

const styles = [
  ['canonical-headers', localizable`Write this header in the canonical form`],
  ['harmony-headers', localizable`Write this header as Harmony models do`],
] as const

/** The two ways to write the header of the message at the start of `range`. */
export function headerStyleActions(
  { context, document }: DocumentRequest<unknown>,
  range: Range,
): readonly CodeAction[] {
  return styles.flatMap(([name, title]) => {
    const edit = headerStyleEdit(document.analysis, range.start, name)
    // The body is no place to look for a change of the header.
    if (!edit || range.start > edit.end) return []
    return [
      {
        title: localized(title),
        kind: CodeActionKind.RefactorRewrite,
        edit: context.workspaceEdit(document, [edit]),
      },
    ]
  })
}

/** The conversions of kinds that `isWanted`, without those that would change nothing. */
export async function conversionActions(
  request: DocumentRequest<unknown>,
  isWanted: (kind: string) => boolean,
): Promise<readonly CodeAction[]> {
  const { context, document } = request
  const actions: CodeAction[] = []
  for (const { name, title } of transcriptConversions) {
    const kind = `${conversionKind}.${name}`
    if (!isWanted(kind)) continue
    const { items } = await collect(conversionEdits(document.analysis, name), request)
    if (items.length > 0)
      actions.push({ title: localized(title), kind, edit: context.workspaceEdit(document, items) })
  }
  return actions
}
