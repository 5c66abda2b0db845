/**
 * The tools of a chat request. Their exact JSON is kept in the header, and a developer message shows them to the model
 * as TypeScript, so that nothing is lost and the calls can be checked.
 */

import { headerSizeLimit, type JsonObject, type JsonValue } from '../embedded/yaml-header.ts'
import { localize } from '../text/localize.ts'
import { perText } from '../text/memo.ts'
import { isBuiltin, withoutFunctionPrefix } from '../vocabulary/roles.ts'
import { type ConversationMessage, textContent, textOf } from './conversation.ts'
import { toolsText } from './harmony-content.ts'
import { field, isObject, isTooDeep } from './json-input.ts'
import type { LossList } from './loss.ts'
import { yamlText } from './yaml-text.ts'

/** The key of the header under which what only a chat request has is kept. */
export const requestKey = 'chat_request'

/** The header for a request, and the message that shows its tools, if it has some. */
export interface ImportedRequest {
  readonly header: JsonObject
  readonly toolMessage: ConversationMessage | undefined
}

/** Keeps the fields of `request` in a header. `readsTools` says how its tools are written. */
export function importRequest(
  request: JsonObject,
  readTool: (tool: JsonValue) => JsonObject | undefined,
  losses: LossList,
): ImportedRequest {
  const kept: Record<string, JsonValue> = Object.create(null)
  for (const [key, value] of Object.entries(request)) {
    if (key !== 'messages' && key !== 'input' && value !== undefined) kept[key] = value
  }
  const toolMessage = toolMessageOf(field(request, 'tools'), readTool, losses)
  if (Object.keys(kept).length === 0) return { header: plainHeader, toolMessage }
  const header: JsonObject = { version: 2.2, [requestKey]: kept }
  if (isTooDeep(kept, 100) || yamlText(header).length > headerSizeLimit / 2) {
    losses.add('field', localize`The fields of the request are too large for a header`)
    return { header: plainHeader, toolMessage }
  }
  return { header, toolMessage }
}

/** The header of most samples of a dataset: one object, of which its text is remembered. */
const plainHeader: JsonObject = Object.freeze({ version: 2.2 })

/** What {@link importRequest} kept. */
export function exportRequest(header: JsonObject | undefined): JsonObject {
  const kept = header && field(header, requestKey)
  return isObject(kept) ? kept : {}
}

/** Messages without the one that only shows the tools which the header keeps. */
export function withoutToolMessage(
  messages: readonly ConversationMessage[],
  request: JsonObject,
  readTool: (tool: JsonValue) => JsonObject | undefined,
  losses: LossList,
): readonly ConversationMessage[] {
  const shown = toolMessageOf(field(request, 'tools'), readTool, losses)
  if (!shown) return messages
  const index = messages.findIndex((it) => it.role === 'developer' && textOf(it) === textOf(shown))
  return index === -1 ? messages : messages.toSpliced(index, 1)
}

function toolMessageOf(
  tools: JsonValue | undefined,
  readTool: (tool: JsonValue) => JsonObject | undefined,
  losses: LossList,
): ConversationMessage | undefined {
  if (!Array.isArray(tools)) return undefined
  const functions: JsonObject[] = []
  for (const it of tools) {
    const tool = isTooDeep(it, 200) ? undefined : readTool(it)
    if (tool) functions.push(tool)
    else losses.add('tool-definition', localize`A tool that is no function is not shown to the model`)
  }
  if (functions.length === 0) return undefined
  const text = functionsText(JSON.stringify(functions))
  return { role: 'developer', content: textContent(text), ending: 'end' }
}

/** Remembered, because the samples of a dataset have the same few tools again and again. */
const functionsText = perText(
  (json) => toolsText({ functions: { name: 'functions', tools: JSON.parse(json) } }) ?? '',
  { texts: 32, length: 4 * headerSizeLimit },
)

/** A function's definition in the shape of Harmony; undefined if `it` is no such thing. */
export function functionIn(it: JsonValue | undefined): JsonObject | undefined {
  if (!isObject(it) || typeof field(it, 'name') !== 'string') return undefined
  const description = field(it, 'description')
  const parameters = field(it, 'parameters')
  return {
    name: field(it, 'name') ?? '',
    description: typeof description === 'string' ? description : '',
    ...(isObject(parameters) && { parameters }),
  }
}

/** The recipient that a function of this name has. */
export function recipientOf(name: string): string {
  return isBuiltin(name) ? name : `functions.${name}`
}

/** The name of the function that a recipient denotes. */
export function functionNameOf(recipient: string): string {
  return withoutFunctionPrefix(recipient)
}

/** A tool of Chat Completions in the shape of Harmony. */
export function chatTool(tool: JsonValue): JsonObject | undefined {
  return isObject(tool) && field(tool, 'type') === 'function'
    ? functionIn(field(tool, 'function'))
    : undefined
}

/** The names under which hosts write reasoning. */
export const reasoningFields = ['reasoning_content', 'reasoning', 'thinking'] as const

/** The most frequent of {@link reasoningFields}. */
export const usualReasoningField = 'reasoning_content'

/** The key of the header that keeps under which name a host writes reasoning, if that is not the usual one. */
export const reasoningFieldKey = 'chat_reasoning_field'
