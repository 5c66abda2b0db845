/** The fixes of a sample, in all of its branches, written into its JSON. */
import { ConversionError } from '../conversation/loss.ts'
import type { ReadOptions } from '../convert/convert.ts'
import { applyEdits } from '../rules/apply-fix.ts'
import type { DocumentOptions } from '../rules/document.ts'
import { type FixSelection, fixesOf, fixText, readDocument } from '../rules/safe-fixes.ts'
import { editableSample, type TranscriptSample } from './editable-sample.ts'
import { editedSample } from './edited-sample.ts'
import { judgedForm, judgedOptions } from './judged-document.ts'
import { type GoodSample, sampleOfText } from './sample.ts'

declare const TextEncoder: new () => { encode(text: string): Uint8Array }

/** What the fixes of a sample come to. */
export type SampleFix =
  /** It has none. */
  | { readonly kind: 'none' }
  /** They can't be written without changing or losing something else. */
  | { readonly kind: 'refused' }
  | FixedSample

/** A sample after its fixes. */
export interface FixedSample {
  readonly kind: 'fixed'
  /** Its JSON as UTF-8, with nothing changed but the words that were fixed. */
  readonly bytes: Uint8Array
  /** What that is read as. */
  readonly sample: GoodSample
  /** How many fixes were applied. */
  readonly nFixed: number
  /** True if other fixes can't be written, and were not applied. */
  readonly isPartial: boolean
  /** The transcripts that changed: one, or those of several branches. */
  readonly changes: readonly BranchChange[]
}

/** The transcript of a branch before and after its fixes. */
export interface BranchChange {
  /** Undefined for the branch that is shown, and for a sample that has none. */
  readonly branch: string | undefined
  readonly before: string
  readonly after: string
}

/** How a sample is fixed. */
export interface SampleFixing extends FixSelection {
  /** How the fixed sample is read. */
  readonly read: ReadOptions
}

/** The selected fixes of `sample`, which was read with `rest: 'source'`, judged as `options` say. */
export function fixedSample(
  sample: GoodSample,
  options: DocumentOptions,
  { read, ...selection }: SampleFixing,
): SampleFix {
  const shown = editableSample(sample)
  if (shown.kind === 'bad') return { kind: 'none' }
  const changes: BranchChange[] = []
  let [current, nFixed, isPartial] = [sample, 0, false]
  const others = shown.branches?.filter((it) => it !== shown.branch) ?? []
  for (const branch of [undefined, ...others]) {
    const editable = branch === undefined ? shown : branchOf(current, branch, read)
    if (!editable) continue
    const fixed = fixedText(editable, options, selection)
    isPartial ||= fixed.isPartial
    if (fixed.json === current.json) continue
    const next = sampleOfText(fixed.json, read)
    if (next.kind === 'bad') {
      isPartial = true
      continue
    }
    changes.push({ branch, before: editable.text, after: fixed.text })
    nFixed += fixed.nFixed
    current = next
  }
  if (current === sample) return { kind: isPartial ? 'refused' : 'none' }
  const bytes = new TextEncoder().encode(current.json)
  return { kind: 'fixed', bytes, sample: current, nFixed, isPartial, changes }
}

function branchOf({ json }: GoodSample, branch: string, read: ReadOptions): TranscriptSample | undefined {
  const editable = editableSample(sampleOfText(json, { ...read, branch }))
  return editable.kind === 'good' ? editable : undefined
}

/** A transcript after the fixes that could be written. */
interface WrittenFixes {
  readonly json: string
  readonly text: string
  readonly nFixed: number
  readonly isPartial: boolean
}

function fixedText(
  editable: TranscriptSample,
  options: DocumentOptions,
  selection: FixSelection,
): WrittenFixes {
  const { json, text, requestTools } = editable
  const judged = judgedOptions(text, judgedForm(editable), options)
  const all = fixText(text, judged, { ...selection, requestTools })
  const unchanged = { json, text, nFixed: 0, isPartial: false }
  if (all.text === text) return unchanged
  const written = writtenText(editable, all.text)
  if (written !== undefined) return { ...unchanged, json: written, text: all.text, nFixed: all.nFixed }
  return oneByOne(editable, judged, selection)
}

const mostTries = 64 // each writes the sample

/** Applies the fixes one by one, because they can't be written together: one that can't must not hold up the others. */
function oneByOne(
  editable: TranscriptSample,
  judged: DocumentOptions,
  selection: FixSelection,
): WrittenFixes {
  const { requestTools } = editable
  let { json, text } = editable
  let [nFixed, nSkipped] = [0, 0]
  for (let tried = 0; tried < mostTries; tried++) {
    const fix = fixesOf(readDocument(text, judged, requestTools), selection)[nSkipped]
    if (!fix) return { json, text, nFixed, isPartial: nSkipped > 0 }
    const next = applyEdits(text, fix.edits)
    const written = writtenText(editable, next)
    if (written === undefined) nSkipped++
    else {
      json = written
      text = next
      nFixed++
    }
  }
  return { json, text, nFixed, isPartial: true }
}

/** The JSON of a sample whose transcript becomes `text`; undefined if it can't be written without losing something. */
function writtenText(editable: TranscriptSample, text: string): string | undefined {
  try {
    const { json, losses } = editedSample(editable, text)
    return losses.length > 0 ? undefined : json
  } catch (error) {
    if (error instanceof ConversionError) return undefined
    throw error
  }
}
