/** Brings a transcript to version 2.2 in its canonical form: as a command, and as an action on transcripts of older versions. */
import * as vscode from 'vscode'
import { analyze, ConversionError, Transcript } from '../../../core/src/internal.ts'
import { askedDocument } from '../asked-document.ts'
import { showNotice } from '../notice.ts'
import { dialectOf } from '../preview/document-sessions.ts'
import { type ConversionOutcome, convertedDocument, tellingRefusals } from './converted.ts'
import { tellLosses } from './losses.ts'

const rewriteKind = vscode.CodeActionKind.RefactorRewrite.append('openchatml.migrate')
const sourceKind = vscode.CodeActionKind.Source.append('migrate.openchatml')

/** Registers `openchatml.migrate`, `openchatml.canonicalise` and the action. Programs may pass a document. */
export function registerMigrate(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    vscode.commands.registerCommand('openchatml.migrate', rewrite),
    vscode.commands.registerCommand('openchatml.canonicalise', rewrite),
    vscode.languages.registerCodeActionsProvider({ language: 'openchatml' }, new MigrationActions(), {
      providedCodeActionKinds: [rewriteKind, sourceKind],
    }),
  )
}

async function rewrite(target?: unknown): Promise<ConversionOutcome | undefined> {
  const document = await askedDocument(target)
  if (!document) return undefined
  return tellingRefusals(document, async () => {
    const { text, losses } = convertedDocument(document, { to: 'ocm' })
    const edit = editTo(document, text)
    if (!edit) {
      showNotice(vscode.l10n.t('OpenChatML: nothing to do here'))
    } else if (await vscode.workspace.applyEdit(edit)) {
      tellLosses(losses, undefined) // the places were those of the text before
    }
    return { text, losses }
  })
}

/** One edit from the first to the last character that differs; `undefined` if none does. */
function editTo(document: vscode.TextDocument, text: string): vscode.WorkspaceEdit | undefined {
  const before = document.getText()
  const after = document.eol === vscode.EndOfLine.CRLF ? text.replaceAll(/\r?\n/g, '\r\n') : text
  if (before === after) return undefined
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let same = 0
  while (same < shorter - start && before.at(-1 - same) === after.at(-1 - same)) same++
  const range = new vscode.Range(document.positionAt(start), document.positionAt(before.length - same))
  // Between the two characters of a line break there is no position.
  const edit = new vscode.WorkspaceEdit()
  edit.replace(
    document.uri,
    range,
    after.slice(
      document.offsetAt(range.start),
      after.length - (before.length - document.offsetAt(range.end)),
    ),
  )
  return edit
}

/** Offers the migration where a transcript is of an older version, or the raw text of a model. */
class MigrationActions implements vscode.CodeActionProvider {
  provideCodeActions(
    document: vscode.TextDocument,
    _range: vscode.Range,
    { only }: vscode.CodeActionContext,
  ): vscode.CodeAction[] {
    const kinds = [rewriteKind, sourceKind].filter((kind) => only === undefined || only.contains(kind))
    if (kinds.length === 0 || !isOld(document)) return []
    const title = vscode.l10n.t('Migrate to OpenChatML 2.2')
    return kinds.map((kind) => new Migration(title, kind, document))
  }

  /** The whole transcript is converted only when someone wants it. */
  resolveCodeAction(action: vscode.CodeAction): vscode.CodeAction {
    const edit = action instanceof Migration && migration(action.document)
    if (edit) action.edit = edit
    return action
  }
}

class Migration extends vscode.CodeAction {
  readonly document: vscode.TextDocument

  constructor(title: string, kind: vscode.CodeActionKind, document: vscode.TextDocument) {
    super(title, kind)
    this.document = document
  }
}

const examined = 64 * 1024 // characters: the header and the first messages determine the dialect

function isOld(document: vscode.TextDocument): boolean {
  const start = document.getText(new vscode.Range(document.positionAt(0), document.positionAt(examined)))
  return analyze(Transcript.parse(start, { dialect: dialectOf(document) })).dialect !== '2.2'
}

function migration(document: vscode.TextDocument): vscode.WorkspaceEdit | undefined {
  try {
    return editTo(document, convertedDocument(document, { to: 'ocm' }).text)
  } catch (error) {
    if (error instanceof ConversionError) return undefined // the command says why
    throw error
  }
}
