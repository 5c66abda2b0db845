/** Review mode in VS Code: the sessions of the lists that are open, and a command for each key. */
import * as vscode from 'vscode'
import { reasonOf, type SampleReview, usualLabels } from '../../../core/src/internal.ts'
import type { Dataset } from '../datasets/dataset.ts'
import type { DatasetSettings } from '../datasets/dataset-settings.ts'
import type { FolderDataset } from '../datasets/folder-dataset.ts'
import { type SampleAddress, sampleUri } from '../datasets/sample-uri.ts'
import { showInformation, showWarning } from '../notice.ts'
import { mayShowHidden } from '../preview/hidden-consent.ts'
import { openLink } from '../preview/links.ts'
import type { PreviewView } from '../preview/preview-protocol.ts'
import { DatasetReview, type ReviewableDataset } from './dataset-review.ts'
import type { ReviewLibrary } from './review-library.ts'
import type { FromReviewPage, PageAct, ReviewButton, ToReviewPage } from './review-protocol.ts'
import { type ListedPlaces, ReviewSession } from './review-session.ts'
import { reviewerName } from './reviewer-name.ts'

/** A list that can be reviewed. */
export interface ReviewableList {
  readonly uri: vscode.Uri
  readonly view: Dataset | FolderDataset<vscode.Uri>
  readonly panel: vscode.WebviewPanel
  readonly listing: ListedPlaces
  readonly settings: DatasetSettings
  readonly post: (message: ToReviewPage) => void
  /** Opens the text of the file at the sample with a number. */
  readonly openText: (number: number) => Promise<void>
  /** Called when it is known what the review file says about the samples. */
  readonly compared: () => void
}

/** The review of one list. */
export interface ListReview extends vscode.Disposable {
  /** What queries and columns see of the sample with a number, as far as that is known. */
  readonly reviewOf: (number: number) => SampleReview | undefined
  receive(message: FromReviewPage): void
  /** A sample was written. */
  sampleChanged(place: number): void
  /** Samples are judged in another way now. */
  judgeAgain(): void
}

/** A sample that was opened to be fixed. */
interface Fixing {
  readonly fixed: () => Promise<void>
  isSaved: boolean
  /** True once the reviewer saved it. */
  isDone: boolean
}

interface Active {
  readonly session: ReviewSession
  readonly panel: vscode.WebviewPanel
}

/** The reviews of all lists. */
export class Reviews implements vscode.Disposable {
  readonly #library: ReviewLibrary
  readonly #active = new Set<Active>()
  readonly #subscriptions: vscode.Disposable[]
  /** Samples that were opened to be fixed, by their addresses. */
  readonly #fixing = new Map<string, Fixing>()
  /** Asked once for all lists of this window. */
  #mayShowHidden = false

  constructor(library: ReviewLibrary) {
    this.#library = library
    this.#subscriptions = [
      vscode.workspace.onWillSaveTextDocument(({ document, reason }) => this.#willSave(document, reason)),
      vscode.workspace.onDidSaveTextDocument((document) => void this.#saved(document)),
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => void this.#closed(closed)),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration('openchatml.review.name')) return
        for (const { session } of this.#active) void session.reviewerChanged()
      }),
      ...this.#commands(),
    ]
  }

  /** The review of a list, as long as its page is open. */
  open(list: ReviewableList): ListReview {
    const opening = this.#open(list)
    let opened: Awaited<typeof opening> | undefined
    void opening.then((it) => {
      opened = it
    })
    return {
      reviewOf: (number) => {
        const place = list.view.index.placeOf(number)
        return place === undefined ? undefined : opened?.review.reviewAt(place)
      },
      receive: (message) => void opening.then((it) => it?.receive(message)),
      sampleChanged: (place) => void opening.then((it) => it?.sampleChanged(place)),
      judgeAgain: () => opened?.active.session.refresh(),
      dispose: () => void opening.then((it) => it?.dispose()),
    }
  }

