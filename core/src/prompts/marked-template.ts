/**
 * A template made ready to be filled: its parts put in, and marks around what it writes, so that the result can say where each
 * piece of it comes from. The marks are strings that the template itself writes.
 */
import { isTooLong, type JinjaInclude, type JinjaScan, type JinjaTag } from '../embedded/jinja.ts'
import type { JinjaTrim } from '../embedded/jinja-tokens.ts'
import type { Range } from '../text/range.ts'
import { partPath } from './part-path.ts'
import type { Part } from './parts.ts'

/** Where a piece of a filled body comes from. */
export interface PieceSource {
  /** `input`: what an expression wrote. `part`: the text of a part. */
  readonly kind: 'input' | 'part'
  /** The names that the expression uses, or the path of the part. */
  readonly names: readonly string[]
  /** The file with the tag; undefined for the prompt itself. */
  readonly path: string | undefined
  /** The tag in the body of the prompt, or in the part. */
  readonly range: Range
}

/** A template with marks. */
export interface MarkedTemplate {
  readonly text: string
  readonly sources: readonly PieceSource[]
  /** Where `offset` of `text` comes from. */
  originOf(offset: number): { readonly path: string | undefined; readonly offset: number }
}

/** A file with a template. */
interface TemplateFile {
  /** Undefined for the prompt itself. */
  readonly path: string | undefined
  readonly text: string
  readonly scan: JinjaScan
}

/** What a template is marked with. */
export interface Marking {
  /** The path of the prompt. */
  readonly path: string
  readonly parts: ReadonlyMap<string, Part>
  /** A character that is in no text and no value; undefined for no marks. */
  readonly mark: string | undefined
  /** About how many code units may be written: a part can be included many times, and include others. */
  readonly atMost: number
}

/** The body `text` with its parts and marks; undefined if that is too long. Parts that are not in `parts` write nothing. */
export function markedTemplate(text: string, scan: JinjaScan, marking: Marking): MarkedTemplate | undefined {
  const writer = new MarkWriter(marking)
  writer.add({ path: undefined, text, scan }, { isCaptured: false, depth: 0 })
  return writer.finish()
}

interface IncludeContext {
  readonly isCaptured: boolean
  readonly depth: number
}

const stretchCost = 20 // code units that take as much memory

interface Stretch {
  readonly at: number
  readonly path: string | undefined
  readonly offset: number
}

class MarkWriter {
  readonly #marking: Marking
  readonly #pieces: string[] = []
  readonly #stretches: Stretch[] = []
  readonly #sources: PieceSource[] = []
  #length = 0

  constructor(marking: Marking) {
    this.#marking = marking
  }

  finish(): MarkedTemplate | undefined {
    // A line break at the end of a template is dropped; that of a body is text.
    this.#write('{{ "" }}')
    if (this.#isTooLong) return undefined
    const stretches = this.#stretches
    return {
      text: this.#pieces.join(''),
      sources: this.#sources,
      originOf(offset) {
        const stretch = stretches.findLast(({ at }) => at <= offset)
        return { path: stretch?.path, offset: stretch ? stretch.offset + offset - stretch.at : 0 }
      },
    }
  }

  add(file: TemplateFile, around: IncludeContext): void {
    const { text, scan, path } = file
    const names = scan.names[Symbol.iterator]()
    let name = names.next()
    const includes = new Map(scan.includes.map((it) => [it.range.start, it]))
    let at = 0
    for (const tag of scan.tags) {
      if (this.#isTooLong) return
      this.#copy(file, at, tag.range.start)
      at = tag.range.end
      const used: string[] = []
      for (; !name.done && name.value.range.start < tag.range.end; name = names.next()) {
        if (tag.range.start <= name.value.range.start && !used.includes(name.value.name))
          used.push(name.value.name)
      }
      const isCaptured = around.isCaptured || tag.isCaptured
      const include = includes.get(tag.range.start)
      if (include) this.#include(file, tag, include, { ...around, isCaptured })
      else if (tag.kind === 'output' && !isCaptured)
        this.#output(file, tag, { kind: 'input', names: used, path, range: tag.range })
      else this.#tag(file, tag)
    }
    this.#copy(file, at, text.length)
  }

  #copy({ text, path }: TemplateFile, from: number, to: number): void {
    if (from >= to) return
    this.#stretches.push({ at: this.#length, path, offset: from })
    this.#write(text.slice(from, to))
  }

  #write(text: string): void {
    if (this.#isTooLong) return
    this.#pieces.push(text)
    this.#length += text.length
  }

  get #isTooLong(): boolean {
    return this.#length + stretchCost * this.#stretches.length > this.#marking.atMost
  }

