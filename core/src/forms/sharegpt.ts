/** ShareGPT: `conversations` whose messages say `from` and `value`. */

import { field, isObject, ShapeError } from '../conversation/json-input.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localizable, localize } from '../text/localize.ts'
import { defineForm, type ReadContext } from './form.ts'
import { sampleOf } from './json-sample.ts'
import { Columns } from './samples/sample-columns.ts'
import type { ItemShape } from './samples/sample-reader.ts'

const shape: ItemShape = { roles: ['from', 'role'], texts: ['value', 'content'] }

/** The form. */
export const sharegpt = defineForm({
  name: 'sharegpt',
  title: 'ShareGPT',
  summary: localizable`Conversations of messages with from and value`,
  documentation: '`conversations`, each message with `from` and `value`',
  language: 'json',
  holds: 'json',
  lists: ['conversations'],
  recognizedBy: {
    item: ({ hasList, first }) =>
      hasList &&
      first !== undefined &&
      (Object.hasOwn(first, 'from') ||
        (Object.hasOwn(first, 'value') && !Object.hasOwn(first, 'content')) ||
        isPair(first)),
  },
  read(value, context) {
    const { listKey = 'conversations', object = { [listKey]: value } } = sampleOf(value)
    const columns = new Columns(object, context)
    const list = columns.list(listKey) ?? []
    if (list.some((it) => isObject(it) && isPair(it))) readPairs(list, columns, context)
    else columns.reader.list(list, shape)
    return columns.conversation()
  },
})

/** A message of the user and its answer in one object. */
function isPair(item: JsonObject): boolean {
  return Object.hasOwn(item, 'human') && Object.hasOwn(item, 'assistant')
}

function readPairs(list: readonly JsonValue[], { reader }: Columns, { losses }: ReadContext): void {
  for (const [index, pair] of list.entries()) {
    const where = localize`Message ${index + 1}`
    if (!isObject(pair)) throw new ShapeError(localize`${where} is not an object`, list, index)
    losses.place = losses.places?.of(list, index)
    for (const [key, role] of [
      ['human', 'user'],
      ['assistant', 'assistant'],
    ] as const) {
      const place = { parent: pair, key }
      const pieces = reader.content(field(pair, key), pair, key, role)
      reader.say(role, pieces, { whole: place })
    }
  }
  losses.place = undefined
}
