/**
 * Edits of a dataset that is not written itself (S2). They are in a file next to it, `NAME.edits.jsonl`, a line for each sample that
 * was edited: `{"row": 17, "hash": "sha256:…", "sample": {…}}`. `row` is the number that lists and reports name the sample by, and
 * `hash` that of its bytes before the edit, unpacked, so that an edit is never applied to another sample.
 */

import { jsonTree } from '../../embedded/json-tree.ts'
import { hashText } from '../../text/hash-text.ts'
import { localize } from '../../text/localize.ts'
import { memberOf } from '../merge-json.ts'
import type { Stretch } from '../stretch-cutter.ts'
import { samplePlaces } from '../stretch-cutter.ts'

declare const TextEncoder: new () => { encode(text: string): Uint8Array }
declare const crypto: {
  readonly subtle: { digest(algorithm: 'SHA-256', bytes: Uint8Array): Promise<ArrayBuffer> }
}

/** Bytes of the largest file of edits that is read. */
export const largestOverlay = 256 * 2 ** 20

/** The path of the edits of the dataset at `path`. */
export function overlayPath(path: string): string {
  return `${path}.edits.jsonl`
}

/** True for the name of a file of edits: it is not a dataset of its own. */
export function isOverlayName(path: string): boolean {
  return /\.(?:gz|zst|parquet)\.edits\.jsonl$/i.test(path)
}

/** An edit of one sample. */
export interface SampleEdit {
  /** The number of the sample: its line from 1, or its element or row from 0. */
  readonly row: number
  /** Of the sample that was edited. */
  readonly hash: string
  /** The sample now: JSON on one line. */
  readonly json: string
  /** Its line among the edits, from 1. */
  readonly line: number
}

/** A line that is not an edit. */
export interface OverlayMistake {
  /** From 1. */
  readonly line: number
  readonly message: string
}

/** The edits of a dataset. */
export interface Overlay {
  /** By the number of the sample; the last edit of each. */
  readonly edits: ReadonlyMap<number, SampleEdit>
  readonly mistakes: readonly OverlayMistake[]
}

/** No edits. */
export const noEdits: Overlay = { edits: new Map(), mistakes: [] }

/** The edits that `text` holds. */
export function overlayOf(text: string): Overlay {
  const edits = new Map<number, SampleEdit>()
  const mistakes: OverlayMistake[] = []
  linesOf(text).forEach((line, index) => {
    if (line.trim() === '') return
    const edit = editIn(line, index + 1)
    if (typeof edit === 'string') mistakes.push({ line: index + 1, message: edit })
    else edits.set(edit.row, edit)
  })
  return { edits, mistakes }
}

/** An edit to be written. */
export type FreshEdit = Pick<SampleEdit, 'hash' | 'json'>

/**
 * `text` with `edits`, by the numbers of their samples, in the place of other edits of these samples; undefined takes those away. All
 * other lines stay as they are.
 */
export function overlayWith(text: string, edits: ReadonlyMap<number, FreshEdit | undefined>): string {
  const kept = linesOf(text).filter((line) => {
    if (line.trim() === '') return false
    const other = editIn(line, 0)
    return typeof other === 'string' || !edits.has(other.row)
  })
  // Text of the sample stays as it is written: numbers keep their digits.
  for (const [row, edit] of edits)
    if (edit) kept.push(`{"row":${row},"hash":${JSON.stringify(edit.hash)},"sample":${onOneLine(edit.json)}}`)
  return kept.map((line) => `${line}\n`).join('')
}

function linesOf(text: string): readonly string[] {
  return text.replace(/^\ufeff/, '').split(/\r?\n/)
}

/** JSON without line breaks, which are white space in it. */
function onOneLine(json: string): string {
  return json.replaceAll(/[\r\n]+\s*/g, ' ')
}

function editIn(line: string, number: number): SampleEdit | string {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    return localize`This is not JSON`
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return notAnEdit()
  const { row, hash } = value as { readonly row?: unknown; readonly hash?: unknown }
  if (typeof row !== 'number' || !Number.isSafeInteger(row) || row < 0 || typeof hash !== 'string')
    return notAnEdit()
  const sample = memberOf(jsonTree(line).root, 'sample')
  if (!sample) return notAnEdit()
  return { row, hash, json: line.slice(sample.offset, sample.offset + sample.length), line: number }
}

function notAnEdit(): string {
  return localize`An edit must have \`row\`, \`hash\`, and \`sample\``
}

/** The hash by which an edit knows the sample with these bytes. */
export async function hashOfSample(bytes: Uint8Array): Promise<string> {
  return hashText(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

/** Why an edit is not applied to its sample. */
export function staleEditText({ line }: SampleEdit): string {
  return localize`The sample is not the one that was edited: the edit in line ${line} of the edits file is not applied`
}

/** What is left of the edits when a file is read. */
export class OverlayRun {
  readonly #overlay: Overlay
  readonly #encoder = new TextEncoder()
  readonly #seen = new Set<number>()

  constructor(overlay: Overlay) {
    this.#overlay = overlay
  }

  /** The edits whose samples have not come: after the last stretch, those of samples that do not exist. */
  get unseen(): readonly SampleEdit[] {
    return [...this.#overlay.edits.values()].filter(({ row }) => !this.#seen.has(row))
  }

  /** `stretch` with the edits of its samples. One whose sample is another one now makes that a sample that cannot be read. */
  async applied(stretch: Stretch): Promise<Stretch> {
    const { edits } = this.#overlay
    const places = [...samplePlaces(stretch)]
    if (edits.size === 0 || !places.some(({ number }) => edits.has(number))) return stretch
    const samples: Uint8Array[] = []
    const mistakes = new Map<number, string>()
    for (const { start, end, number } of places) {
      const before = stretch.bytes.subarray(start, end)
      const edit = edits.get(number)
      if (edit) this.#seen.add(number)
      const isApplied = edit && !stretch.isTooLong && (await hashOfSample(before)) === edit.hash
      if (edit && !isApplied) mistakes.set(number, staleEditText(edit))
      samples.push(edit && isApplied ? this.#encoder.encode(edit.json) : before)
    }
    return { ...withSamples(stretch, samples), mistakes }
  }
}

/** `stretch` with other bytes for its samples. */
function withSamples(stretch: Stretch, samples: readonly Uint8Array[]): Stretch {
  const bytes = new Uint8Array(samples.reduce((sum, { length }) => sum + length, 0))
  const places = stretch.places.slice()
  const placeLength = places.length / samples.length
  let at = 0
  samples.forEach((sample, index) => {
    bytes.set(sample, at)
    places[index * placeLength] = at
    places[index * placeLength + 1] = at + sample.length
    at += sample.length
  })
  return { ...stretch, bytes, places }
}
