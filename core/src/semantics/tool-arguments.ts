/** The argument of a call at a place of the text, and what its definition says. */
import { type JsonNode, jsonTree } from '../embedded/json-tree.ts'
import { argumentsSchema } from '../embedded/tool-arguments.ts'
import { propertyOf, type SchemaProperty, schemaAt } from '../embedded/tool-schema.ts'
import type { Range } from '../text/range.ts'
import type { Analysis } from './analysis.ts'
import { placeAt } from './place.ts'
import { callAround } from './tool-calls.ts'
import type { DeclaredTool } from './tool-index.ts'
import { definitionOf } from './tool-places.ts'

/** An argument in a call. */
export interface ArgumentPlace {
  readonly property: SchemaProperty
  /** Where the key or the value at the place stands in the document. */
  readonly range: Range
  readonly isKey: boolean
  /** Undefined for built-in tools, whose definition stands nowhere. */
  readonly declared: DeclaredTool | undefined
}

/** The argument whose key or scalar value is at `offset`, if the tool declares it. */
export function argumentAt(analysis: Analysis, offset: number): ArgumentPlace | undefined {
  const { segment, start, offset: at } = placeAt(analysis, offset)
  const call = callAround(segment, at)
  const inBody = call?.body.offsetOf(at)
  if (!call || inBody === undefined || inBody >= call.body.text.length) return undefined
  const tool = definitionOf(analysis, call.name, segment)
  const schema = tool && argumentsSchema(tool.definition)
  if (!schema) return undefined
  const node = nodeAt(jsonTree(call.body.text).root, inBody)
  const found = node && propertyAround(node)
  if (!node || !found) return undefined
  const path = call.isWrapped && found.path[0] === 'arguments' ? found.path.slice(1) : found.path
  const name = path.at(-1)
  if (typeof name !== 'string') return undefined
  const property = propertyOf(schemaAt(schema, path.slice(0, -1)), name)
  if (!property) return undefined
  const { from, to } = call.body.spanOf({ start: node.offset, end: node.offset + node.length })
  const isOwn = property.nameRange !== tool.definition.nameRange
  return {
    property,
    range: { start: start + from, end: start + to },
    isKey: found.isKey,
    declared: isOwn ? tool.declared : undefined,
  }
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
  let low = 0
  let high = children.length - 1
  while (low <= high) {
    const middle = (low + high) >> 1
    const child = children[middle]
    if (!child) return undefined
    if (offset < child.offset) high = middle - 1
    else if (child.offset + child.length <= offset) low = middle + 1
    else return child
  }
  return undefined
}

/** The way to the property that `node` is the key of, or the value. */
function propertyAround(
  node: JsonNode,
): { readonly path: readonly (string | number)[]; readonly isKey: boolean } | undefined {
  const property = node.parent?.type === 'property' ? node.parent : undefined
  if (!property) return undefined
  return { path: pathOf(property), isKey: property.children?.[0] === node }
}

function pathOf(node: JsonNode): readonly (string | number)[] {
  const path: (string | number)[] = []
  for (let at: JsonNode | undefined = node; at; at = at.parent) {
    if (at.type === 'property') path.unshift(String(at.children?.[0]?.value))
    else if (at.parent?.type === 'array') path.unshift(at.parent.children?.indexOf(at) ?? 0)
  }
  return path
}
