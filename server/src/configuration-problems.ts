/** What is wrong with configuration files, published as diagnostics of these files. */
import { type Connection, type Diagnostic, DiagnosticSeverity } from 'vscode-languageserver'
import { type ConfigurationProblem, positionAmong, startsOfLines } from '../../core/src/internal.ts'
import type { Log } from './guard.ts'
import { diagnosticSource } from './to-lsp.ts'

/** The problems of the files that were read. */
export class ConfigurationProblems {
  readonly #connection: Connection
  readonly #log: Log
  /** What was published of each file that has problems, as JSON. */
  readonly #published = new Map<string, string>()

  constructor(connection: Connection, log: Log) {
    this.#connection = connection
    this.#log = log
  }

  /** Takes over what was found in the file at `uri`, which holds `text`. */
  found(uri: string, text: string, problems: readonly ConfigurationProblem[]): void {
    const before = this.#published.get(uri)
    if (before === undefined && problems.length === 0) return
    const diagnostics = diagnosticsOf(text, problems)
    const after = JSON.stringify(diagnostics)
    if (before === after) return
    if (problems.length === 0) this.#published.delete(uri)
    else this.#published.set(uri, after)
    const [first] = diagnostics
    if (first) {
      // Not every client shows diagnostics of files that are not open. A log holds no words of a file, so it only points there.
      const { line, character } = first.range.start
      const count = diagnostics.length
      this.#log(
        `${uri}:${line + 1}:${character + 1}: the configuration has problems: ${count}; run \`ocm check\``,
      )
    }
    void this.#connection.sendDiagnostics({ uri, diagnostics })
  }
}

function diagnosticsOf(text: string, problems: readonly ConfigurationProblem[]): Diagnostic[] {
  const starts = startsOfLines(text)
  return problems.map(({ range, message, isError }) => ({
    range: { start: positionAmong(starts, range.start), end: positionAmong(starts, range.end) },
    severity: isError ? DiagnosticSeverity.Error : DiagnosticSeverity.Warning,
    source: diagnosticSource,
    message,
  }))
}
