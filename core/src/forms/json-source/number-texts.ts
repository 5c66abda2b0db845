/** Finds how the numbers of a JSON text are spelled, which the reference of Harmony keeps: JavaScript reads `1.0` as `1`. */

import { noteNodes } from '../../conversation/json-places.ts'
import { noteNumberSpellings } from '../../embedded/json-number-spelling.ts'
import { type JsonNode, jsonTree } from '../../embedded/json-tree.ts'
import { hasMember } from '../../embedded/json-value.ts'
import type { JsonValue } from '../../embedded/yaml-header.ts'

/** A default that JavaScript may write otherwise than its source: one with a fraction, an exponent or many digits, or in a list. */
// Linear: every run is after the word and a colon, and ends where the next begins.
const telling = /"default"\s*:\s*(?:[[{]|-?\d*[.eE]|-0|-?\d{16})/

/**
 * Remembers how the numbers of `value`, which was parsed from `text`, are spelled, as far as defaults of a schema may need it.
 * Linear; nothing is done for texts without such defaults.
 */
export function noteNumberTexts(text: string, value: JsonValue): void {
  if (!hasMember(value, (_, key) => key === 'default') || !telling.test(text)) return // the first is many times faster
  const mark = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const { root } = jsonTree(text.slice(mark))
  if (!root) return
  const nodes = new Map<object, JsonNode>()
  noteNodes(root, value, nodes)
  for (const [object, { type, children = [] }] of nodes) {
    const own = new Map<string, string>()
    for (const [index, child] of children.entries()) {
      const number = type === 'array' ? child : child.children?.[1]
      if (number?.type !== 'number') continue
      const from = mark + number.offset
      const key = type === 'array' ? String(index) : String(child.children?.[0]?.value)
      own.set(key, text.slice(from, from + number.length))
    }
    if (own.size > 0) noteNumberSpellings(object, own)
  }
}
