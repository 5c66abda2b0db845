/** A file system in memory, of which each operation can fail when a test says so. */
import * as vscode from 'vscode'

/** What a file system is asked for. */
export interface Operation {
  readonly name: 'stat' | 'readFile' | 'writeFile' | 'readDirectory' | 'createDirectory' | 'delete' | 'rename'
  readonly uri: vscode.Uri
}

/** Files and folders by their paths. The folder `/` is there. */
export class MemoryFiles implements vscode.FileSystemProvider {
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>()
  readonly onDidChangeFile = this.#changed.event
  /** Content of files; undefined for folders. */
  readonly #entries = new Map<string, Uint8Array | undefined>([['/', undefined]])
  /** What was asked for, in order. */
  readonly operations: Operation[] = []
  /** Says why an operation fails; a write that fails leaves half of the content. */
  failure: (operation: Operation) => Error | undefined = () => undefined

  /** The paths of all files and folders but `/`, in order. */
  get paths(): readonly string[] {
    return [...this.#entries.keys()].filter((it) => it !== '/').sort()
  }

  /** The content of the file at `path`; undefined if there is none. */
  at(path: string): Uint8Array | undefined {
    return this.#entries.get(path)
  }

  /** Writes a file as another program does, with the folders that it is in. */
  put(path: string, content: Uint8Array): void {
    for (let it = parentOf(path); it !== '/'; it = parentOf(it)) this.#entries.set(it, undefined)
    this.#entries.set(path, content)
  }

  watch(): vscode.Disposable {
    return { dispose() {} }
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    this.#begin('stat', uri)
    const content = this.#found(uri)
    const type = content ? vscode.FileType.File : vscode.FileType.Directory
    return { type, ctime: 0, mtime: 0, size: content?.length ?? 0 }
  }

  readFile(uri: vscode.Uri): Uint8Array {
    this.#begin('readFile', uri)
    const content = this.#found(uri)
    if (!content) throw vscode.FileSystemError.FileIsADirectory(uri)
    return content
  }

  /** Fails as a promise: after an exception, VS Code would never write this file again. */
  async writeFile(uri: vscode.Uri, content: Uint8Array): Promise<void> {
    const folder = parentOf(uri.path)
    if (!this.#entries.has(folder) || this.#entries.get(folder))
      throw vscode.FileSystemError.FileNotFound(uri.with({ path: folder }))
    try {
      this.#begin('writeFile', uri)
    } catch (error) {
      this.#entries.set(uri.path, content.slice(0, content.length / 2))
      throw error
    }
    this.#entries.set(uri.path, content)
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    this.#begin('readDirectory', uri)
    this.#found(uri)
    return this.paths
      .filter((it) => parentOf(it) === uri.path)
      .map((it) => [
        it.slice(it.lastIndexOf('/') + 1),
        this.#entries.get(it) ? vscode.FileType.File : vscode.FileType.Directory,
      ])
  }

  createDirectory(uri: vscode.Uri): void {
    this.#begin('createDirectory', uri)
    if (this.#entries.has(uri.path)) throw vscode.FileSystemError.FileExists(uri)
    this.#entries.set(uri.path, undefined)
  }

  /** Removes a folder with all that is in it, as some file systems do whatever they are asked for. */
  delete(uri: vscode.Uri): void {
    this.#begin('delete', uri)
    this.#found(uri)
    for (const it of this.paths)
      if (it === uri.path || it.startsWith(`${uri.path}/`)) this.#entries.delete(it)
  }

  rename(uri: vscode.Uri): void {
    this.#begin('rename', uri)
    throw vscode.FileSystemError.NoPermissions(uri)
  }

  #begin(name: Operation['name'], uri: vscode.Uri): void {
    const operation = { name, uri }
    this.operations.push(operation)
    const error = this.failure(operation)
    if (error) throw error
  }

  #found(uri: vscode.Uri): Uint8Array | undefined {
    if (!this.#entries.has(uri.path)) throw vscode.FileSystemError.FileNotFound(uri)
    return this.#entries.get(uri.path)
  }
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')))
}

/** The scheme of addresses in {@link withMemoryFiles}. */
export const memoryScheme = 'memory-of-test'

/** The address of a file in memory. */
export function memoryUri(path: string): vscode.Uri {
  return vscode.Uri.from({ scheme: memoryScheme, path })
}

/** Runs a test with a file system in memory. */
export async function withMemoryFiles(run: (files: MemoryFiles) => Promise<void>): Promise<void> {
  const files = new MemoryFiles()
  const registered = vscode.workspace.registerFileSystemProvider(memoryScheme, files, {
    isCaseSensitive: true,
  })
  try {
    await run(files)
  } finally {
    registered.dispose()
  }
}
