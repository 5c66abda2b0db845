/**
 * The tools of a chat request. Their exact JSON is kept in the header, and a developer message shows them to the model
 * as TypeScript, so that nothing is lost and the calls can be checked.
 */

import {
  type Conversation,
  type ConversationMessage,
  isCallMessage,
  textContent,
  textOf,
} from '../../conversation/conversation.ts'
import { field, isObject, isTooDeep } from '../../conversation/json-input.ts'
import type { LossList } from '../../conversation/loss.ts'
import { yamlText } from '../../conversation/yaml-text.ts'
import type { RequestTools } from '../../document/transcript.ts'
import { jsonBody } from '../../embedded/json-body.ts'
import {
  type ShownTools,
  shownTools,
  toolKeys,
  toolList,
  toolOf,
  usualTools,
} from '../../embedded/request-tools.ts'
import {
  fitsHeader,
  headerSizeLimit,
  type JsonObject,
  type JsonValue,
  keptShare,
} from '../../embedded/yaml-header.ts'
import { inBackticks } from '../../text/in-backticks.ts'
import { localize } from '../../text/localize.ts'
import { perText, perValue } from '../../text/memo.ts'
import { shortened } from '../../text/shortened.ts'
import { requestKey } from '../../vocabulary/kept-keys.ts'
import { reasoningKeys } from '../../vocabulary/role-words.ts'
import { isBuiltin, withoutFunctionPrefix } from '../../vocabulary/roles.ts'
import { inShape, type RequestShape } from './chat-request-shape.ts'

/** The header for a request, and the message that shows its tools, if it has some. */
export interface ImportedRequest {
  readonly header: JsonObject
  readonly toolMessage: ConversationMessage | undefined
  /** What that message shows. */
  readonly requestTools?: RequestTools | undefined
}

/**
 * Where what a transcript cannot say stays: in its header, as far as that is read, in the header of a conversation that is written
 * as JSON, which has room for all of it, or in the source alone.
 */
export type Rest = 'header' | 'whole' | 'source'

/** Keeps the fields of `request` in a header, but for those that are `read` as messages; unless the source keeps them. */
export function importRequest(
  request: JsonObject,
  read: ReadonlySet<string>,
  losses: LossList,
  rest: Rest,
): ImportedRequest {
  if (rest === 'source') {
    const tools = toolList(request)
    if (!tools) return { header: plainHeader, toolMessage: undefined }
    const shown = toolsShown(tools)
    noteTools(shown, losses)
    return { header: plainHeader, toolMessage: shown.toolMessage, requestTools: shown.requestTools }
  }
  const kept: Record<string, JsonValue> = Object.create(null)
  let isEmpty = true
  let model: string | undefined
  for (const key of Object.keys(request)) {
    const value = request[key]
    if (read.has(key) || value === undefined) continue
    // The model has a key of its own, from which it is written again.
    if (key === 'model' && typeof value === 'string') model = value
    else kept[key] = value
    isEmpty = false
  }
  if (isEmpty) return { header: plainHeader, toolMessage: undefined }
  const imported =
    rest === 'whole'
      ? { header: keepingRequest(kept), ...toolsShown(toolList(kept)) }
      : isOnlyTools(kept)
        ? importedText(JSON.stringify(kept))
        : importedAs(kept)
  noteTools(imported, losses)
  if (!imported.header)
    losses.add('field', localize`Fields that are together too large for a header: ${namesIn(kept)}`)
  const header = imported.header ?? plainHeader
  const { toolMessage, requestTools } = imported
  if (model === undefined) return { header, toolMessage, requestTools }
  const isTooLong = rest !== 'whole' && model.length > longestModel
  if (isTooLong)
    losses.addAt('field', localize`The name of the model is too long for a header`, request, 'model')
  return { header: isTooLong ? header : withModel(header, model), toolMessage, requestTools }
}

/** True for what other samples have as well: with more than that, nearly each sample is one of its kind. */
function isOnlyTools(kept: JsonObject): boolean {
  const keys: readonly string[] = toolKeys
  return Object.keys(kept).every((key) => keys.includes(key)) && !isTooDeep(kept, deepestKept)
}

/** Remembered, because the samples of a dataset have the same few tools again and again. */
const importedText = perText((json) => importedAs(JSON.parse(json)), {
  texts: 32,
  length: 4 * headerSizeLimit,
})

