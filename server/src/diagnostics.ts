/** Diagnostics of a document: pulled by clients that can, pushed to the others. */
import {
  type CancellationToken,
  type DocumentDiagnosticReport,
  DocumentDiagnosticReportKind,
  LSPErrorCodes,
  type PublishDiagnosticsParams,
  ResponseError,
} from 'vscode-languageserver'
import { DocumentReport, type Report } from './document-report.ts'
import type { OpenDocument } from './open-document.ts'
import { withJson } from './prepared-json.ts'
import { inBackground, inSlices, type Job, whenIdle } from './scheduler.ts'

const segmentsPerStep = 16 // a step is short against a slice, unless messages are huge

/** Makes diagnostics and remembers what was last sent for each document. */
export class Diagnostics {
  readonly #documentationBase: string | undefined
  readonly #reports = new WeakMap<OpenDocument, DocumentReport>()
  #ids = 0

  constructor(documentationBase: string | undefined) {
    this.#documentationBase = documentationBase
  }

  /**
   * The report for a client that pulls: `unchanged` if `previousResultId` stands for the same diagnostics. While a control
   * token is being typed, the answer waits for its end, so that nothing appears and disappears with every character.
   *
   * @throws ResponseError RequestCancelled; ServerCancelled, which makes the client ask again, if the document changed
   */
  async pull(
    document: OpenDocument,
    previousResultId: string | undefined,
    token: CancellationToken,
  ): Promise<DocumentDiagnosticReport> {
    if (document.beginsToken || document.checker.isPending) await checkWhileWaited({ document, token })
    const report = this.#report(document)
    const { resultId } = report
    if (resultId === previousResultId) return { kind: DocumentDiagnosticReportKind.Unchanged, resultId }
    const answer: DocumentDiagnosticReport = {
      kind: DocumentDiagnosticReportKind.Full,
      resultId,
      get items() {
        return [...report.items]
      },
    }
    const before = `{"kind":"${answer.kind}","resultId":${JSON.stringify(resultId)},"items":`
    return withJson(answer, { before, bytes: report.json, after: '}' })
  }

  /** The message to a client that does not pull, with the diagnostics as they are now; complete only when no check is pending. */
  published(document: OpenDocument): PublishDiagnosticsParams {
    const { uri, version } = document
    const report = this.#report(document)
    const message: PublishDiagnosticsParams = {
      uri,
      version,
      get diagnostics() {
        return [...report.items]
      },
    }
    const before = `{"uri":${JSON.stringify(uri)},"version":${JSON.stringify(version)},"diagnostics":`
    return withJson(message, { before, bytes: report.json, after: '}' })
  }

  #report(document: OpenDocument): Report {
    let report = this.#reports.get(document)
    if (!report) {
      report = new DocumentReport(document, this.#documentationBase, () => `${++this.#ids}`)
      this.#reports.set(document, report)
    }
    return report.current()
  }
}

async function checkWhileWaited(job: Job): Promise<void> {
  const { document } = job
  try {
    if (document.beginsToken) {
      await whenIdle(job)
      document.takeAsMeant()
    }
    await inSlices(job, () => document.checker.advance(segmentsPerStep))
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
