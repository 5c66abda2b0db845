/** From the protocol's types to ours; the other direction is in `to-lsp.ts`. */
import type * as lsp from 'vscode-languageserver'
import { ErrorCodes, ResponseError } from 'vscode-languageserver'
import type { Range } from '../../core/src/internal.ts'
import type { ContentChange, OpenDocument } from './open-document.ts'

/**
 * The offset of `position`. After the end of its line, the end of the line counts, as the protocol wants it.
 *
 * @throws ResponseError InvalidParams if the document has no such line
 */
export function fromPosition({ transcript }: OpenDocument, position: lsp.Position | undefined): number {
  const { line, character } = checked(position)
  if (line >= transcript.lineCount) throw outside(line, transcript.lineCount)
  return transcript.offsetAt({ line, character })
}

/**
 * The range in offsets; never backwards. An end after the end of the document is its end: editors ask for more lines than there are.
 *
 * @throws ResponseError InvalidParams if it begins after the end of the document
 */
export function fromRange({ transcript }: OpenDocument, range: lsp.Range | undefined): Range {
  const start = checked(range?.start)
  const end = checked(range?.end)
  const first = Math.min(start.line, end.line)
  // The line after the last one is where a range of whole lines ends.
  if (first > transcript.lineCount) throw outside(first, transcript.lineCount)
  const [from, to] = [transcript.offsetAt(start), transcript.offsetAt(end)]
  return { start: Math.min(from, to), end: Math.max(from, to) }
}

/** Whatever a client sends. @throws ResponseError InvalidParams if it is not a position */
function checked(position: lsp.Position | undefined): lsp.Position {
  const { line, character } = position ?? {}
  if (isNatural(line) && isNatural(character)) return { line, character }
  throw new ResponseError(ErrorCodes.InvalidParams, 'A position has a line and a character, both from zero')
}

function isNatural(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0
}

function outside(line: number, lineCount: number): ResponseError<void> {
  return new ResponseError(ErrorCodes.InvalidParams, `There is no line ${line} in a document of ${lineCount}`)
}

/** A change of the text. */
export function fromContentChange(change: lsp.TextDocumentContentChangeEvent): ContentChange {
  if (!('range' in change)) return { range: undefined, text: change.text }
  const { start, end } = change.range
  return {
    range: {
      start: { line: natural(start.line), character: natural(start.character) },
      end: { line: natural(end.line), character: natural(end.character) },
    },
    text: change.text,
  }
}

function natural(value: number): number {
  return Number.isFinite(value) ? Math.max(0, Math.floor(value)) : 0
}