/** The names of fields, as far as a message has room for them. */
function namesIn(fields: JsonObject): string {
  const keys = Object.keys(fields)
  const names = keys.slice(0, 10).map((it) => inBackticks(shortened(it, 40)))
  return [...names, ...(keys.length > names.length ? ['…'] : [])].join(', ')
}

const deepestKept = 100
const longestModel = 1024 // code units

/** The header with the model after the version. */
function withModel({ version = 2.2, ...rest }: JsonObject, model: string): JsonObject {
  return { version, model, ...rest }
}

interface ImportedFields extends ToolMessage {
  /** Undefined if the fields are too large for one. */
  readonly header: JsonObject | undefined
}

function importedAs(kept: JsonObject): ImportedFields {
  if (Object.keys(kept).length === 0) return { header: plainHeader, toolMessage: undefined, nHidden: 0 }
  const header = keepingRequest(kept)
  const isTooLarge = isTooDeep(kept, deepestKept) || !fitsHeader(yamlText(header), keptShare)
  return { header: isTooLarge ? undefined : header, ...toolsShown(toolList(kept)) }
}

function keepingRequest(kept: JsonObject): JsonObject {
  return Object.keys(kept).length === 0 ? plainHeader : Object.freeze({ version: 2.2, [requestKey]: kept })
}

/** The header of most samples of a dataset: one object, of which its text is remembered. */
const plainHeader: JsonObject = Object.freeze({ version: 2.2 })

/** What is written of a conversation whose header keeps a request. */
export interface ExportedRequest {
  /** What {@link importRequest} kept, in the shape of the form that is written. */
  readonly request: JsonObject
  /** The messages without those that only show what `request` says. */
  readonly messages: readonly ConversationMessage[]
}

/** The request that the header keeps, as `shape` writes it, and the messages that go with it. */
export function exportRequest(
  { header, messages: said }: Conversation,
  shape: RequestShape,
  losses: LossList,
): ExportedRequest {
  const kept = header && field(header, requestKey)
  if (!isObject(kept)) return { request: {}, messages: said }
  const messages = withCustomCalls(said, kept)
  const tools = toolsOf(kept)
  noteTools(tools, losses)
  const request = inShape(withUsualTools(kept), shape, losses)
  const own = shape === 'responses' ? 'input' : 'messages'
  if ((field(request, own) ?? undefined) !== undefined)
    losses.add('field', localize`The conversation replaces the field \`${own}\` next to it`)
  const [first] = messages
  const shown = instructionsMessage(kept)
  const isShown =
    shown !== undefined && first?.role === shown.role && !first.name && textOf(first) === textOf(shown)
  if (!isShown) {
    const others = withoutToolMessage(messages, tools)
    if (shape !== 'responses' || shown === undefined) return { request, messages: others }
    // It would be read as a message that the conversation does not have.
    const key = 'instructions'
    losses.add('field', localize`The conversation replaces the field \`${key}\` next to it`)
    const { [key]: _, ...rest } = request
    return { request: rest, messages: others }
  }
  // Responses have a field for it, Chat Completions a message.
  if (shape === 'responses') return { request, messages: withoutToolMessage(messages.slice(1), tools) }
  const { instructions: _, ...rest } = request
  return { request: rest, messages: [first, ...withoutToolMessage(messages.slice(1), tools)] }
}

/** The request with its tools as Chat Completions define them. Remembered, as {@link toolsOf} is. */
const withUsualTools = perValue((request: JsonObject): JsonObject => {
  const tools = field(request, 'tools')
  const list = typeof tools === 'string' ? toolList(request) : tools
  return Array.isArray(list) ? { ...request, tools: usualTools(list) } : request
})

/** The message that shows the `instructions` of a Responses request to the model, if it has some. */
export function instructionsMessage(request: JsonObject): ConversationMessage | undefined {
  const text = field(request, 'instructions')
  if (typeof text !== 'string' || text === '') return undefined
  return { role: 'developer', content: textContent(text), ending: 'end' }
}

function withoutToolMessage(
  messages: readonly ConversationMessage[],
  { toolMessage: shown }: ToolMessage,
): readonly ConversationMessage[] {
  if (!shown) return messages
  const index = messages.findIndex((it) => it.role === 'developer' && textOf(it) === textOf(shown))
  return index === -1 ? messages : messages.toSpliced(index, 1)
}

interface ToolMessage {
  /** The message that shows the tools, if there are some. */
  readonly toolMessage: ConversationMessage | undefined
  readonly requestTools?: RequestTools | undefined
  /** How many tools are not shown. */
  readonly nHidden: number
}

