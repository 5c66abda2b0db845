/** Notes on messages as VS Code's comments: in a sample that is open as a transcript, they are read, added, changed, and deleted. */
import * as vscode from 'vscode'
import { type Opinion, type ReviewLine, reasonOf } from '../../../core/src/internal.ts'
import type { SampleFiles } from '../datasets/sample-files.ts'
import { sampleAddress, sampleScheme } from '../datasets/sample-uri.ts'
import { showError, showWarning } from '../notice.ts'
import { hashOfBytes } from './dataset-review.ts'
import { MessageLines, type MessageNote } from './message-notes.ts'
import type { ReviewLibrary } from './review-library.ts'
import type { ReviewStore } from './review-store.ts'
import { reviewerName } from './reviewer-name.ts'

/** The name of the controller, as the manifest has it. */
const controllerName = 'openchatml.review'

/** A note, as VS Code hands it back to commands. */
interface NoteComment extends vscode.Comment {
  readonly document: vscode.TextDocument
  readonly message: number
  readonly note: MessageNote
}

interface Open {
  readonly store: ReviewStore
  readonly stop: () => void
  threads: readonly vscode.CommentThread[]
  /** Counts what was asked for: an older answer is dropped when a newer one comes. */
  updates: number
}

/** What comments need of the rest of the extension. */
export interface MessageCommentsParts {
  readonly files: SampleFiles
  readonly library: ReviewLibrary
  /** True if what others say is hidden until the reviewer has decided. */
  readonly isBlind: (dataset: vscode.Uri) => boolean
}

