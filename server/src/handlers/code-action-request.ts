/** `textDocument/codeAction` and `codeAction/resolve` */
import {
  type CodeAction,
  CodeActionKind,
  type CodeActionParams,
  CodeActionRequest,
  CodeActionResolveRequest,
} from 'vscode-languageserver'
import {
  bodyRewrites,
  codeActions,
  fixAll,
  fixedAtOnce,
  headerTypoAt,
  localize,
  type Range as OffsetRange,
  type ToolAction,
  textOfMessageBefore,
  toolActions,
} from '../../../core/src/internal.ts'
import type { ClientAbilities } from '../client-abilities.ts'
import { fromRange } from '../from-lsp.ts'
import { fixAllKind, toQuickFix } from '../to-lsp.ts'
import { conversionActions, conversionOf, headerStyleActions } from './conversion-actions.ts'
import { type DocumentRequest, documentHandler, handler, onceSettled } from './handler.ts'
import { headerActionKind, headerActions } from './header-actions.ts'
import { resolvable, unresolved } from './unresolved-action.ts'

type ActionRequest = DocumentRequest<CodeActionParams>

/**
 * Quick fixes of a range, what can be done with the call and the message header there; where they are asked for by kind,
 * also what can be done with the YAML header, all safe fixes at once and the conversions of the whole transcript.
 */
export const codeActionHandler = documentHandler(
  CodeActionRequest.type,
  async (request: ActionRequest) => {
    const { document, params } = request
    const { only } = params.context
    const isKindWanted = (kind: string) => isWanted(only, kind)
    const range = fromRange(document, params.range)
    const conversions = only ? await conversionActions(request, isKindWanted) : []
    const hasFixes = isKindWanted(CodeActionKind.QuickFix)
    const hasRewrites = isKindWanted(CodeActionKind.RefactorRewrite)
    const fixes = hasFixes ? quickFixes(request, range) : []
    // What fixes a problem can often be done without one as well, and is offered once.
    const offered = new Set(fixes.map(({ title }) => title))
    return [
      ...fixes,
      ...(hasFixes ? typos(request, range) : []),
      ...(hasFixes ? injected(request, range) : []),
      ...toolActions(document.analysis, range)
        .filter(({ kind, title }) => isKindWanted(actionKinds[kind]) && !offered.has(title))
        .map((action) => toCodeAction(request, action)),
      ...(hasRewrites ? rewrites(request, range) : []),
      ...(hasRewrites ? headerStyleActions(request, range) : []),
      // To know which of them would change anything, the text is read again: not for every move of the cursor.
      ...(only && isKindWanted(headerActionKind) ? headerActions(request, range) : []),
      ...(only && isKindWanted(fixAllKind) ? await everything(request) : []),
      ...conversions,
    ]
  },
  'context',
)

/** A message that came in with what a user or a tool wrote. */
function injected({ context, document }: ActionRequest, { start }: OffsetRange): CodeAction[] {
  const edit = textOfMessageBefore(document.analysis, start)
  if (!edit) return []
  const title = localize`Make it text of the message before`
  return [{ title, kind: CodeActionKind.QuickFix, edit: context.workspaceEdit(document, [edit]) }]
}

/** A key of the header that looks like another one. */
function typos({ context, document }: ActionRequest, { start }: OffsetRange): CodeAction[] {
  const typo = headerTypoAt(document.analysis, start)
  if (!typo) return []
  const edit = context.workspaceEdit(document, [typo.edit])
  return [{ title: typo.title, kind: CodeActionKind.QuickFix, edit }]
}

/** Literal blocks and escapes for the selection. */
function rewrites({ context, document }: ActionRequest, range: OffsetRange): CodeAction[] {
  return bodyRewrites(document.analysis, range).map(({ title, edit }) => ({
    title,
    kind: CodeActionKind.RefactorRewrite,
    edit: context.workspaceEdit(document, [edit]),
  }))
}

const actionKinds: Readonly<Record<ToolAction['kind'], CodeActionKind>> = {
  insert: CodeActionKind.QuickFix,
  rewrite: CodeActionKind.RefactorRewrite,
}

/** An action of its own accord; a client that can asks for its edit when the action is chosen. */
function toCodeAction({ context, document, params }: ActionRequest, action: ToolAction): CodeAction {
  const known = { title: action.title, kind: actionKinds[action.kind] }
  if (!context.client.resolvesEdits)
    return { ...known, edit: context.workspaceEdit(document, action.edits()) }
  return { ...known, data: unresolved(document, { range: params.range }) }
}

/** `codeAction/resolve`: the edit of an action that a user has chosen. */
export const codeActionResolveHandler = handler(
  CodeActionResolveRequest.type,
  async ({ context, params: action, token }) => {
    const found = action.edit ? undefined : resolvable(context, action.data)
    if (!found) return action
    const { document, of } = found
    if ('conversion' in of) {
      const edits = await conversionOf({ context, document, token }, of.conversion)
      return { ...action, edit: context.workspaceEdit(document, edits) }
    }
    const tool = toolActions(document.analysis, fromRange(document, of.range)).find(
      ({ title, kind }) => title === action.title && actionKinds[kind] === action.kind,
    )
    return tool ? { ...action, edit: context.workspaceEdit(document, tool.edits()) } : action
  },
  'title',
)

function quickFixes({ context, document }: ActionRequest, range: OffsetRange): CodeAction[] {
  const options = {
    hasVersions: context.client.hasVersionedEdits,
    documentationBase: context.options.documentationBase,
  }
  const { actions, isComplete } = codeActions(document.analysis, document.checker, range)
  const fixes = actions.map((action) => toQuickFix(document, action, options))
  return isComplete ? fixes : [...fixes, cutNote(context.client)]
}

/** An entry that does nothing and says that the list is cut; it cannot be chosen where the editor has such entries. */
function cutNote({ hasDisabledActions }: ClientAbilities): CodeAction {
  const title = localize`Not all quick fixes are listed: select less text to see the others`
  const note = { title, kind: CodeActionKind.QuickFix }
  return hasDisabledActions
    ? { ...note, disabled: { reason: localize`The selection has too many problems` } }
    : note
}

const everything = onceSettled(({ context, document }: ActionRequest): CodeAction[] => {
  const edits = fixAll(document.checker)
  if (edits.length === 0) return []
  const edit = context.workspaceEdit(document, edits)
  const title =
    document.checker.totalSoFar > fixedAtOnce
      ? localize`Fix those of the first ${fixedAtOnce} problems that can be fixed safely`
      : localize`Fix all problems that can be fixed safely`
  if (document.settings.broken === undefined) return [{ title, kind: fixAllKind, edit }]
  const reason = localize`Correct the errors in the configuration first: it may turn off rules`
  return context.client.hasDisabledActions ? [{ title, kind: fixAllKind, disabled: { reason } }] : []
})

/** A kind is wanted if it, or a kind that it is a special case of, is asked for; without a filter, all are. */
function isWanted(only: readonly string[] | undefined, kind: string): boolean {
  if (!only) return true
  return only.some((it) => it === '' || kind === it || kind.startsWith(`${it}.`))
}
