/** What Amazon Bedrock's Converse API writes in its own way: parts without `type`, answers, and tools. */

import { field, isObject } from '../../conversation/json-input.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import type { JsonSample } from '../json-sample.ts'

const blockKeys = [
  'toolUse',
  'toolResult',
  'reasoningContent',
  'guardContent',
  'citationsContent',
  'cachePoint',
  'image',
  'audio',
  'video',
  'document',
  'searchResult',
] as const

/** A part of a content that is neither text nor JSON: what it is, and the object under that key. */
export interface ConverseBlock {
  readonly kind: (typeof blockKeys)[number]
  readonly block: JsonObject
}

/** What `part`, which has no `type`, is; undefined for what Converse does not write, and for texts. */
export function converseBlock(part: JsonObject): ConverseBlock | undefined {
  for (const kind of blockKeys) {
    const block = field(part, kind)
    if (isObject(block)) return { kind, block }
  }
  return undefined
}

/** True for a sample whose parts are all of Converse: other forms write none of them, not even its texts. */
export function hasConverseParts(sample: Pick<JsonSample, 'hasPart'>): boolean {
  return sample.hasPart(isConversePart) && !sample.hasPart((it) => !isConversePart(it))
}

function isConversePart(part: JsonObject): boolean {
  if (Object.hasOwn(part, 'type')) return false
  return typeof field(part, 'text') === 'string' || converseBlock(part) !== undefined
}

/** The object with the `message` that answers a request; undefined for what is not an answer of Converse. */
export function converseAnswer(root: JsonObject): JsonObject | undefined {
  const output = field(root, 'output')
  const message = isObject(output) ? field(output, 'message') : undefined
  if (!isObject(output) || !isObject(message) || typeof field(message, 'role') !== 'string') return undefined
  const content = field(message, 'content')
  const isPart = (it: JsonValue) => isObject(it) && !Object.hasOwn(it, 'type')
  return Array.isArray(content) && content.every(isPart) ? output : undefined
}

/** The tools in `toolConfig`. Gemini has something else under that key. */
export function converseTools(root: JsonObject): JsonValue | undefined {
  const config = field(root, 'toolConfig')
  const tools = isObject(config) ? field(config, 'tools') : undefined
  return Array.isArray(tools) ? tools : undefined
}
