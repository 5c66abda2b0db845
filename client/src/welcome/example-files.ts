/** The folder `samples` of the extension as a file system that cannot be written: the same on a desktop and in a browser. */
import * as vscode from 'vscode'

/** The scheme of addresses of examples: `openchatml-example:/16-prompt.ocm`. */
export const exampleScheme = 'openchatml-example'

const noPermission = (uri: vscode.Uri) => vscode.FileSystemError.NoPermissions(uri)

/** Reads what the extension brings with it, and nothing else. */
export class ExampleFiles implements vscode.FileSystemProvider, vscode.Disposable {
  readonly #folder: vscode.Uri
  readonly #changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>()
  /** Never fires: what is installed does not change. */
  readonly onDidChangeFile = this.#changed.event

  constructor(extension: vscode.Uri) {
    this.#folder = vscode.Uri.joinPath(extension, 'samples')
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {})
  }

  /** Files only: in a browser, the extension is on a server that lists no folders and does not say how large files are. */
  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    if (uri.path === '/') return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 }
    const { length } = await this.readFile(uri)
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size: length }
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const file = vscode.Uri.joinPath(this.#folder, uri.path)
    if (!file.path.startsWith(`${this.#folder.path}/`)) throw noPermission(uri)
    try {
      return await vscode.workspace.fs.readFile(file)
    } catch {
      throw vscode.FileSystemError.FileNotFound(uri)
    }
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    throw noPermission(uri)
  }

  createDirectory(uri: vscode.Uri): void {
    throw noPermission(uri)
  }

  writeFile(uri: vscode.Uri): void {
    throw noPermission(uri)
  }

  delete(uri: vscode.Uri): void {
    throw noPermission(uri)
  }

  rename(uri: vscode.Uri): void {
    throw noPermission(uri)
  }

  dispose(): void {
    this.#changed.dispose()
  }
}
