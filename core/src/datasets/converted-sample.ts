/** A sample that is edited as a transcript, in another form: with what only the sample says, as a conversion of its file has it. */

import { isObject, noteUnknownFields } from '../conversation/json-input.ts'
import { ConversionError, type Loss, LossList } from '../conversation/loss.ts'
import {
  type Conversion,
  convert,
  readJsonConversation,
  restFor,
  type WriteOptions,
  writeConversation,
} from '../convert/convert.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { textKeys } from '../forms/held-text.ts'
import { localize } from '../text/localize.ts'
import { type EditableSample, editedSample } from './edited-sample.ts'

/** The conversion of `sample`, whose transcript is `edited` now. Losses have no places: they are in JSON that nobody sees. @throws ConversionError */
export function convertedSample(sample: EditableSample, edited: string, options: WriteOptions): Conversion {
  const { form, branch, mapping } = sample
  if (form === 'text') return convertedText(sample, edited, options)
  const saved = savedAs(sample, edited)
  if (!saved) {
    const message = localize`Fields that only the sample has are left out, because the edit can't be saved in it`
    const { text, losses, from } = convert(edited, { ...options, from: 'ocm' })
    return { text, losses: [{ kind: 'field', message }, ...losses], from }
  }
  const value = JSON.parse(saved.json) as JsonValue // which was JSON before the edit
  const reading = readJsonConversation(value, {
    from: form,
    text: saved.json,
    branch,
    mapping,
    rest: restFor(options),
  })
  const written = writeConversation(reading, options)
  const losses = [...saved.losses, ...reading.losses, ...written.losses]
  return { text: written.text, losses: losses.map(withoutPlace), from: form }
}

/** The conversion of a text that is in a field of `sample`, whose other fields are lost. */
function convertedText({ value }: EditableSample, edited: string, options: WriteOptions): Conversion {
  const { text, losses, from } = convert(edited, { ...options, from: 'ocm' })
  const others = new LossList()
  if (isObject(value)) noteUnknownFields(value, textKeys, localize`The sample`, others)
  return { text, losses: [...others.all, ...losses].map(withoutPlace), from }
}

function savedAs(sample: EditableSample, edited: string): ReturnType<typeof editedSample> | undefined {
  try {
    return editedSample(sample, edited)
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    return undefined
  }
}

function withoutPlace({ kind, message }: Loss): Loss {
  return { kind, message }
}
