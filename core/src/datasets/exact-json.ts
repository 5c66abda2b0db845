/** JSON values whose numbers are what is written, however many digits they have. */
import { type JsonNode, jsonTree } from '../embedded/json-tree.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'

/** A number that reading would change: `1e400`, an id of 20 digits, `1.0`. */
class ExactNumber {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** How the number `value` is written, if {@link exactValue} keeps that. */
export function numberText(value: unknown): string | undefined {
  return value instanceof ExactNumber ? value.text : undefined
}

/** The value of `text`, with numbers as they are written; undefined if it is not JSON, or nested too deep. */
export function exactValue(text: string): JsonValue | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const { root } = jsonTree(text)
  return root && exactOf(root, text)
}

function exactOf(node: JsonNode, text: string): JsonValue {
  const { type, offset, length, value, children = [] } = node
  if (type === 'array') return children.map((it) => exactOf(it, text))
  if (type === 'number') {
    const own = text.slice(offset, offset + length)
    // Whoever compares and writes values asks for `numberText` first.
    return JSON.stringify(value) === own ? (value as number) : (new ExactNumber(own) as unknown as JsonValue)
  }
  if (type !== 'object') return value as JsonValue
  const object: Record<string, JsonValue> = Object.create(null)
  for (const { children: [key, member] = [] } of children)
    if (key && member) object[String(key.value)] = exactOf(member, text)
  return object
}

/** True if both are the same value; the order of keys does not count. */
export function isEqual(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const [number, otherNumber] = [numberText(one), numberText(other)]
  if (number !== undefined || otherNumber !== undefined) return number === otherNumber
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other)) return false
    return one.length === other.length && one.every((value, index) => isEqual(value, other[index]))
  }
  const [object, otherObject] = [one, other] as Readonly<Record<string, JsonValue>>[]
  const keys = Object.keys(object ?? {})
  return (
    keys.length === Object.keys(otherObject ?? {}).length &&
    keys.every((key) => Object.hasOwn(otherObject ?? {}, key) && isEqual(object?.[key], otherObject?.[key]))
  )
}