/** The comments of all samples that are open. */
export class MessageComments implements vscode.Disposable {
  readonly #parts: MessageCommentsParts
  readonly #controller = vscode.comments.createCommentController(
    controllerName,
    vscode.l10n.t('OpenChatML Review'),
  )
  readonly #open = new Map<vscode.TextDocument, Open>()
  readonly #subscriptions: vscode.Disposable[]

  constructor(parts: MessageCommentsParts) {
    this.#parts = parts
    this.#controller.options = {
      prompt: vscode.l10n.t('Add a note on this message'),
      placeHolder: vscode.l10n.t('Note on the message'),
    }
    this.#controller.commentingRangeProvider = {
      provideCommentingRanges: (document) => {
        const first = this.#open.has(document) ? new MessageLines(document.getText()).first : undefined
        return first === undefined ? [] : [new vscode.Range(first, 0, document.lineCount - 1, 0)]
      },
    }
    const command = <Argument>(name: string, act: (argument: Argument) => unknown) =>
      vscode.commands.registerCommand(`openchatml.review.${name}`, act)
    this.#subscriptions = [
      this.#controller,
      vscode.workspace.onDidOpenTextDocument((document) => this.#opened(document)),
      vscode.workspace.onDidCloseTextDocument((document) => this.#closed(document)),
      parts.files.onDidSave(({ uri }) => {
        for (const document of this.#open.keys())
          if (document.uri.toString() === uri.toString()) void this.#update(document)
      }),
      command('addNote', (reply: vscode.CommentReply) => this.#add(reply)),
      command('editNote', (comment: NoteComment) => this.#setMode(comment, vscode.CommentMode.Editing)),
      command('cancelNote', (comment: NoteComment) => void this.#update(comment.document)),
      command('saveNote', (comment: NoteComment) => this.#change(comment, textOf(comment))),
      command('deleteNote', (comment: NoteComment) => this.#change(comment, '')),
    ]
    for (const document of vscode.workspace.textDocuments) this.#opened(document)
  }

  dispose(): void {
    for (const document of [...this.#open.keys()]) this.#closed(document)
    for (const it of this.#subscriptions) it.dispose()
  }

  #opened(document: vscode.TextDocument): void {
    const address = document.uri.scheme === sampleScheme ? sampleAddress(document.uri) : undefined
    if (!address || this.#open.has(document)) return
    const { library } = this.#parts
    const store = library.use(address.dataset, document)
    const stopListening = store.onChanged((line) => {
      if (line === undefined || line.place === address.number) void this.#update(document)
    })
    const stop = () => {
      stopListening()
      library.release(address.dataset, document)
    }
    this.#open.set(document, { store, stop, threads: [], updates: 0 })
    void this.#update(document)
  }

  #closed(document: vscode.TextDocument): void {
    const open = this.#open.get(document)
    if (!open) return
    this.#open.delete(document)
    open.updates++
    open.stop()
    for (const it of open.threads) it.dispose()
  }

  /** Shows what the review file says. It never rejects. */
  async #update(document: vscode.TextDocument): Promise<void> {
    const open = this.#open.get(document)
    const address = sampleAddress(document.uri)
    if (!open || !address) return
    const update = ++open.updates
    const said = await this.#said(document, open.store).catch(() => undefined) // review mode reports what is wrong with the file
    if (update !== open.updates) return
    const collapsed = new Set(open.threads.filter(isCollapsed).flatMap(messagesOf))
    for (const it of open.threads) it.dispose()
    const threads = said ? new MessageLines(document.getText()).threads(said.opinions, said) : []
    open.threads = threads.map(({ message, line, notes }) => {
      const range = new vscode.Range(line, 0, line, 0)
      const comments = notes.map((note) => commentOf(document, message, note, said?.isStale === true))
      const thread = this.#controller.createCommentThread(document.uri, range, comments)
      thread.label = vscode.l10n.t('Message {0}', message + 1)
      const { Collapsed, Expanded } = vscode.CommentThreadCollapsibleState
      thread.collapsibleState = collapsed.has(message) ? Collapsed : Expanded
      thread.canReply = !notes.some(({ isOwn }) => isOwn)
      return thread
    })
  }

  async #said(document: vscode.TextDocument, store: ReviewStore) {
    const { bytes, mapping, branch, number, dataset } = this.#sample(document)
    await store.load()
    const self = (await reviewerName(dataset)) ?? ''
    const hash = await hashOfBytes(bytes, mapping)
    const { opinions, isStale } = store.review.of(number, hash)
    const isOwn = ({ by }: Opinion) => by === self
    const isHidden = this.#parts.isBlind(dataset) && (isStale || opinions.find(isOwn)?.decision === undefined)
    return { self, branch, isStale, opinions: isHidden ? opinions.filter(isOwn) : opinions }
  }

  /** The sample as it is in its dataset. @throws Error if it is gone */
  #sample(document: vscode.TextDocument) {
    const address = sampleAddress(document.uri)
    const saved = this.#parts.files.savedSample(document.uri)
    if (!address || !saved) throw new Error(vscode.l10n.t('The sample no longer exists'))
    return { ...saved, ...address, branch: saved.branch }
  }

  async #add({ thread, text }: vscode.CommentReply): Promise<void> {
    const document = [...this.#open.keys()].find(({ uri }) => uri.toString() === thread.uri.toString())
    const message =
      document && thread.range && new MessageLines(document.getText()).messageAt(thread.range.start.line)
    const isNew = !this.#open.get(document as vscode.TextDocument)?.threads.includes(thread)
    if (document && message !== undefined && text.trim() !== '') {
      const shown = this.#open.get(document)?.threads.flatMap((it) => it.comments as readonly NoteComment[])
      const own = shown?.find((it) => it.message === message && it.note.isOwn)
      const { branch } = own?.note ?? this.#sample(document)
      const before = own ? `${own.note.text}\n\n` : ''
      await this.#append(document, {
        note: before + text.trim(),
        message,
        ...(branch !== undefined && { branch }),
      })
    }
    if (isNew) thread.dispose() // what the file says has a thread
  }

  /** Writes another text into a note of the reviewer; an empty one deletes it. */
  async #change({ document, message, note: { branch } }: NoteComment, text: string): Promise<void> {
    const note = text.trim()
    await this.#append(document, {
      note: note === '' ? null : note,
      message,
      ...(branch !== undefined && { branch }),
    })
  }

  async #append(document: vscode.TextDocument, line: Partial<ReviewLine>): Promise<void> {
    const open = this.#open.get(document)
    if (!open) return
    try {
      if (document.isDirty && !(await this.#saveFirst(document))) return
      const { bytes, mapping, number, dataset } = this.#sample(document)
      const by = await reviewerName(dataset)
      const hash = await hashOfBytes(bytes, mapping)
      const at = new Date().toISOString()
      await open.store.append({ place: number, hash, ...line, ...(by !== undefined && { by }), at })
    } catch (error) {
      void showError(vscode.l10n.t('The note was not saved: {0}', reasonOf(error)))
    } finally {
      await this.#update(document)
    }
  }

  /** Notes are about a sample as it is in its dataset. */
  async #saveFirst(document: vscode.TextDocument): Promise<boolean> {
    const save = vscode.l10n.t('Save Sample and Note')
    const question = vscode.l10n.t('Save the sample before the note?')
    const detail = vscode.l10n.t(
      'Notes refer to messages as they are in the dataset, but the sample has unsaved changes.',
    )
    const answer = await showWarning(question, { modal: true, detail }, save)
    return answer === save && (await document.save())
  }

  #setMode(comment: NoteComment, mode: vscode.CommentMode): void {
    const thread = this.#open.get(comment.document)?.threads.find((it) => it.comments.includes(comment))
    if (!thread) return
    comment.mode = mode
    thread.comments = [...thread.comments]
  }
}

function commentOf(
  document: vscode.TextDocument,
  message: number,
  note: MessageNote,
  isStale: boolean,
): NoteComment {
  return {
    document,
    message,
    note,
    body: note.text,
    mode: vscode.CommentMode.Preview,
    author: { name: note.by || vscode.l10n.t('Someone') },
    contextValue: note.isOwn ? 'own' : 'other',
    ...(isStale && { label: vscode.l10n.t('before the sample changed') }),
  }
}

function isCollapsed({ collapsibleState }: vscode.CommentThread): boolean {
  return collapsibleState === vscode.CommentThreadCollapsibleState.Collapsed
}

function messagesOf({ comments }: vscode.CommentThread): readonly number[] {
  return (comments as readonly NoteComment[]).map(({ message }) => message)
}

function textOf({ body }: vscode.Comment): string {
  return typeof body === 'string' ? body : body.value
}
