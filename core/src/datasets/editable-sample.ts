/** A sample as a transcript that can be edited, so that the edit can be written into the sample. */

import type { Conversation } from '../conversation/conversation.ts'
import { ConversionError, type Loss } from '../conversation/loss.ts'
import { writeConversation } from '../convert/convert.ts'
import { isJsonSource, listKeys } from '../forms/form-registry.ts'
import { sampleText } from '../forms/held-text.ts'
import { localize } from '../text/localize.ts'
import type { EditableSample } from './edited-sample.ts'
import { type BadSample, type Sample, withoutConversation } from './sample.ts'

/** A sample as a transcript. */
export interface TranscriptSample extends EditableSample {
  readonly kind: 'good'
  /** What the transcript does not say although the sample does. */
  readonly losses: readonly Loss[]
  /** The tools of the sample's request: the transcript shows them only as TypeScript, and calls are judged by their JSON. */
  readonly requestTools?: Conversation['requestTools']
  /** The branches of the sample, of which the transcript shows one; absent if there is one at most. */
  readonly branches?: Conversation['branches']
}

/** A sample, read with `rest: 'source'`, as a transcript that can be edited, or why it can't. Nothing is thrown. */
export function editableSample(sample: Sample): TranscriptSample | BadSample {
  if (sample.kind === 'bad') return sample
  const { json, value } = sample
  const fail = (message: string, offset?: number) =>
    ({ kind: 'bad', json, reason: 'not-json', message, offset }) as const
  try {
    const text = sample.frame ? sampleText(value)?.text : undefined
    const losses = sample.losses.filter(({ kind }) => kind === 'duplicate-key')
    if (text !== undefined && sample.isTranscript)
      return { kind: 'good', json, value, form: 'text', text, losses }
    if (text !== undefined) {
      const reading = sample.read()
      const written = writeConversation(reading, { to: 'ocm' })
      const all = [...losses, ...reading.losses, ...written.losses]
      return { kind: 'good', json, value, form: 'text', text: written.text, isReadOnly: true, losses: all }
    }
    const reading = sample.read()
    const { from: form, conversation } = reading
    if (!isJsonSource(form)) return withoutConversation(json)
    if (conversation.messages.length === 0 && reading.losses.length === 0 && !hasList(value))
      return withoutConversation(json)
    const written = writeConversation(reading, { to: 'ocm' })
    return {
      kind: 'good',
      json,
      value,
      form,
      text: written.text,
      losses: [...reading.losses, ...written.losses.filter(({ kind }) => kind !== 'branch')],
      requestTools: conversation.requestTools,
      ...(conversation.isFramed && { isReadOnly: true }),
      ...(sample.mapping && { mapping: sample.mapping }),
      ...(conversation.branches && {
        branches: conversation.branches,
        branch: conversation.branch,
      }),
    }
  } catch (error) {
    if (error instanceof ConversionError) return fail(error.message, error.offset)
    if (error instanceof RangeError) return fail(localize`The sample is nested too deeply`)
    throw error
  }
}

function hasList(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  return Array.isArray(value) || listKeys.some((key) => Object.hasOwn(value, key))
}
