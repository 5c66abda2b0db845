/** What is wrong with configuration files, told to the client as diagnostics of these files. */
import { type Connection, DiagnosticSeverity, type Position } from 'vscode-languageserver'
import type { ConfigurationProblem } from '../../core/src/index.ts'
import type { Log } from './guard.ts'
import { diagnosticSource } from './to-lsp.ts'

/** The problems of the files that were read. */
export class ConfigurationProblems {
  readonly #connection: Connection
  readonly #log: Log
  /** The text of each file as it was told of last. */
  readonly #told = new Map<string, string>()

  constructor(connection: Connection, log: Log) {
    this.#connection = connection
    this.#log = log
  }

  /** Takes over what was found in the file at `uri`; without `text` there is no such file any more. */
  found(uri: string, text: string | undefined, problems: readonly ConfigurationProblem[]): void {
    const told = this.#told.get(uri)
    if (told === text) return
    if (text === undefined || problems.length === 0) this.#told.delete(uri)
    else this.#told.set(uri, text)
    if (told === undefined && problems.length === 0) return
    // Not every client shows diagnostics of files that are not open.
    for (const { message } of problems) this.#log(`${uri}: ${message}`)
    const diagnostics = problems.map(({ range, message, isError }) => ({
      range: { start: positionAt(text ?? '', range.start), end: positionAt(text ?? '', range.end) },
      severity: isError ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
      source: diagnosticSource,
      message,
    }))
    void this.#connection.sendDiagnostics({ uri, diagnostics })
  }
}

/** A configuration is short: nothing is remembered of its lines. */
function positionAt(text: string, offset: number): Position {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/)
  return { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 }
}
