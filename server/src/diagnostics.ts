/** Diagnostics of a document: pulled by clients that can, pushed to the others. */
import {
  type CancellationToken,
  type Diagnostic,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  LSPErrorCodes,
  ResponseError,
} from 'vscode-languageserver'
import type { OpenDocument } from './open-document.ts'
import { inBackground, inSlices } from './scheduler.ts'
import { toDiagnostic, toOverflow } from './to-lsp.ts'

const segmentsPerStep = 8 // a step is short against a slice, unless a message is huge

/** Makes diagnostics and remembers what each document was last told. */
export class Diagnostics {
  readonly #documentationBase: string | undefined
  readonly #last = new WeakMap<OpenDocument, Report>()
  #reports = 0

  constructor(documentationBase: string | undefined) {
    this.#documentationBase = documentationBase
  }

  /**
   * The report for a client that pulls: `unchanged` if `previousResultId` stands for the same diagnostics.
   *
   * @throws ResponseError RequestCancelled; ServerCancelled, which makes the client ask again, if the document changed
   */
  async pull(
    document: OpenDocument,
    previousResultId: string | undefined,
    token: CancellationToken,
  ): Promise<DocumentDiagnosticReport> {
    if (document.checker.isPending) await checkWhileWaited(document, token)
    const { resultId, items } = this.#report(document)
    if (resultId === previousResultId) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId }
    return { kind: DocumentDiagnosticReportKind.Full, resultId, items: [...items] }
  }

  /** The diagnostics as they are now; complete only when no check is pending. */
  items(document: OpenDocument): readonly Diagnostic[] {
    return this.#report(document).items
  }

  /** What the document has now, made once per generation; equal diagnostics keep their result id. */
  #report(document: OpenDocument): Report {
    const last = this.#last.get(document)
    const { generation } = document
    const { isPending } = document.checker
    if (last && last.generation === generation && last.isPending === isPending) return last
    const items = diagnosticsOf(document, this.#documentationBase)
    const key = JSON.stringify(items)
    const resultId = last && last.key === key ? last.resultId : `${++this.#reports}`
    const report = { generation, isPending, items, key, resultId }
    this.#last.set(document, report)
    return report
  }
}

interface Report {
  readonly generation: number
  readonly isPending: boolean
  readonly items: readonly Diagnostic[]
  readonly key: string
  readonly resultId: string
}

/** At most as many as the settings allow; if there are more, the last entry says how many. */
function diagnosticsOf(document: OpenDocument, documentationBase: string | undefined): readonly Diagnostic[] {
  const limit = document.settings.maxProblems
  const { problems, total } = document.checker.problems(limit)
  const hasMore = total > limit
  const shown = hasMore ? problems.slice(0, limit - 1) : problems
  const items = shown.map((problem) => toDiagnostic(document, problem, documentationBase))
  if (!hasMore) return items
  const position = items.at(-1)?.range.end ?? { line: 0, character: 0 }
  return [...items, toOverflow({ start: position, end: position }, total - shown.length, limit)]
}

async function checkWhileWaited(document: OpenDocument, token: CancellationToken): Promise<void> {
  try {
    await inSlices({ document, token }, () => document.checker.advance(segmentsPerStep))
  } catch (error) {
    if (!(error instanceof ResponseError) || error.code !== LSPErrorCodes.ContentModified) throw error
    // Answered with `ContentModified`, clients take the diagnostics away; this makes them ask again.
    throw new ResponseError(LSPErrorCodes.ServerCancelled, 'The document changed', { retriggerRequest: true })
  }
}

/** Runs the checks that are pending on `document`, until it is closed. */
export async function checkInBackground(document: OpenDocument): Promise<void> {
  await inBackground(
    () => !document.isClosed && document.checker.isPending,
    () => document.checker.advance(segmentsPerStep),
  )
}
