/** `textDocument/codeAction` and `codeAction/resolve` */
import {
  type CancellationToken,
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  LSPErrorCodes,
  type Range,
  ResponseError,
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
} from '../../../core/src/internal.ts'
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
      .map((action) => toCodeAction(context, params, action)),
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

/** What an action without edit is found again by. */
interface Unresolved {
  readonly uri: string
  readonly version: number
  readonly range: Range
}

/** An action of its own accord; a client that can asks for its edit when the action is chosen. */
function toCodeAction(
  context: ServerContext,
  { textDocument, range }: Pick<CodeActionParams, 'textDocument' | 'range'>,
  action: ToolAction,
): CodeAction {
  const document = context.document(textDocument)
  const known = { title: action.title, kind: actionKinds[action.kind] }
  if (context.client.resolvesEdits) {
    return { ...known, data: { uri: document.uri, version: document.version, range } satisfies Unresolved }
  }
  return { ...known, edit: editOf(context, document, action) }
}

function editOf(context: ServerContext, document: OpenDocument, { edits }: ToolAction) {
  return toWorkspaceEdit(document, edits(), { hasVersions: context.client.hasVersionedEdits })
}

/** `codeAction/resolve`: the edit of an action that a user has chosen. */
export function handleCodeActionResolve(context: ServerContext, action: CodeAction): CodeAction {
  const unresolved = action.data as Partial<Unresolved> | undefined
  if (action.edit || typeof unresolved?.uri !== 'string' || !unresolved.range) return action
  const document = context.document({ uri: unresolved.uri })
  if (document.version !== unresolved.version) {
    throw new ResponseError(LSPErrorCodes.ContentModified, 'The document changed')
  }
  const found = toolActions(document.analysis, fromRange(document, unresolved.range)).find(
    ({ title, kind }) => title === action.title && actionKinds[kind] === action.kind,
  )
  return found ? { ...action, edit: editOf(context, document, found) } : action
}

function quickFixes(
  context: ServerContext,
  document: OpenDocument,
  { range }: CodeActionParams,
): CodeAction[] {
  const hasVersions = context.client.hasVersionedEdits
  const { documentationBase } = context.options
  const { actions, isComplete } = codeActions(document.analysis, document.checker, fromRange(document, range))
  const fixes = actions.map((action) => toQuickFix(document, action, { hasVersions, documentationBase }))
  return isComplete ? fixes : [...fixes, cutNote(context)]
}

/** An entry that does nothing and says that the list is cut; it cannot be chosen where the editor has such entries. */
function cutNote({ client }: ServerContext): CodeAction {
  const title = localize`Not all quick fixes are listed: select less text to see the others`
  const note = { title, kind: CodeActionKind.QuickFix }
  return client.hasDisabledActions
    ? { ...note, disabled: { reason: localize`The selection has too many problems` } }
    : note
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