  /** True if what others say about the samples of `dataset` is hidden until the reviewer has decided. */
  isBlind(dataset: vscode.Uri): boolean {
    const isSecond = [...this.#active].some(({ session }) => session.isActive && session.isBlind)
    return isSecond || isBlindIn(dataset)
  }

  dispose(): void {
    for (const it of this.#subscriptions) it.dispose()
  }

  async #open(list: ReviewableList) {
    const { uri, view, panel, listing, settings, post } = list
    let isClosed = false
    panel.onDidDispose(() => {
      isClosed = true
    })
    await view.load()
    if (isClosed) return undefined
    const dataset = this.#reviewable(uri, view)
    try {
      for (const { store } of dataset.stores()) await store.load()
    } catch (error) {
      post({
        kind: 'reviewStatus',
        text: vscode.l10n.t('The review file cannot be read: {0}', reasonOf(error)),
        isError: true,
      })
    }
    const review = new DatasetReview(dataset)
    void review.compare().then(() => {
      if (review.known.size > 0) list.compared()
    })
    let { generation } = view
    const stopListening = view.onChanged(() => {
      if (view.progress || view.generation === generation) return
      generation = view.generation
      review.forget()
      session.refresh()
    })
    const session = new ReviewSession({
      dataset,
      review,
      listing,
      options: () => settings.options,
      labels: () => settings.labels ?? usualLabels,
      isBlind: () => isBlindIn(uri),
      reviewer: () => reviewerName(uri),
      mayShowHidden: () => this.#askForHidden(),
      nameOf: (place) => nameOf(view, place),
      open: (place, branch) => this.#fix(addressAt(uri, view, place), branch, () => session.fixed(place)),
      openText: (place) => list.openText(view.index.numberOf(place)),
      openTraining: async (place) => {
        const address = sampleUri(addressAt(uri, view, place))
        await vscode.commands.executeCommand(`openchatml.show.${'training' satisfies PreviewView}`, address)
      },
      post,
      now: () => new Date().toISOString(),
    })
    const active: Active = { session, panel }
    this.#active.add(active)
    panel.onDidDispose(() => this.#active.delete(active)) // a closed panel throws when asked whether it is active
    const viewState = panel.onDidChangeViewState(() => this.#tellContext())
    return {
      review,
      active,
      receive: (message: FromReviewPage) => this.#receive(active, message),
      sampleChanged: (place: number) => {
        review.forget(place)
        session.refresh(place)
      },
      dispose: () => {
        stopListening()
        viewState.dispose()
        session.dispose()
        review.dispose()
        this.#active.delete(active)
        dataset.release()
        this.#tellContext()
      },
    }
  }

  #receive(active: Active, message: FromReviewPage): void {
    const { session } = active
    switch (message.kind) {
      case 'reviewReady':
        session.resume()
        break
      case 'reviewShow':
        void this.#show(session, message.index)
        break
      case 'reviewEnd':
        session.end()
        this.#tellContext()
        break
      case 'reviewCommand':
        void acts[message.command](session)
        break
      case 'reviewPrefer':
        void session.prefer(message.branch)
        break
      case 'reviewLabel':
        void session.label(message.index)
        break
      case 'reviewFix':
        void session.fix(message.branch)
        break
      case 'reviewNote':
        void session.note(message.text, {
          ...(message.message !== undefined && { message: message.message }),
          ...(message.branch !== undefined && { branch: message.branch }),
        })
        break
      case 'reviewCopy':
        void vscode.env.clipboard.writeText(message.text)
        break
      case 'reviewLink':
        void openLink(message.href)
        break
      default:
        message satisfies never
    }
  }

  #commands(): vscode.Disposable[] {
    const command = (name: string, act: (session: ReviewSession, argument: unknown) => unknown) =>
      vscode.commands.registerCommand(`openchatml.review.${name}`, (argument?: unknown) => {
        const session = this.#current?.session
        return session?.isActive ? act(session, argument) : undefined
      })
    return [
      ...Object.entries(acts).map(([name, act]) => command(name, act)),
      command('label', (session, nth) => (typeof nth === 'number' ? session.label(nth - 1) : undefined)),
      vscode.commands.registerCommand('openchatml.review.start', () => this.#start()),
      command('end', (session) => {
        session.end()
        this.#tellContext()
      }),
      vscode.commands.registerCommand('openchatml.review.second', (count?: unknown, seed?: unknown) =>
        this.#startSecond(count, seed),
      ),
    ]
  }

  /** The review of the list that is active. */
  get #current(): Active | undefined {
    return [...this.#active].find(({ panel }) => panel.active)
  }

  /** The review of the list that is active; without one, it is reported that a list is needed. */
  #askedFor(): Active | undefined {
    const active = this.#current
    if (!active) void showInformation(vscode.l10n.t('Open a dataset as a list first.'))
    return active
  }

  async #start(): Promise<void> {
    const active = this.#askedFor()
    active?.panel.reveal(undefined, false)
    active?.session.begin()
  }

