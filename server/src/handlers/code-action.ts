/** `textDocument/codeAction` */
import {
  type CancellationToken,
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
} from 'vscode-languageserver'
import {
  bodyRewrites,
  codeActions,
  fixAll,
  headerTypoAt,
  localize,
  type ToolAction,
  textOfMessageBefore,
  toolActions,
} from '../../../core/src/index.ts'
import { fromRange } from '../from-lsp.ts'
import type { OpenDocument } from '../open-document.ts'
import type { ServerContext } from '../server-context.ts'
import { fixAllKind, toQuickFix, toWorkspaceEdit } from '../to-lsp.ts'
import { conversionActions, headerStyleActions } from './conversion-actions.ts'
import { headerActionKind, headerActions } from './header-actions.ts'

/**
 * Quick fixes of a range, what can be done with the call and the message header there; where they are asked for by kind,
 * also what can be done with the YAML header, all safe fixes at once and the conversions of the whole transcript.
 */
export async function handleCodeAction(
  context: ServerContext,
  params: CodeActionParams,
  token: CancellationToken,
): Promise<CodeAction[]> {
  const document = context.document(params.textDocument)
  const { only } = params.context
  const conversions = only
    ? await conversionActions(context, document, { isWanted: (kind) => isWanted(only, kind), token })
    : []
  const fixes = isWanted(only, CodeActionKind.QuickFix) ? quickFixes(context, document, params) : []
  // What mends a problem can often be done without one as well, and is offered once.
  const offered = new Set(fixes.map(({ title }) => title))
  return [
    ...fixes,
    ...(isWanted(only, CodeActionKind.QuickFix) ? typos(context, document, params) : []),
    ...(isWanted(only, CodeActionKind.QuickFix) ? injected(context, document, params) : []),
    ...toolActions(document.analysis, fromRange(document, params.range))
      .filter(({ kind, title }) => isWanted(only, actionKinds[kind]) && !offered.has(title))
      .map((action) => toCodeAction(context, document, action)),
    ...(isWanted(only, CodeActionKind.RefactorRewrite) ? rewrites(context, document, params) : []),
    ...(isWanted(only, CodeActionKind.RefactorRewrite)
      ? headerStyleActions(context, document, fromRange(document, params.range))
      : []),
    // To know which of them would change anything, the text is read anew: not for every move of the cursor.
    ...(only && isWanted(only, headerActionKind)
      ? headerActions(context, document, fromRange(document, params.range))
      : []),
    ...(only && isWanted(only, fixAllKind) ? everything(context, document) : []),
    ...conversions,
  ]
}

/** A message that came in with what a user or a tool wrote. */
function injected(context: ServerContext, document: OpenDocument, { range }: CodeActionParams): CodeAction[] {
  const edit = textOfMessageBefore(document.analysis, fromRange(document, range).start)
  if (!edit) return []
  const title = localize`Make it text of the message before`
  const hasVersions = context.client.hasVersionedEdits
  return [{ title, kind: CodeActionKind.QuickFix, edit: toWorkspaceEdit(document, [edit], { hasVersions }) }]
}

/** A key of the header that looks like another one. */
function typos(context: ServerContext, document: OpenDocument, { range }: CodeActionParams): CodeAction[] {
  const typo = headerTypoAt(document.analysis, fromRange(document, range).start)
  if (!typo) return []
  const edit = toWorkspaceEdit(document, [typo.edit], { hasVersions: context.client.hasVersionedEdits })
  return [{ title: typo.title, kind: CodeActionKind.QuickFix, edit }]
}

/** Literal blocks and escapes for the selection. */
function rewrites(context: ServerContext, document: OpenDocument, { range }: CodeActionParams): CodeAction[] {
  const hasVersions = context.client.hasVersionedEdits
  return bodyRewrites(document.analysis, fromRange(document, range)).map(({ title, edit }) => ({
    title,
    kind: CodeActionKind.RefactorRewrite,
    edit: toWorkspaceEdit(document, [edit], { hasVersions }),
  }))
}

const actionKinds: Readonly<Record<ToolAction['kind'], CodeActionKind>> = {
  insert: CodeActionKind.QuickFix,
  rewrite: CodeActionKind.RefactorRewrite,
}

function toCodeAction(context: ServerContext, document: OpenDocument, action: ToolAction): CodeAction {
  const edit = toWorkspaceEdit(document, action.edits, { hasVersions: context.client.hasVersionedEdits })
  return { title: action.title, kind: actionKinds[action.kind], edit }
}

function quickFixes(
  context: ServerContext,
  document: OpenDocument,
  { range }: CodeActionParams,
): CodeAction[] {
  const hasVersions = context.client.hasVersionedEdits
  const { documentationBase } = context.options
  return codeActions(document.analysis, document.checker, fromRange(document, range)).map((action) =>
    toQuickFix(document, action, { hasVersions, documentationBase }),
  )
}

function everything(context: ServerContext, document: OpenDocument): CodeAction[] {
  const edits = fixAll(document.checker)
  if (edits.length === 0) return []
  const edit = toWorkspaceEdit(document, edits, { hasVersions: context.client.hasVersionedEdits })
  return [{ title: localize`Fix all problems that can be fixed safely`, kind: fixAllKind, edit }]
}

/** A kind is wanted if it, or a kind that it is a special case of, is asked for; without a filter, all are. */
function isWanted(only: readonly string[] | undefined, kind: string): boolean {
  if (!only) return true
  return only.some((it) => it === '' || kind === it || kind.startsWith(`${it}.`))
}