function noteTools({ nHidden }: ToolMessage, losses: LossList): void {
  for (let nth = 0; nth < nHidden; nth++)
    losses.add(
      'tool-definition',
      localize`A tool that is neither a function nor custom is not shown to the model`,
    )
}

/** Remembered by request, because headers of the same text are the same data. */
const toolsOf = perValue((request: JsonObject) => toolsShown(toolList(request)))

function toolsShown(tools: JsonValue | undefined): ToolMessage {
  return messageOfTools(shownTools(tools))
}

/** One message for the same tools, of which its facts are remembered. */
const messageOfTools = perValue(({ requestTools, nHidden }: ShownTools): ToolMessage => {
  if (!requestTools) return { toolMessage: undefined, nHidden }
  return {
    toolMessage: { role: 'developer', content: textContent(requestTools.body), ending: 'end' },
    requestTools,
    nHidden,
  }
})

/** The constraint of a call whose input is text: what makes it a call of a custom tool. */
export const customConstraint = 'text'

/** The messages with that constraint on the calls of the custom tools of `request` that have none. */
function withCustomCalls(
  messages: readonly ConversationMessage[],
  request: JsonObject,
): readonly ConversationMessage[] {
  const names = customTools(request)
  if (names.size === 0) return messages
  return messages.map((it) => {
    const isCustom =
      it.constraint === undefined && isCallMessage(it) && names.has(functionNameOf(it.to ?? ''))
    return isCustom ? { ...it, constraint: customConstraint } : it
  })
}

const customTools = perValue((request: JsonObject): ReadonlySet<unknown> => {
  const list = toolList(request) ?? []
  return new Set(list.flatMap((it) => toolOf(it, 'custom')?.name ?? []))
})

/**
 * The constraint of a call whose arguments are `text`: JSON, unless they are empty, or a built-in tool takes something else, such as
 * the code of `python`. What is not JSON would break the constraint.
 *
 * @param request in which a custom tool may have the name of the function, of which the call would be without a constraint
 */
export function callConstraint(to: string, text: string, request: JsonObject): 'json' | undefined {
  if (customTools(request).has(functionNameOf(to))) return 'json'
  if (text === '') return undefined
  return isBuiltin(to) && !jsonBody(text).ok ? undefined : 'json'
}

/** Notes the constraint of a call that `request` does not give back. */
export function noteCallConstraint(
  message: ConversationMessage,
  request: JsonObject,
  losses: LossList,
): void {
  const { constraint, to = '', range } = message
  if (constraint === undefined || constraint === customConstraint) return
  if (constraint === callConstraint(to, textOf(message), request)) return
  losses.add('content-type', localize`The constraint \`${constraint}\` cannot be represented`, range)
}

/** The recipient that a function of this name has. */
export function recipientOf(name: string): string {
  return isBuiltin(name) ? name : `functions.${name}`
}

/** The name of the function that a recipient denotes. */
export function functionNameOf(recipient: string): string {
  return withoutFunctionPrefix(recipient)
}

/** The tool of a reply that does not say which it is from. */
export const unknownTool = 'functions.unknown'

/** Notes that a reply is not from the tool that was called: requests say it with the call alone. */
export function noteReplyTool(
  { callId, name, range }: ConversationMessage,
  called: string | undefined,
  losses: LossList,
): void {
  if (name === undefined && called === undefined)
    losses.add('name', localize`A reply without a name gets the name \`${unknownTool}\``, range)
  if (callId === undefined || name === undefined || name === unknownTool) return
  if (called !== undefined && functionNameOf(called) === functionNameOf(name)) return
  losses.add(
    'name',
    localize`The result does not show that a reply is from \`${name}\`: its call does not name it`,
    range,
  )
}

/** The names under which hosts write reasoning. */
export const reasoningFields = reasoningKeys

/** The most frequent of {@link reasoningFields}. */
export const usualReasoningField = 'reasoning_content'

/** The model that the header names, as a field of `request` unless that names one itself. */
export function modelField(header: JsonObject | undefined, request: JsonObject): { readonly model?: string } {
  const model = header && field(header, 'model')
  return typeof model === 'string' && (field(request, 'model') ?? model) === model ? { model } : {}
}

/** What is reported about a key of the header that requests have no place for. */
export function noPlaceInRequest(key: string): string {
  return localize`A request cannot contain \`${key}\` from the YAML header`
}

/** The key of the header that keeps under which name a host writes reasoning, if that is not the usual one. */
export const reasoningFieldKey = 'chat_reasoning_field'