  async #startSecond(asked: unknown, named: unknown): Promise<void> {
    const session = this.#askedFor()?.session
    if (!session) return
    const count = typeof asked === 'number' ? asked : await askedCount()
    if (count === undefined) return
    const seed = typeof named === 'number' ? named : Math.floor(Math.random() * 1e9)
    const found = await session.beginSecond(count, seed)
    this.#tellContext()
    if (found > 0) {
      const text = vscode.l10n.t(
        '{0} samples, chosen with seed {1}. You see what others decided after you decide.',
        found,
        seed,
      )
      void showInformation(text)
    } else void showInformation(vscode.l10n.t('No other reviewer decided on a listed sample.'))
  }

  async #askForHidden(): Promise<boolean> {
    if (this.#mayShowHidden) return true
    if (!vscode.workspace.isTrusted) return mayShowHidden()
    const show = vscode.l10n.t('Show Hidden Text')
    const answer = await showWarning(
      vscode.l10n.t('Show what users do not see?'),
      {
        modal: true,
        detail: vscode.l10n.t(
          'Instructions, reasoning, tool calls, and replies of the samples become visible in reviews until you close this window.',
        ),
      },
      show,
    )
    this.#mayShowHidden = answer === show
    return this.#mayShowHidden
  }

  async #fix(address: SampleAddress, branch: string | undefined, fixed: () => Promise<void>): Promise<void> {
    const uri = sampleUri({ ...address, ...(branch !== undefined && { branch }) })
    this.#fixing.set(uri.toString(), { fixed, isSaved: false, isDone: false })
    await vscode.commands.executeCommand('vscode.open', uri)
  }

  /** Who saves is done; a save that VS Code makes by itself only keeps what was typed so far. */
  #willSave({ uri }: vscode.TextDocument, reason: vscode.TextDocumentSaveReason): void {
    const fixing = this.#fixing.get(uri.toString())
    if (fixing && reason === vscode.TextDocumentSaveReason.Manual) fixing.isDone = true
  }

  async #saved({ uri }: vscode.TextDocument): Promise<void> {
    const fixing = this.#fixing.get(uri.toString())
    if (!fixing) return
    fixing.isSaved = true
    if (fixing.isDone) await vscode.window.tabGroups.close(tabsOf(uri))
  }

  /** A sample that was fixed and closed leads back to the list. */
  async #closed(tabs: readonly vscode.Tab[]): Promise<void> {
    for (const { input } of tabs) {
      if (!(input instanceof vscode.TabInputText)) continue
      const key = input.uri.toString()
      const fixing = this.#fixing.get(key)
      if (!fixing || tabsOf(input.uri).length > 0) continue
      this.#fixing.delete(key)
      if (fixing.isSaved) await fixing.fixed()
    }
  }

  #reviewable(
    uri: vscode.Uri,
    view: Dataset | FolderDataset<vscode.Uri>,
  ): ReviewableDataset & { release(): void } {
    const user = {}
    const parts = 'parts' in view ? view.parts : [{ address: uri, dataset: view, first: 0 }]
    const stores = parts.map(({ address, dataset, first }) => ({
      store: this.#library.use(address, user),
      dataset,
      first,
      place: (number: number) => {
        const own = dataset.index.placeOf(number)
        return own === undefined ? undefined : first + own
      },
    }))
    const partAt = (place: number) => {
      const part = stores.findLast(({ first }) => first <= place)
      if (!part) throw new RangeError(`Invalid place ${place}`)
      return { ...part, own: place - part.first }
    }
    return {
      view,
      bytesOf: (place) => {
        const { dataset, own } = partAt(place)
        return dataset.bytesOf(own)
      },
      placeOf: (place) => {
        const { store, dataset, own } = partAt(place)
        return { store, number: dataset.index.numberOf(own) }
      },
      stores: () => stores,
      release: () => {
        for (const { address } of parts) this.#library.release(address, user)
      },
    }
  }

  /** The keys are there before the sample is. */
  async #show(session: ReviewSession, index: number): Promise<void> {
    if (!session.isActive) await setReviewing(true)
    await session.show(index)
    this.#tellContext()
  }

  #tellContext(): void {
    void setReviewing(this.#current?.session.isActive === true)
  }
}

