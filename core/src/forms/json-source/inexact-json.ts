/** JSON in strings, which JavaScript may read as something else: large numbers are rounded, and of equal keys the last one counts. */

import { noteNodes } from '../../conversation/json-places.ts'
import { LossList } from '../../conversation/loss.ts'
import { childAt, type JsonNode, jsonTree } from '../../embedded/json-tree.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import { noteRepeatedKeys } from './repeated-keys.ts'
import { noteRoundedNumbers } from './rounded-numbers.ts'

/** Notes what `value`, which was parsed from `text`, JSON in a string, does not say of it, for a form that has values there. */
export function noteInexactJson(text: string, value: JsonValue, losses: LossList): void {
  for (const { kind, message } of inexactness(text, value).all) losses.add(kind, message)
}

/** As {@link noteInexactJson}, for `fields` of `item`, which may be in a string. */
export function noteInexactFields(item: JsonObject, fields: JsonObject, losses: LossList): void {
  const text = inexactText(item)
  if (text === undefined) return
  const { root } = jsonTree(text)
  for (const [key, value] of Object.entries(fields)) {
    const node = childAt(root, key)
    if (node) noteInexactJson(text.slice(node.offset, node.offset + node.length), value, losses)
  }
}

function inexactness(text: string, value: JsonValue): LossList {
  const found = new LossList()
  noteRepeatedKeys(text, value, found)
  noteRoundedNumbers(text, value, found)
  return found
}

/** Objects and lists of JSON in strings that is not read exactly, as they are written there. */
const writtenTexts = new WeakMap<object, string>()

/** Remembers how the objects and lists of `value`, which was parsed from `text`, are written, unless the value says all of that. */
export function noteWrittenJson(text: string, value: JsonValue): void {
  if (inexactness(text, value).isEmpty) return
  const { root } = jsonTree(text)
  const nodes = new Map<object, JsonNode>()
  if (root) noteNodes(root, value, nodes)
  for (const [object, { offset, length }] of nodes)
    writtenTexts.set(object, text.slice(offset, offset + length))
}

/** How `value` was written in a string, if that says more than the value. */
export function inexactText(value: JsonValue): string | undefined {
  const written = typeof value === 'object' && value !== null ? writtenTexts.get(value) : undefined
  return written === undefined || inexactness(written, value).isEmpty ? undefined : written
}
