/** Where the parts of a JSON document are, so that losses and mistakes can be shown there. */
import { offsetInString, unitEnd } from '../embedded/json-string.ts'
import { type JsonNode, jsonTree } from '../embedded/json-tree.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { perValue } from '../text/memo.ts'
import type { Range } from '../text/range.ts'

/** Where the values that were read from a text are in it. */
export interface Places {
  /** The message, or item, at an index. */
  message(index: number): Range | undefined
  /** The value at `key` of `parent`, or `parent` itself where it has no such key; undefined for what was not in the text. */
  of(parent: object, key?: string | number): Range | undefined
  /** The first half of a character that has no other half. */
  loneSurrogate(): Range | undefined
}

/**
 * The places in `text`, of which `value` was parsed: a list, or an object with one. Linear; for texts of which something is
 * lost. Without places for what is nested too deep.
 */
export function placesIn(text: string, value: JsonValue): Places {
  const mark = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const { root } = jsonTree(text.slice(mark))
  const nodes = new Map<object, JsonNode>()
  if (root) noteNodes(root, value, nodes)
  const rangeOf = (node: JsonNode | undefined): Range | undefined =>
    node && { start: mark + node.offset, end: mark + node.offset + node.length }
  const messages = listNode(root)?.children ?? []
  return {
    message: (index) => rangeOf(messages[index]),
    of(parent, key) {
      const node = nodes.get(parent)
      return rangeOf((node && key !== undefined && memberOf(node, key)) || node)
    },
    loneSurrogate() {
      const node = root && brokenString(root)
      const index = loneSurrogate.exec(String(node?.value))?.index
      if (!node || index === undefined) return undefined
      const start = offsetInString(text, mark + node.offset, index)
      return { start, end: unitEnd(text, start) }
    },
  }
}

/** The places of a text that is not JSON, whose messages know their own. */
export function placesInText(text: string): Places {
  return {
    message: () => undefined,
    of: () => undefined,
    loneSurrogate() {
      const match = loneSurrogate.exec(text)
      return match ? { start: match.index, end: match.index + 1 } : undefined
    },
  }
}

const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** The list that has the messages. */
export function listNode(root: JsonNode | undefined): JsonNode | undefined {
  if (root?.type !== 'object') return root?.type === 'array' ? root : undefined
  const members = membersOf(root)
  const messages = members.get('messages')
  if (messages?.type === 'array') return messages
  const input = members.get('input')
  const items = input && input.type !== 'null' ? input : members.get('output')
  return items?.type === 'array' ? items : undefined
}

/** Notes the node of each object and list in `value`. */
export function noteNodes(node: JsonNode, value: JsonValue | undefined, nodes: Map<object, JsonNode>): void {
  if (typeof value !== 'object' || value === null) return
  nodes.set(value, node)
  const { type, children = [] } = node
  if (type === 'array') {
    if (!Array.isArray(value)) return // the first of two values with one key, which is not this one
    const items = value as readonly JsonValue[]
    for (const [index, child] of children.entries()) noteNodes(child, items[index], nodes)
    return
  }
  const object = value as JsonObject
  for (const { children: [key, child] = [] } of children) {
    // Of several with one key the last one is the value, and is noted last.
    if (child) noteNodes(child, object[String(key?.value)], nodes)
  }
}

/** An element, or the value of a property. */
function memberOf(node: JsonNode, key: string | number): JsonNode | undefined {
  if (typeof key === 'number') return node.type === 'array' ? node.children?.[key] : undefined
  return membersOf(node).get(key)
}

/** Of several with one key the last one, as for a parser. */
const membersOf = perValue(({ type, children = [] }: JsonNode): ReadonlyMap<unknown, JsonNode> => {
  const members = new Map<unknown, JsonNode>()
  if (type !== 'object') return members
  for (const { children: [key, value] = [] } of children) if (key && value) members.set(key.value, value)
  return members
})

function brokenString(node: JsonNode): JsonNode | undefined {
  const { type, value, children = [] } = node
  if (type === 'string') return typeof value === 'string' && !value.isWellFormed() ? node : undefined
  for (const child of children) {
    const found = brokenString(child)
    if (found) return found
  }
  return undefined
}

/** `messages` at `range`, if that is known. */
export function placed<Message extends object>(
  messages: readonly Message[],
  range: Range | undefined,
): readonly (Message & { readonly range?: Range })[] {
  return range ? messages.map((it) => ({ ...it, range })) : messages
}
