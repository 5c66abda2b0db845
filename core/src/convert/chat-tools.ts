/**
 * The tools of a chat request. Their exact JSON is kept in the header, and a developer message shows them to the model
 * as TypeScript, so that nothing is lost and the calls can be checked.
 */

import { headerSizeLimit, type JsonObject, type JsonValue } from '../embedded/yaml-header.ts'
import { localize } from '../text/localize.ts'
import { perText, perValue } from '../text/memo.ts'
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

/** Says how a tool of a request is written: its function, or undefined for a tool that is none. */
type ReadTool = (tool: JsonValue) => JsonObject | undefined

/** Keeps the fields of `request` in a header. `readTool` says how its tools are written; it is the same for all requests of a kind. */
export function importRequest(request: JsonObject, readTool: ReadTool, losses: LossList): ImportedRequest {
  const kept: Record<string, JsonValue> = Object.create(null)
  let isEmpty = true
  for (const key of Object.keys(request)) {
    const value = request[key]
    if (key === 'messages' || key === 'input' || value === undefined) continue
    kept[key] = value
    isEmpty = false
  }
  if (isEmpty) return { header: plainHeader, toolMessage: undefined }
  const imported = isTooDeep(kept, deepestKept)
    ? importedAs(kept, readTool)
    : importedText(readTool)(JSON.stringify(kept))
  noteTools(imported, losses)
  if (!imported.header) losses.add('field', localize`The fields of the request are too large for a header`)
  return { header: imported.header ?? plainHeader, toolMessage: imported.toolMessage }
}

/** Remembered, because the samples of a dataset have the same few tools again and again. */
const importedText = perValue((readTool: ReadTool) =>
  perText((json) => importedAs(JSON.parse(json), readTool), { texts: 32, length: 4 * headerSizeLimit }),
)

const deepestKept = 100

interface ImportedFields extends ShownTools {
  /** Undefined if the fields are too large for one. */
  readonly header: JsonObject | undefined
}

function importedAs(kept: JsonObject, readTool: ReadTool): ImportedFields {
  const header: JsonObject = Object.freeze({ version: 2.2, [requestKey]: kept })
  const isTooLarge = isTooDeep(kept, deepestKept) || yamlText(header).length > headerSizeLimit / 2
  return { header: isTooLarge ? undefined : header, ...shownTools(field(kept, 'tools'), readTool) }
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
  readTool: ReadTool,
  losses: LossList,
): readonly ConversationMessage[] {
  const tools = toolsOf(readTool)(request)
  noteTools(tools, losses)
  const shown = tools.toolMessage
  if (!shown) return messages
  const index = messages.findIndex((it) => it.role === 'developer' && textOf(it) === textOf(shown))
  return index === -1 ? messages : messages.toSpliced(index, 1)
}

interface ShownTools {
  /** The message that shows the tools, if there are some. */
  readonly toolMessage: ConversationMessage | undefined
  /** How many tools are not shown. */
  readonly nHidden: number
}

function noteTools({ nHidden }: ShownTools, losses: LossList): void {
  for (let nth = 0; nth < nHidden; nth++)
    losses.add('tool-definition', localize`A tool that is no function is not shown to the model`)
}

/** Remembered by request, because headers of the same text are the same data. */
const toolsOf = perValue((readTool: ReadTool) =>
  perValue((request: JsonObject) => shownTools(field(request, 'tools'), readTool)),
)

function shownTools(tools: JsonValue | undefined, readTool: ReadTool): ShownTools {
  if (!Array.isArray(tools)) return { toolMessage: undefined, nHidden: 0 }
  const functions = tools.flatMap((it) => (isTooDeep(it, 200) ? [] : (readTool(it) ?? [])))
  const nHidden = tools.length - functions.length
  if (functions.length === 0) return { toolMessage: undefined, nHidden }
  const text = toolsText({ functions: { name: 'functions', tools: functions } }) ?? ''
  return { toolMessage: { role: 'developer', content: textContent(text), ending: 'end' }, nHidden }
}

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
