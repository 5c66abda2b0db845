/** Actions that convert headers and whole transcripts: the part of `textDocument/codeAction` that is about purpose and style. */
import { type CodeAction, CodeActionKind } from 'vscode-languageserver'
import {
  conversionEdits,
  headerStyleEdit,
  localizable,
  localize,
  localized,
  type Range,
  type TextEdit,
  type TranscriptConversion,
  transcriptConversions,
} from '../../../core/src/internal.ts'
import { conversionKind } from '../capabilities.ts'
import { editsAtMost, firstEdits } from '../first-edits.ts'
import { collect, type Job } from '../scheduler.ts'
import type { DocumentRequest } from './handler.ts'
import { unresolved } from './unresolved-action.ts'

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
    // The edit may be as long as the document: it is made when the action is chosen.
    if (context.client.resolvesEdits) {
      const data = unresolved(document, { conversion: name })
      if (await mayChange(request, name)) actions.push({ title: localized(title), kind, data })
      continue
    }
    const { items: edits, isComplete } = await collect(
      conversionEdits(document.analysis, name),
      request,
      editsAtMost,
    )
    if (edits.length === 0) continue
    const shown = localized(title)
    actions.push({
      title: isComplete ? shown : localize`${shown} (the first ${editsAtMost} places)`,
      kind,
      edit: context.workspaceEdit(document, edits),
    })
  }
  return actions
}

const searchedAtMost = 20_000 // messages: reading the headers of more takes longer than a menu may

/** False if the conversion would change nothing. In a transcript of very many messages, only choosing it shows that. */
async function mayChange(request: DocumentRequest<unknown>, name: TranscriptConversion): Promise<boolean> {
  const { analysis, transcript } = request.document
  if (analysis.messageCount > searchedAtMost) return transcript.framing.name !== 'chatml'
  const { items } = await collect(conversionEdits(analysis, name), request, 1)
  return items.length > 0
}

/** The edits of a conversion of the whole transcript, or the first of them. */
export function conversionOf(
  job: Job & Pick<DocumentRequest<unknown>, 'context'>,
  name: TranscriptConversion,
): Promise<readonly TextEdit[]> {
  return firstEdits(conversionEdits(job.document.analysis, name), job)
}
