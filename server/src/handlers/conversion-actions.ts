/** Actions that convert headers and whole transcripts: the part of `textDocument/codeAction` that is about purpose and style. */
import { type CancellationToken, type CodeAction, CodeActionKind } from 'vscode-languageserver'
import {
  conversionEdits,
  headerStyleEdit,
  localizable,
  localized,
  type Range,
  type TextEdit,
  transcriptConversions,
} from '../../../core/src/internal.ts'
import type { OpenDocument } from '../open-document.ts'
import { collect } from '../scheduler.ts'
import type { ServerContext } from '../server-context.ts'
import { toWorkspaceEdit } from '../to-lsp.ts'

/** The kind of the actions that convert the whole transcript; a dot and the name of the conversion follow. */
export const conversionKind = 'source.convert.openchatml'

const styles = [
  ['canonical-headers', localizable`Write this header in the canonical form`],
  ['harmony-headers', localizable`Write this header as Harmony models do`],
] as const

/** The two ways to write the header of the message at the start of `range`. */
export function headerStyleActions(
  context: ServerContext,
  document: OpenDocument,
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
        edit: editOf(context, document, [edit]),
      },
    ]
  })
}

/** The conversions of kinds that `isWanted`, without those that would change nothing. */
export async function conversionActions(
  context: ServerContext,
  document: OpenDocument,
  { isWanted, token }: { readonly isWanted: (kind: string) => boolean; readonly token: CancellationToken },
): Promise<readonly CodeAction[]> {
  const actions: CodeAction[] = []
  for (const { name, title } of transcriptConversions) {
    const kind = `${conversionKind}.${name}`
    if (!isWanted(kind)) continue
    const { items } = await collect(conversionEdits(document.analysis, name), { document, token })
    if (items.length > 0)
      actions.push({ title: localized(title), kind, edit: editOf(context, document, items) })
  }
  return actions
}

function editOf(context: ServerContext, document: OpenDocument, edits: readonly TextEdit[]) {
  return toWorkspaceEdit(document, edits, { hasVersions: context.client.hasVersionedEdits })
}
