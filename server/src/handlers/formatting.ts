/** `textDocument/formatting` and `textDocument/rangeFormatting` */
import type {
  CancellationToken,
  DocumentFormattingParams,
  DocumentRangeFormattingParams,
  TextEdit,
} from 'vscode-languageserver'
import { formatEdits, jsonFormatEdits, type Range } from '../../../core/src/internal.ts'
import { fromRange } from '../from-lsp.ts'
import { collect, type Job } from '../scheduler.ts'
import type { ServerContext } from '../server-context.ts'
import { toTextEdits } from '../to-lsp.ts'

/** Formats the document. */
export async function handleFormatting(
  context: ServerContext,
  params: DocumentFormattingParams,
  token: CancellationToken,
): Promise<TextEdit[]> {
  const document = context.document(params.textDocument)
  return editsIn({ document, token }, { start: 0, end: document.transcript.length })
}

/** Formats what touches a range; JSON only where the range lies in it. */
export async function handleRangeFormatting(
  context: ServerContext,
  params: DocumentRangeFormattingParams,
  token: CancellationToken,
): Promise<TextEdit[]> {
  const document = context.document(params.textDocument)
  const range = fromRange(document, params.range)
  const inJson = jsonFormatEdits(document.analysis, range, params.options)
  if (inJson) return toTextEdits(document, inJson)
  return editsIn({ document, token }, range)
}

async function editsIn(job: Job, range: Range): Promise<TextEdit[]> {
  const { analysis, settings } = job.document
  const { items } = await collect(formatEdits(analysis, range, settings.format), job)
  return toTextEdits(job.document, items)
}
