/**
 * The outline in the protocol's types. Where the parts of a message are is remembered with it, in lines and characters
 * from its start: after a keystroke, all other messages only have to be put where they are now.
 */
import * as lsp from 'vscode-languageserver'
import {
  type Located,
  type OutlineItem,
  type Position,
  positionAmong,
  type Segment,
  type Span,
  type SymbolKind,
  startsOfLines,
  type Transcript,
} from '../../core/src/internal.ts'

const symbolKinds: Readonly<Record<SymbolKind, lsp.SymbolKind>> = {
  header: lsp.SymbolKind.Module,
  turn: lsp.SymbolKind.Namespace,
  instructions: lsp.SymbolKind.Constant,
  user: lsp.SymbolKind.Interface,
  answer: lsp.SymbolKind.String,
  reasoning: lsp.SymbolKind.Field,
  call: lsp.SymbolKind.Function,
  reply: lsp.SymbolKind.Event,
  other: lsp.SymbolKind.File,
  heading: lsp.SymbolKind.String,
  object: lsp.SymbolKind.Object,
  array: lsp.SymbolKind.Array,
  value: lsp.SymbolKind.Property,
  string: lsp.SymbolKind.String,
  number: lsp.SymbolKind.Number,
  boolean: lsp.SymbolKind.Boolean,
  tool: lsp.SymbolKind.Method,
}

/** Makes the tree of the outline, entry by entry in document order; what is deeper goes into the last one that is less deep. */
export class SymbolTree {
  readonly top: lsp.DocumentSymbol[] = []
  readonly #open: lsp.DocumentSymbol[] = []
  readonly #places: SegmentPlaces
  /** The lines of the segment that was looked at last: its spans come one after the other. */
  #lines: { readonly segment: Segment; readonly starts: readonly number[] } | undefined

  constructor(transcript: Transcript) {
    this.#places = new SegmentPlaces(transcript)
  }

  add(located: Located, depth: number, { kind, name, detail, span, label }: OutlineItem): void {
    const start = this.#places.startOf(located)
    const symbol: lsp.DocumentSymbol = {
      name: name === '' ? '…' : name,
      detail,
      kind: symbolKinds[kind],
      range: placed(start, this.#linesOf(located.segment, span)),
      selectionRange: placed(start, this.#linesOf(located.segment, label)),
    }
    this.#open.length = Math.min(this.#open.length, depth)
    const parent = this.#open.at(-1)
    if (!parent) this.top.push(symbol)
    else if (parent.children) parent.children.push(symbol)
    else parent.children = [symbol]
    for (const it of this.#open) if (isBefore(it.range.end, symbol.range.end)) it.range.end = symbol.range.end
    this.#open.push(symbol)
  }

  /** The span in lines and characters from the start of its segment. */
  #linesOf(segment: Segment, span: Span): lsp.Range {
    const known = linesBySpan.get(span)
    if (known) return known
    if (this.#lines?.segment !== segment) this.#lines = { segment, starts: startsOfLines(segment.text) }
    const { starts } = this.#lines
    const range = { start: positionAmong(starts, span.from), end: positionAmong(starts, span.to) }
    linesBySpan.set(span, range)
    return range
  }
}

const linesBySpan = new WeakMap<Span, lsp.Range>()

/** The same for clients that know no trees. */
export function flatSymbols(uri: string, symbols: readonly lsp.DocumentSymbol[]): lsp.SymbolInformation[] {
  return symbols.flatMap(({ name, kind, detail = '', range, children = [] }) => [
    { name, kind, containerName: detail, location: { uri, range } },
    ...flatSymbols(uri, children),
  ])
}

/** The symbol of a note at the end of the document. */
export function noteAtEnd({ transcript }: { readonly transcript: Transcript }, name: string, detail: string) {
  const end = transcript.positionAt(transcript.length)
  const range = { start: end, end }
  return { name, detail, kind: symbolKinds.other, range, selectionRange: range }
}

/** Where all segments start: one quick pass, because nearly all of them will be asked for. */
class SegmentPlaces {
  readonly #lines: Uint32Array
  readonly #characters: Uint32Array

  constructor(transcript: Transcript) {
    this.#lines = new Uint32Array(transcript.segmentCount + 1)
    this.#characters = new Uint32Array(transcript.segmentCount + 1)
    let index = 0
    let line = 0
    let character = 0
    transcript.forEachSegment(({ lineBreaks, lastLineLength }) => {
      line += lineBreaks
      character = lineBreaks > 0 ? lastLineLength : character + lastLineLength
      index++
      this.#lines[index] = line
      this.#characters[index] = character
    })
  }

  startOf({ index }: Located): Position {
    return { line: this.#lines[index] ?? 0, character: this.#characters[index] ?? 0 }
  }
}

function placed(start: Position, range: lsp.Range): lsp.Range {
  return { start: placedAt(start, range.start), end: placedAt(start, range.end) }
}

function placedAt(start: Position, { line, character }: Position): lsp.Position {
  return { line: start.line + line, character: line === 0 ? start.character + character : character }
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character)
}
