/** The safe fixes of a sample, written into its JSON. */
import { ConversionError } from '../conversation/loss.ts'
import type { ReadOptions } from '../convert/convert.ts'
import type { DocumentOptions } from '../rules/document.ts'
import { fixSafely } from '../rules/safe-fixes.ts'
import { editableSample } from './editable-sample.ts'
import { editedSample } from './edited-sample.ts'
import { judgedForm, judgedOptions } from './judged-document.ts'
import { type GoodSample, readSample } from './sample.ts'

declare const TextEncoder: new () => { encode(text: string): Uint8Array }

/** What the safe fixes of a sample come to. */
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
}

/**
 * The safe fixes of `sample`, which was read with `rest: 'source'`, judged as `options` say.
 *
 * @param read how the fixed sample is read
 */
export function fixedSample(sample: GoodSample, options: DocumentOptions, read: ReadOptions): SampleFix {
  const editable = editableSample(sample)
  if (editable.kind === 'bad') return { kind: 'none' }
  const judged = judgedOptions(editable.text, judgedForm(editable), options)
  const { text, nFixed } = fixSafely(editable.text, judged, editable.requestTools)
  if (text === editable.text) return { kind: 'none' }
  try {
    const { json, losses } = editedSample(editable, text)
    if (losses.length > 0) return { kind: 'refused' }
    const bytes = new TextEncoder().encode(json)
    const fixed = readSample(bytes, read)
    return fixed.kind === 'good' ? { kind: 'fixed', bytes, sample: fixed, nFixed } : { kind: 'refused' }
  } catch (error) {
    if (error instanceof ConversionError) return { kind: 'refused' }
    throw error
  }
}
