/** Actions that insert or convert the header: the part of `textDocument/codeAction` that is asked for there. */
import { type CodeAction, CodeActionKind } from 'vscode-languageserver'
import {
  type HeaderForm,
  hasHeader,
  headerEdits,
  headerForms,
  localizable,
  localized,
  type Range,
} from '../../../core/src/internal.ts'
import type { DocumentRequest } from './handler.ts'

/** The kind of these actions. */
export const headerActionKind = `${CodeActionKind.RefactorRewrite}.header`

const longest = 4_000_000 // code units: to know whether a form changes anything, the text must be read again

const insertions: Partial<Readonly<Record<HeaderForm, string>>> = {
  version: localizable`Insert a header with version 2.2`,
  capabilities: localizable`Insert a header with version 2.2 and its capabilities`,
  harmony: localizable`Insert a header with version 2.2 and the Harmony profile`,
}

const conversions: Readonly<Record<HeaderForm, string>> = {
  version: localizable`Declare version 2.2 in the header`,
  capabilities: localizable`Complete the header with the capabilities of version 2.2`,
  harmony: localizable`Complete the header with the Harmony profile`,
  fenced: localizable`Put the header between fences`,
  plain: localizable`Remove the fences of the header`,
}

/** What can be done with the header, if `range` begins in it or where it would be. */
export function headerActions(
  { context, document }: DocumentRequest<unknown>,
  range: Range,
): readonly CodeAction[] {
  const { analysis, transcript } = document
  const isInHeader = analysis.preamble.kind === 'preamble' && range.start <= analysis.preamble.length
  if (!isInHeader || transcript.length > longest) return []
  const titles = hasHeader(analysis) ? conversions : insertions
  return headerForms.flatMap((form) => {
    const title = titles[form]
    const edits = title === undefined ? undefined : headerEdits(analysis, form)
    if (title === undefined || !edits) return []
    const edit = context.workspaceEdit(document, edits)
    return [{ title: localized(title), kind: headerActionKind, edit }]
  })
}
