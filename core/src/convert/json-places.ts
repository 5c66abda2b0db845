/** Where the parts of a JSON document stand, so that losses and mistakes can be shown there. */
import { type JsonNode, jsonTree } from '../embedded/json-tree.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import type { Range } from '../text/range.ts'

/** The place of the message, or item, at an index. */
export type Places = (index: number) => Range | undefined

/** The places in `text`, which is JSON: a list, or an object with one. Linear; for texts of which something is lost. */
export function placesIn(text: string): Places {
  const offset = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const { root } = jsonTree(text.slice(offset))
  let list = root
  for (const { children } of root?.type === 'object' ? (root.children ?? []) : []) {
    const [key, value] = children ?? []
    const isList = key?.value === 'messages' || key?.value === 'input' || key?.value === 'output'
    if (isList && value?.type === 'array') list = value
  }
  const nodes = list?.type === 'array' ? (list.children ?? []) : []
  return (index) => {
    const node = nodes[index]
    return node && { start: offset + node.offset, end: offset + node.offset + node.length }
  }
}

/**
 * Where `key` of `parent` stands in `text`, of which `value` was parsed, or `parent` itself if it has no such key; undefined for
 * what is nowhere in `value`, and for texts that are nested too deep. Linear; for texts that are refused.
 */
export function offsetOf(
  text: string,
  value: JsonValue,
  { parent, key }: { readonly parent: object; readonly key: string | number | undefined },
): number | undefined {
  const path = pathTo(parent, value)
  if (!path) return undefined
  const mark = text.charCodeAt(0) === 0xfeff ? 1 : 0
  let node = jsonTree(text.slice(mark)).root
  for (const it of path) node = node && childAt(node, it)
  const found = (node && key !== undefined ? childAt(node, key) : undefined) ?? node
  return found && found.offset + mark
}

/** The keys that lead from `value` to `wanted`, which is the same object. Without recursion. */
function pathTo(wanted: object, value: JsonValue): readonly (string | number)[] | undefined {
  interface Step {
    readonly value: JsonValue
    readonly key: string | number
    readonly above: Step | undefined
  }
  const steps: Step[] = [{ value, key: '', above: undefined }]
  for (let step = steps.pop(); step; step = steps.pop()) {
    if (step.value === wanted) {
      const path: (string | number)[] = []
      for (let it: Step = step; it.above; it = it.above) path.push(it.key)
      return path.reverse()
    }
    if (typeof step.value !== 'object' || step.value === null) continue
    const isList = Array.isArray(step.value)
    for (const [key, child] of Object.entries(step.value)) {
      if (typeof child !== 'object' || child === null) continue
      steps.push({ value: child, key: isList ? Number(key) : key, above: step })
    }
  }
  return undefined
}

/** An element, or the value of a property: of several with one key the last one, as for whoever parses the text. */
function childAt({ type, children = [] }: JsonNode, key: string | number): JsonNode | undefined {
  if (typeof key === 'number') return type === 'array' ? children[key] : undefined
  return children.findLast(({ children: [name] = [] }) => name?.value === key)?.children?.[1]
}

/** `messages` at `range`, if that is known. */
export function placed<Message extends object>(
  messages: readonly Message[],
  range: Range | undefined,
): readonly (Message & { readonly range?: Range })[] {
  return range ? messages.map((it) => ({ ...it, range })) : messages
}
