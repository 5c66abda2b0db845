/** Alpaca: an instruction, perhaps with an input, and its output. */

import { field, isObject, objectIn } from '../conversation/json-input.ts'
import { localizable, localize } from '../text/localize.ts'
import { defineForm } from './form.ts'
import { readHistory, readInstruction, readResponse } from './samples/prompt.ts'
import { Columns } from './samples/sample-columns.ts'

/** The form. */
export const alpaca = defineForm({
  name: 'alpaca',
  title: 'Alpaca',
  summary: localizable`An instruction, perhaps an input, and an output`,
  documentation: '`instruction`, perhaps `input`, and `output`',
  language: 'json',
  holds: 'json',
  ownKeys: ['instruction'],
  recognizedBy: {
    instruction: (sample) => sample.hasText('instruction'),
  },
  read(value, context) {
    const columns = new Columns(objectIn(value, localize`The document`), context)
    readHistory(columns)
    readInstruction(columns)
    const key = ['output', 'response', 'completion'].find((it) => isThere(columns, it))
    if (key !== undefined) readResponse(columns, key)
    return columns.conversation()
  },
})

function isThere({ root }: Columns, key: string): boolean {
  const value = field(root, key)
  return typeof value === 'string' || Array.isArray(value) || isObject(value)
}
