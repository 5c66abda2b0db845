/** The safe fixes of a sample, written into its JSON. */
import type { Transcript } from '../document/transcript.ts'
import type { DocumentOptions } from '../rules/document.ts'
import { fixSafely } from '../rules/safe-fixes.ts'
import { editableSample } from './editable-sample.ts'
import { editedSample } from './edited-sample.ts'
import { judgedForm, sampleTraits } from './judged-document.ts'
import type { GoodSample } from './sample.ts'

/** A sample after its fixes. */
export interface FixedSample {
  /** Its JSON, with nothing changed but the words that were fixed. */
  readonly json: string
  /** How many fixes were applied. */
  readonly nFixed: number
}

/**
 * `sample`, which was read with `rest: 'source'`, after the safe fixes of `transcript`, which it became. Undefined if there are
 * none, or if they can't be written without changing or losing something else. @throws ConversionError in that case as well
 */
export function fixedSample(
  sample: GoodSample,
  transcript: Transcript,
  options: DocumentOptions,
): FixedSample | undefined {
  const editable = editableSample(sample)
  if (editable.kind === 'bad') return undefined
  const { forcedDialect: dialect, requestTools } = transcript
  const { text, nFixed } = fixSafely(
    editable.text,
    { ...options, dialect, sample: sampleTraits(judgedForm(editable)) },
    requestTools,
  )
  if (text === editable.text) return undefined
  const { json, losses } = editedSample(editable, text)
  return losses.length > 0 ? undefined : { json, nFixed }
}
