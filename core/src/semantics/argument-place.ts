/** The argument of a call at a place of the text, and what its definition says. */

import { type JsonNode, jsonTree } from '../embedded/json-tree.ts'
import type { Schema, SchemaProperty } from '../embedded/tool-schema.ts'
import { candidatesAt, propertiesOfCandidates } from '../embedded/tool-schema-candidates.ts'
import { countWhile } from '../text/count-while.ts'
import type { Range } from '../text/range.ts'
import type { Analysis } from './analysis.ts'
import { jsonHelpAt, pathInside } from './json-help.ts'
import { placeAt } from './place.ts'
import type { DeclaredTool } from './tool-index.ts'

/** An argument in a call, or a member of an answer. */
export interface ArgumentPlace {
  readonly property: SchemaProperty
  /** Where the key or the value at the place is in the document. */
  readonly range: Range
  readonly isKey: boolean
  /** What the definition says of the very value that is written: of one of several that are allowed. */
  readonly aboutValue: string | undefined
  /** Undefined for built-in tools, whose definition is nowhere, and for answers. */
  readonly declared: DeclaredTool | undefined
}

/** The argument whose key or scalar value is at `offset`, if the tool declares it; for an item of a list, that of the list. */
export function argumentAt(analysis: Analysis, offset: number): ArgumentPlace | undefined {
  const { segment, start, offset: at } = placeAt(analysis, offset)
  const help = jsonHelpAt(analysis, segment, at)
  const inBody = help?.body.offsetOf(at)
  if (!help || inBody === undefined || inBody >= help.body.text.length) return undefined
  const { root } = jsonTree(help.body.text)
  const node = root && nodeAt(root, inBody)
  const found = node && propertyAround(node)
  const path = found && pathInside(help, found.path)
  const name = path?.at(-1)
  if (!node || !found || !path || typeof name !== 'string') return undefined
  const arguments_ = help.isWrapped ? memberNode(root, 'arguments') : root
  const objects = candidatesAt(help.schemas, path.slice(0, -1), arguments_)
  const property = propertiesOfCandidates(objects).find((it) => it.name === name)
  if (!property) return undefined
  const { from, to } = help.body.spanOf({ start: node.offset, end: node.offset + node.length })
  const isOwn = property.nameRange !== help.tool?.definition.nameRange
  return {
    property,
    range: { start: start + from, end: start + to },
    isKey: found.isKey,
    aboutValue: found.isKey
      ? undefined
      : aboutValue(candidatesAt(help.schemas, [...path, ...found.items], arguments_), node.value),
    declared: isOwn ? help.tool?.declared : undefined,
  }
}

/** The description of the one schema that allows just `value`. */
function aboutValue(candidates: readonly Schema[], value: unknown): string | undefined {
  const own = candidates.find(({ values }) => values?.length === 1 && values[0] === value)
  return own?.description
}

function memberNode(root: JsonNode | undefined, name: string): JsonNode | undefined {
  return root?.children?.findLast(({ children }) => children?.[0]?.value === name)?.children?.[1]
}

/** The key or scalar that contains `offset`. */
function nodeAt(root: JsonNode | undefined, offset: number): JsonNode | undefined {
  let node = root
  while (node?.children?.length) {
    node = childAt(node.children, offset)
  }
  if (!node || offset < node.offset || node.offset + node.length <= offset) return undefined
  return node.type === 'object' || node.type === 'array' ? undefined : node
}

function childAt(children: readonly JsonNode[], offset: number): JsonNode | undefined {
  const endOf = (index: number) => (children[index]?.offset ?? 0) + (children[index]?.length ?? 0)
  const child = children[countWhile(children.length, (index) => endOf(index) <= offset)]
  return child && child.offset <= offset ? child : undefined
}

/** The path to the property that `node` is the key of or is in, and from its value on through lists. */
function propertyAround(node: JsonNode):
  | {
      readonly path: readonly (string | number)[]
      readonly items: readonly number[]
      readonly isKey: boolean
    }
  | undefined {
  const items: number[] = []
  let at = node
  while (at.parent?.type === 'array') {
    items.unshift(at.parent.children?.indexOf(at) ?? 0)
    at = at.parent
  }
  const property = at.parent?.type === 'property' ? at.parent : undefined
  if (!property) return undefined
  return { path: pathOf(property), items, isKey: property.children?.[0] === node }
}

function pathOf(node: JsonNode): readonly (string | number)[] {
  const path: (string | number)[] = []
  for (let at: JsonNode | undefined = node; at; at = at.parent) {
    if (at.type === 'property') path.unshift(String(at.children?.[0]?.value))
    else if (at.parent?.type === 'array') path.unshift(at.parent.children?.indexOf(at) ?? 0)
  }
  return path
}