  /** Jinja2 leaves the white space around statements alone unless a sign says otherwise; the renderer needs a sign for that. */
  #tag(file: TemplateFile, { kind, range, inside, word, opening, closing }: JinjaTag): void {
    if (kind === 'output') {
      this.#copy(file, range.start, range.end)
      return
    }
    const [open, close] = kind === 'comment' ? ['{#', '#}'] : ['{%', '%}']
    this.#write(open + (opening || '+'))
    this.#copy(file, inside.start, inside.end)
    // The line break after `{% raw %}` stays as it is, and the tag takes no plus sign.
    this.#write((closing || (word === 'raw' ? '' : '+')) + close)
  }

  #output(file: TemplateFile, { inside, opening, closing }: JinjaTag, source: PieceSource): void {
    this.#begin(source, opening)
    this.#write('{{')
    this.#copy(file, inside.start, inside.end)
    this.#write('}}')
    this.#end(closing)
  }

  #include(
    file: TemplateFile,
    { range, opening, closing }: JinjaTag,
    include: JinjaInclude,
    around: IncludeContext,
  ): void {
    const found = partPathOf(include, file.path ?? this.#marking.path)
    const part = found?.kind === 'path' ? this.#marking.parts.get(found.path) : undefined
    if (!part || isTooLong(part.scan) || around.depth >= deepest) {
      this.#write(`{{${opening} "" ${closing}}}`)
      return
    }
    const isMarked = !around.isCaptured
    if (isMarked) this.#begin({ kind: 'part', names: [part.path], path: file.path, range }, opening)
    // What a part sets ends with it.
    this.#write(isMarked ? '{%+ with +%}' : `{%${opening || '+'} with +%}`)
    this.add(part, { isCaptured: around.isCaptured, depth: around.depth + 1 })
    this.#write(isMarked ? '{%+ endwith +%}' : `{%+ endwith ${closing || '+'}%}`)
    if (isMarked) this.#end(closing)
  }

  #begin(source: PieceSource, sign: JinjaTrim): void {
    const { mark } = this.#marking
    const code = mark === undefined ? '' : `${mark}${this.#sources.length}${mark}`
    this.#sources.push(source)
    this.#write(`{{${sign === '-' ? '-' : ''} "${code}" }}`)
  }

  #end(sign: JinjaTrim): void {
    const { mark } = this.#marking
    this.#write(`{{ "${mark === undefined ? '' : mark + mark}" ${sign === '-' ? '-' : ''}}}`)
  }
}

/** Where the part is that is included; undefined for an include that is refused. */
function partPathOf(
  { path, isIsolated }: JinjaInclude,
  from: string,
): ReturnType<typeof partPath> | undefined {
  return path === undefined || isIsolated ? undefined : partPath(from, path)
}

const deepest = 16

/** What a rendering says, piece by piece. */
export interface MarkedPiece {
  readonly text: string
  /** Indexes of the sources, the outermost first. */
  readonly sources: readonly number[]
}

/** The pieces of `rendered`, which a template with marks wrote. */
export function piecesOf(rendered: string, mark: string | undefined): readonly MarkedPiece[] {
  if (mark === undefined) return [{ text: rendered, sources: [] }]
  const pieces: MarkedPiece[] = []
  let sources: readonly number[] = []
  for (const [index, text] of rendered.split(mark).entries()) {
    if (index % 2 === 0) {
      if (text !== '') pieces.push({ text, sources })
    } else sources = text === '' ? sources.slice(0, -1) : [...sources, Number(text)]
  }
  return pieces
}

/** A character for private use that none of `texts` has; undefined if they have them all. */
export function markFor(texts: Iterable<string>): string | undefined {
  const used = new Set<string>()
  for (const text of texts) for (const [character] of text.matchAll(/[\ue000-\uf8ff]/g)) used.add(character)
  for (let code = 0xe000; code <= 0xf8ff; code++) {
    const mark = String.fromCharCode(code)
    if (!used.has(mark)) return mark
  }
  return undefined
}
