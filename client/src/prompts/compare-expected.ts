/** *Compare with Expected*: what an agent did, compared with what was expected, in VS Code's own comparison. */
import * as vscode from 'vscode'
import {
  type ArgumentMode,
  argumentModes,
  ConversionError,
  comparedTexts,
  localizable,
  localized,
  MatchLimit,
  type MatchMode,
  type MatchOptions,
  matchConversations,
  matchModes,
  PatternProblem,
  readConversation,
} from '../../../core/src/internal.ts'
import { askedDocument } from '../asked-document.ts'
import { fileBeside } from '../file-beside.ts'
import { dialectOf } from '../preview/document-sessions.ts'

/** Documents of this scheme are one side of a comparison. */
const scheme = 'openchatml-match'

const modeSummaries: Readonly<Record<MatchMode, string>> = {
  strict: localizable`The same steps in the same order`,
  ordered: localizable`All expected steps in order, with other steps allowed in between`,
  unordered: localizable`The same steps in any order`,
  superset: localizable`All expected steps, and possibly others`,
  subset: localizable`Only expected steps`,
}
const argumentSummaries: Readonly<Record<ArgumentMode, string>> = {
  exact: localizable`Compare all arguments of calls`,
  subset: localizable`Compare the arguments that the expected call has`,
  ignore: localizable`Ignore the arguments of calls`,
}

interface Comparison extends MatchOptions {
  readonly actual: vscode.Uri
  readonly expected: vscode.Uri
}

/** Registers the command; programs may pass both documents, a mode, and how arguments are compared. */
export function registerCompareExpected(context: vscode.ExtensionContext): void {
  context.subscriptions.push(
    new ComparedDocuments(),
    vscode.commands.registerCommand('openchatml.compareWithExpected', async (...args: unknown[]) => {
      const document = await askedDocument(args[0])
      const expected = document && (await chosenExpected(document.uri, args[1]))
      if (!document || !expected) return undefined
      const { t } = vscode.l10n
      const mode = await chosen(matchModes, modeSummaries, { title: t('Compare steps'), asked: args[2] })
      if (!mode) return undefined
      const arguments_ = await chosen(argumentModes, argumentSummaries, {
        title: t('Compare arguments'),
        asked: args[3],
      })
      if (!arguments_) return undefined
      const comparison = { actual: document.uri, expected, mode, args: arguments_ }
      const [left, right] = [sideUri(comparison, 'expected'), sideUri(comparison, 'actual')]
      const names = [document.uri, expected].map(({ path }) => path.split('/').at(-1) ?? '')
      await vscode.commands.executeCommand(
        'vscode.diff',
        left,
        right,
        t('{0} ↔ {1} ({2})', names[1] ?? '', names[0] ?? '', mode),
      )
      return [left, right]
    }),
  )
}

/** The transcript that a program names, or that the user picks: `run.expected.ocm` is proposed for `run.ocm`. */
async function chosenExpected(actual: vscode.Uri, asked: unknown): Promise<vscode.Uri | undefined> {
  if (asked instanceof vscode.Uri) return asked
  const beside = fileBeside(actual, (name) => name.replace(/(?:\.[^.]*)?$/, '.expected.ocm'))
  const [found] = await vscode.window
    .showOpenDialog({
      title: vscode.l10n.t('Expected conversation'),
      ...(beside && { defaultUri: beside }),
    })
    .then((it) => it ?? [])
  return found
}

async function chosen<Name extends string>(
  names: readonly Name[],
  summaries: Readonly<Record<Name, string>>,
  { title, asked }: { readonly title: string; readonly asked: unknown },
): Promise<Name | undefined> {
  const known = names.find((it) => it === asked)
  if (known) return known
  const items = names.map((name) => ({ label: name, description: localized(summaries[name]), name }))
  return (await vscode.window.showQuickPick(items, { title, matchOnDescription: true }))?.name
}

function sideUri({ actual, expected, mode, args }: Comparison, side: 'actual' | 'expected'): vscode.Uri {
  const query = JSON.stringify([actual.toString(), expected.toString(), mode, args, side])
  const path = `/${(side === 'actual' ? actual : expected).path.split('/').at(-1)}.txt`
  return vscode.Uri.from({ scheme, path, query })
}

/** Gives both sides to the editor, and keeps them up to date. */
class ComparedDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<vscode.Uri>()
  readonly onDidChange = this.#changed.event
  readonly #subscriptions: readonly vscode.Disposable[]

  constructor() {
    this.#subscriptions = [
      this.#changed,
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidChangeTextDocument(({ document }) => {
        const changed = document.uri.toString()
        for (const { uri } of vscode.workspace.textDocuments) {
          if (uri.scheme === scheme && (JSON.parse(uri.query) as unknown[]).includes(changed))
            this.#changed.fire(uri)
        }
      }),
    ]
  }

  async provideTextDocumentContent({ query }: vscode.Uri): Promise<string> {
    const [actual, expected, askedMode, askedArgs, side]: unknown[] = JSON.parse(query)
    const mode = matchModes.find((it) => it === askedMode)
    const args = argumentModes.find((it) => it === askedArgs)
    if (typeof actual !== 'string' || typeof expected !== 'string' || !mode || !args) return ''
    try {
      const options = { mode, args }
      const result = matchConversations(await conversationAt(actual), await conversationAt(expected), options)
      return comparedTexts(result, options)[side === 'actual' ? 'actual' : 'expected']
    } catch (error) {
      const isExpected =
        error instanceof ConversionError || error instanceof PatternProblem || error instanceof MatchLimit
      if (!isExpected) throw error
      return `${error.message}\n`
    }
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose()
  }
}

async function conversationAt(uri: string): Promise<ReturnType<typeof readConversation>['conversation']> {
  const document = await vscode.workspace.openTextDocument(vscode.Uri.parse(uri, true))
  const isTranscript = document.languageId === 'openchatml'
  return readConversation(document.getText(), isTranscript ? { dialect: dialectOf(document) } : {})
    .conversation
}
