/** Fills open prompts with their cases when nothing is typed, so that the rules on prompts run in every editor. */
import type { Connection } from 'vscode-languageserver'
import {
  casesInHeader,
  casesPath,
  checkPrompt,
  isPrompt,
  type PartReading,
  type PromptFileText,
  type PromptSource,
  readCases,
  readParts,
} from '../../core/src/internal.ts'
import { promptFileReader, type ReadPromptFile } from './client-files.ts'
import { describe } from './guard.ts'
import type { OpenDocument } from './open-document.ts'
import { isSample } from './project-settings.ts'
import type { ServerContext } from './server-context.ts'

const pause = 400 // milliseconds without typing: all cases are filled
const largestPrompt = 1_000_000 // code units; larger ones are checked by `ocm check`

/** What filling needs to know of its documents. */
export interface PromptFillerOptions {
  /** Fulfilled when the settings of a document are in force. */
  readonly settled: (document: OpenDocument) => Promise<void>
  /** Called when a document has other problems than before, without having been edited. */
  readonly onFound: (document: OpenDocument) => void
}

interface ReadPrompt {
  readonly source: PromptSource
  readonly texts: readonly PromptFileText[]
}

/** The prompts among the open documents. */
export class PromptFiller {
  readonly #context: ServerContext
  readonly #options: PromptFillerOptions
  readonly #read: ReadPromptFile
  readonly #timers = new Map<OpenDocument, ReturnType<typeof setTimeout>>()
  /** The files that each prompt was filled from, or looked for. */
  readonly #files = new WeakMap<OpenDocument, ReadonlySet<string>>()

  constructor(connection: Connection, context: ServerContext, options: PromptFillerOptions) {
    this.#context = context
    this.#options = options
    this.#read = promptFileReader(connection, context)
  }

  /** Fills `document` once it has not changed for a while, if it is a prompt, and those that it is a part of. */
  follow(document: OpenDocument): void {
    this.#schedule(document)
    this.changed([document.uri])
  }

  /** Takes over that files at `uris` have changed. */
  changed(uris: readonly string[]): void {
    const keys = new Set(uris.map(keyOf))
    for (const document of this.#context.documents.values()) {
      const files = this.#files.get(document)
      if (files && [...keys].some((it) => files.has(it))) this.#schedule(document)
    }
  }

  /** The parts and cases of `document` as they are now; none for what is not a prompt, and where they may not be read. */
  async filesOf(document: OpenDocument): Promise<readonly PromptFileText[]> {
    if (isDerived(document.uri) || !isPrompt(document.analysis)) return []
    return (await this.#promptOf(document))?.texts ?? []
  }

  /** Fills `document` no more. */
  forget(document: OpenDocument): void {
    clearTimeout(this.#timers.get(document))
    this.#timers.delete(document)
  }

  #schedule(document: OpenDocument): void {
    const { analysis, checker, uri, transcript } = document
    this.forget(document)
    if (isDerived(uri)) return
    if (!checker.isFilled && (transcript.length > largestPrompt || !isPrompt(analysis))) return
    const fill = () => {
      this.#timers.delete(document)
      this.#fill(document).catch((error) => this.#context.log(describe('filling a prompt', error)))
    }
    this.#timers.set(document, setTimeout(fill, pause))
  }

  async #fill(document: OpenDocument): Promise<void> {
    await this.#options.settled(document)
    const { generation, checker, analysis } = document
    const isOutdated = () => document.isClosed || document.generation !== generation
    const isFillable = isPrompt(analysis) && document.transcript.length <= largestPrompt
    const prompt = isFillable ? (await this.#promptOf(document))?.source : undefined
    if (isOutdated()) return // what changed it filled it again, or will
    const check = prompt && checkPrompt(prompt)
    const counts = check && check.texts.length > 0 ? await this.#context.textCounter.count(check.texts) : []
    if (isOutdated()) return
    const before = checker.revision
    checker.fill(check?.cases(counts))
    if (checker.revision !== before) this.#options.onFound(document)
  }

  /** The prompt with its cases and parts; undefined where these may not be read, as in Restricted Mode of VS Code. */
  async #promptOf(document: OpenDocument): Promise<ReadPrompt | undefined> {
    const { uri, analysis } = document
    const { root, path } = placeOf(uri, this.#context.folders)
    const files = new Set<string>()
    this.#files.set(document, files) // at once: a file may change while others are read
    let isTrusted = true
    const texts: PromptFileText[] = []
    const read = async (path: string, kind: PromptFileText['kind']): Promise<PartReading> => {
      if (root === undefined) return { kind: 'missing' }
      const uri = root + path.split('/').map(encodeURIComponent).join('/')
      files.add(keyOf(uri))
      const open = this.#openDocument(uri)
      const reading = open
        ? ({ kind: 'read', text: open.transcript.text() } as const)
        : await this.#read(uri, root)
      if (reading.kind === 'read') texts.push({ kind, uri: open?.uri ?? uri, text: reading.text })
      if (reading.kind !== 'untrusted') return reading
      isTrusted = false
      return { kind: 'missing' }
    }
    const parts = await readParts(analysis, path, (it) => read(it, 'part'))
    const beside = await read(casesPath(path), 'cases')
    const inFile = beside.kind === 'read' ? readCases(beside.text, analysis).cases : []
    const source = { analysis, path, parts, cases: [...casesInHeader(analysis), ...inFile] }
    return isTrusted ? { source, texts } : undefined
  }

  #openDocument(uri: string): OpenDocument | undefined {
    if (this.#context.options.readsFiles) return undefined // the client looks for itself
    const key = keyOf(uri)
    return [...this.#context.documents.values()].find((it) => keyOf(it.uri) === key)
  }
}

/** A version in Git and a sample of a dataset have no files next to them. */
function isDerived(uri: string): boolean {
  return uri.startsWith('git:') || isSample(uri)
}

/** The folder that parts are read from, with a slash at its end, and the path of the document in it. */
function placeOf(
  uri: string,
  folders: readonly string[],
): { readonly root: string | undefined; readonly path: string } {
  const url = URL.canParse(uri) ? new URL(uri) : undefined
  if (!url?.pathname.startsWith('/')) return { root: undefined, path: '' } // such as `untitled:Untitled-1`
  const around = folders
    .map((it) => (it.endsWith('/') ? it : `${it}/`))
    .filter((it) => keyOf(uri).startsWith(keyOf(it)))
    .sort((one, other) => other.length - one.length)
  const root = around[0] ?? new URL('.', url).href
  return { root, path: keyOf(uri).slice(keyOf(root).length) }
}

/** The same for all ways to write an address: clients escape different characters. */
function keyOf(uri: string): string {
  try {
    return decodeURIComponent(uri)
  } catch {
    return uri
  }
}