function isBlindIn(uri: vscode.Uri): boolean {
  return vscode.workspace.getConfiguration('openchatml', uri).get('review.blind') === true
}

/** Whether the keys of review mode are in force. */
function setReviewing(isReviewing: boolean): Thenable<unknown> {
  return vscode.commands.executeCommand('setContext', 'openchatml.isReviewing', isReviewing)
}

/** What each command does, by its name. */
const acts: Readonly<Record<ReviewButton | PageAct, (session: ReviewSession) => unknown>> = {
  keep: (session) => session.decide('keep'),
  reject: (session) => session.decide('reject'),
  fix: (session) => session.fix(),
  tie: (session) => session.tie(),
  confirm: (session) => session.confirm(),
  undo: (session) => session.undo(),
  next: (session) => session.next(1),
  previous: (session) => session.next(-1),
  nextUndecided: (session) => session.nextUndecided(),
  showHidden: (session) => session.toggleHidden(),
  showTraining: (session) => session.showTraining(),
  note: (session) => session.act('note'),
  messageNote: (session) => session.act('messageNote'),
  metadata: (session) => session.act('metadata'),
  swap: (session) => session.act('swap'),
  keys: (session) => session.act('keys'),
  preferFirst: (session) => session.act('preferFirst'),
  preferSecond: (session) => session.act('preferSecond'),
}

/** The sample in words, as the list names it. */
function nameOf(view: Dataset | FolderDataset<vscode.Uri>, place: number): string {
  if ('originOf' in view) return view.originOf(place)
  const number = view.index.numberOf(place)
  switch (view.kind) {
    case 'lines':
      return vscode.l10n.t('Line {0}', number)
    case 'list':
      return vscode.l10n.t('Place {0} in the list', number)
    case 'rows':
      return vscode.l10n.t('Row {0}', number)
  }
}

function addressAt(uri: vscode.Uri, view: Dataset | FolderDataset<vscode.Uri>, place: number): SampleAddress {
  if (!('originOf' in view)) return { dataset: uri, number: view.index.numberOf(place) }
  const { address, number } = view.addressOf(place)
  return { dataset: address, number }
}

async function askedCount(): Promise<number | undefined> {
  const answer = await vscode.window.showInputBox({
    title: vscode.l10n.t('Random Sample for a Second Reviewer'),
    prompt: vscode.l10n.t('How many of the samples that other reviewers decided on?'),
    value: '50',
    validateInput: (text) =>
      /^[1-9]\d{0,6}$/.test(text) ? undefined : vscode.l10n.t('Enter a whole number'),
  })
  return answer === undefined ? undefined : Number(answer)
}

/** The tabs that show the text of `uri`. */
function tabsOf(uri: vscode.Uri): readonly vscode.Tab[] {
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs)
  return tabs.filter(
    ({ input }) => input instanceof vscode.TabInputText && input.uri.toString() === uri.toString(),
  )
}
