/**
 * Transcripts with expectations as tests in VS Code: `expect` in the header, or `NAME.expected.yaml` next to the transcript. They
 * pass and fail as with `ocm check --expect`; to debug one is to compare both sides.
 */
import * as vscode from 'vscode'
import { withoutIcons } from '../text-without-links.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import { comparisonOf, type FixtureComparison, fixtureOf, readFixture } from './fixture.ts'

/** Documents of this scheme are one side of a comparison. */
const scheme = 'openchatml-expectation'
const besides = '**/*.expected.yaml'
const transcripts = '**/*.ocm'
const elsewhere = '**/node_modules/**'
const filesAtMost = 2000

/** Offers transcripts with expectations in the Testing view, which appears with the first one. */
export function registerExpectationTests(
  context: vscode.ExtensionContext,
  readFile: ReadWorkspaceFile,
): void {
  const tests = new ExpectationTests(readFile)
  context.subscriptions.push(tests)
  void tests.look()
}

class ExpectationTests implements vscode.Disposable, vscode.TextDocumentContentProvider {
  readonly #readFile: ReadWorkspaceFile
  readonly #subscriptions: vscode.Disposable[]
  /** The last run of each test, by its id. */
  readonly #compared = new Map<string, FixtureComparison>()
  readonly #changed = new vscode.EventEmitter<vscode.Uri>()
  readonly onDidChange = this.#changed.event
  #controller: vscode.TestController | undefined

  constructor(readFile: ReadWorkspaceFile) {
    this.#readFile = readFile
    const files = vscode.workspace.createFileSystemWatcher(`{${transcripts},${besides}}`)
    const follow = (uri: vscode.Uri) => void this.#follow(fixtureOf(uri))
    this.#subscriptions = [
      this.#changed,
      files,
      files.onDidCreate(follow),
      files.onDidChange(follow),
      files.onDidDelete(follow),
      vscode.workspace.onDidOpenTextDocument((document) => void this.#followDocument(document)),
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
    ]
  }

  /** Looks whether there are any: a workspace without expectations has no Testing view because of this extension. */
  async look(): Promise<void> {
    for (const document of vscode.workspace.textDocuments) await this.#followDocument(document)
    const [first] = await vscode.workspace.findFiles(besides, elsewhere, 1)
    if (first) await this.#discover()
  }

  provideTextDocumentContent({ path, query }: vscode.Uri): string {
    const compared = this.#compared.get(query)
    return (path.startsWith('/expected/') ? compared?.expected : compared?.reported) ?? ''
  }

  dispose(): void {
    this.#controller?.dispose()
    for (const subscription of this.#subscriptions) subscription.dispose()
  }

  async #followDocument({ uri, languageId }: vscode.TextDocument): Promise<void> {
    if (languageId === 'openchatml' && vscode.workspace.getWorkspaceFolder(uri)) await this.#follow(uri)
  }

  async #discover(): Promise<void> {
    const uris = await vscode.workspace.findFiles(transcripts, elsewhere, filesAtMost)
    for (const uri of uris) await this.#follow(uri)
  }

  /** Adds or removes the test of the transcript at `uri`. */
  async #follow(uri: vscode.Uri): Promise<void> {
    const id = uri.toString()
    const fixture = await readFixture(uri, this.#readFile)
    if (!fixture) {
      this.#controller?.items.delete(id)
      this.#compared.delete(id)
      return
    }
    const controller = this.#controllerInUse()
    const name = nameOf(uri)
    const item = controller.items.get(id) ?? controller.createTestItem(id, withoutIcons(name), uri)
    const path = vscode.workspace.asRelativePath(uri)
    item.description = path.slice(0, Math.max(0, path.length - name.length - 1))
    item.range = fixture.range
    controller.items.add(item)
  }

  #controllerInUse(): vscode.TestController {
    if (this.#controller) return this.#controller
    const { t } = vscode.l10n
    const controller = vscode.tests.createTestController('openchatml.expectations', 'OpenChatML')
    this.#controller = controller
    controller.resolveHandler = (item) => (item ? undefined : this.#discover())
    controller.refreshHandler = () => this.#discover()
    const { Run, Debug } = vscode.TestRunProfileKind
    const run = async (request: vscode.TestRunRequest, token: vscode.CancellationToken) => {
      await this.#run(request, token)
    }
    const compare = async (request: vscode.TestRunRequest, token: vscode.CancellationToken) => {
      const failed = await this.#run(request, token)
      if (failed?.uri) await this.#compare(failed.uri)
    }
    controller.createRunProfile(t('Check Expectations'), Run, run, true)
    controller.createRunProfile(t('Compare with Expectations'), Debug, compare, true)
    return controller
  }

  /** Runs what is asked for; the result is the first test that failed. */
  async #run(
    { include, exclude = [] }: vscode.TestRunRequest,
    token: vscode.CancellationToken,
  ): Promise<vscode.TestItem | undefined> {
    const controller = this.#controllerInUse()
    const run = controller.createTestRun(new vscode.TestRunRequest(include, exclude))
    let failed: vscode.TestItem | undefined
    for (const item of include ?? [...controller.items].map(([, it]) => it)) {
      if (token.isCancellationRequested || exclude.includes(item) || !item.uri) {
        run.skipped(item)
        continue
      }
      run.started(item)
      const fixture = await readFixture(item.uri, this.#readFile)
      if (!fixture) {
        run.errored(item, new vscode.TestMessage(vscode.l10n.t('The file cannot be read')))
        continue
      }
      const compared = comparisonOf(fixture)
      this.#compared.set(item.id, compared)
      for (const side of ['expected', 'reported'] as const) this.#changed.fire(sideUri(item.uri, side))
      if (compared.failures.length === 0) run.passed(item)
      else {
        failed ??= item
        run.failed(item, messagesOf(item.uri, compared))
      }
    }
    run.end()
    return failed
  }

  async #compare(uri: vscode.Uri): Promise<void> {
    const title = vscode.l10n.t('{0}: Expected ↔ Reported', nameOf(uri))
    const [left, right] = [sideUri(uri, 'expected'), sideUri(uri, 'reported')]
    await vscode.commands.executeCommand('vscode.diff', left, right, title)
  }
}

/** One side of the comparison of the test at `uri`, whose address is its id. */
function sideUri(uri: vscode.Uri, side: 'expected' | 'reported'): vscode.Uri {
  return vscode.Uri.from({ scheme, path: `/${side}/${nameOf(uri)}.txt`, query: uri.toString() })
}

function nameOf(uri: vscode.Uri): string {
  return uri.path.split('/').at(-1) ?? ''
}

/** What is different, each at its place; VS Code compares both sides in each. */
function messagesOf(
  uri: vscode.Uri,
  { failures, expected, reported }: FixtureComparison,
): vscode.TestMessage[] {
  return failures.map(({ message, range }) => {
    const result =
      expected === reported
        ? new vscode.TestMessage(message)
        : vscode.TestMessage.diff(message, expected, reported)
    result.location = new vscode.Location(uri, range)
    return result
  })
}
