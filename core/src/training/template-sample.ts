/** A sample in the form that chat templates expect (S12). */
import { type Conversation, textOf } from '../conversation/conversation.ts'
import { flaggedObject, isObject } from '../conversation/json-input.ts'
import { LossList } from '../conversation/loss.ts'
import type { Reading } from '../convert/convert.ts'
import { templateTools } from '../embedded/request-tools.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { type WrittenRequest, writtenRequest } from '../forms/chat/write-messages.ts'
import { noteWrittenJson } from '../forms/json-source/inexact-json.ts'
import { flagsIn, trainingFlags } from './training-flags.ts'

/** What a template is rendered with, and what the sample says of training. */
export interface TemplateSample {
  readonly messages: readonly JsonObject[]
  /** `tools`, `documents` and the sample's `chat_template_kwargs`. */
  readonly context: JsonObject
  /**
   * For each message of the conversation, the index of the one that has its text; undefined where that is not known: samples must
   * be read with `hasPlaces` or `isTraced`.
   */
  readonly sources: readonly (number | undefined)[]
  /** How many of the messages are the prompt, as in {@link Conversation.promptLength}. */
  readonly promptLength?: number | undefined
}

/**
 * The sample `value`, which was read as `reading`: its own messages where they are Chat Completions, else written as such, with the
 * training flags of the sample if it was read with `isTraced`.
 */
export function templateSample(value: JsonValue, reading: Reading<string>): TemplateSample {
  const sample = isObject(value) ? (value as JsonObject) : {}
  const own = reading.from === 'messages' ? messagesIn(value) : undefined
  const { conversation } = reading
  const { request: written, places } = own
    ? notWritten
    : writtenRequest(withoutTools(conversation), new LossList())
  const messages = own ?? messagesIn(written ?? []) ?? []
  const tools = own ? decoded(sample.tools) : (toolsOf(conversation) ?? written?.tools)
  const documents = decoded(sample.documents)
  const options = decoded(sample.chat_template_kwargs)
  const context: Record<string, JsonValue> = {}
  if (Array.isArray(tools) && tools.length > 0) context.tools = tools
  if (Array.isArray(documents)) context.documents = documents
  if (isObject(options)) Object.assign(context, options)
  const starts = new Map(own?.map((_, index) => [reading.places?.of(own, index)?.start, index]))
  const sources = conversation.messages.map(({ origin, range }) =>
    own ? range && starts.get(range.start) : places.get(origin ?? range ?? reading),
  )
  return {
    messages: flagged(messages, conversation, places).map((it) => handedOver(it, own === undefined)),
    context,
    sources,
    promptLength: promptLengthOf(conversation),
  }
}

/** `messages` with the training flags of the items that they were written from, as `places` says; one that isn't trained decides. */
function flagged(
  messages: readonly JsonObject[],
  conversation: Conversation,
  places: ReadonlyMap<object, number>,
): readonly JsonObject[] {
  const result = [...messages]
  for (const { origin } of conversation.messages) {
    const index = origin && places.get(origin)
    const flags = origin && flagsIn(flaggedObject(origin) ?? {})
    const message = index === undefined ? undefined : result[index]
    if (index === undefined || !message || !flags || trainingFlags(message).isTrained === false) continue
    const { content, train_detail, ...others } = flags
    const isSaid = train_detail !== undefined && content === message.content // else its offsets are of another text
    result[index] = { ...message, ...others, ...(isSaid && { train_detail }) }
  }
  return result
}

/** How many messages {@link templateSample} makes of the prompt. */
function promptLengthOf(conversation: Conversation): number | undefined {
  const { messages, promptLength } = conversation
  if (promptLength === undefined) return undefined
  const prompt = { ...conversation, messages: messages.slice(0, promptLength) }
  const { request } = writtenRequest(withoutTools(prompt), new LossList())
  return messagesIn(request ?? [])?.length ?? 0
}

/** `conversation` without the message that shows its tools: templates get these apart. */
function withoutTools({ requestTools, ...conversation }: Conversation): Conversation {
  const { messages } = conversation
  const shown = requestTools
    ? messages.findIndex((it) => it.role === 'developer' && textOf(it) === requestTools.body)
    : -1
  return shown === -1 ? conversation : { ...conversation, messages: messages.toSpliced(shown, 1) }
}

function toolsOf({ requestTools }: Conversation): readonly JsonValue[] | undefined {
  return requestTools && templateTools(JSON.parse(requestTools.json))
}

const notWritten: Partial<WrittenRequest> & Pick<WrittenRequest, 'places'> = { places: new Map() }

function messagesIn(value: JsonValue): readonly JsonObject[] | undefined {
  const list = Array.isArray(value) ? value : isObject(value) ? (value as JsonObject).messages : undefined
  if (!Array.isArray(list) || list.length === 0) return undefined
  return list.every(isObject) ? (list as readonly JsonObject[]) : undefined
}

/** Lists and objects that a column holds as JSON in a string. */
function decoded(value: JsonValue | undefined): JsonValue | undefined {
  if (typeof value !== 'string') return value
  try {
    return JSON.parse(value)
  } catch {
    return value // it is text, and templates may want that
  }
}

const reasoningKeys = ['reasoning_content', 'thinking', 'reasoning']

/** `message` with arguments as objects, and reasoning under both names that templates ask for. */
function handedOver(message: JsonObject, isWritten: boolean): JsonObject {
  const result: Record<string, JsonValue> = { ...message }
  // What a form of ours writes as `null` next to calls has no text; a template would print `None`.
  if (isWritten && result.content === null) result.content = ''
  if (Array.isArray(message.tool_calls)) result.tool_calls = message.tool_calls.map(withObjectArguments)
  const key = reasoningKeys.find((it) => typeof message[it] === 'string')
  const reasoning = key === undefined ? undefined : message[key]
  if (message.role === 'assistant' && reasoning !== undefined) {
    result.reasoning_content ??= reasoning
    result.thinking ??= reasoning
  }
  return result
}

function withObjectArguments(call: JsonValue): JsonValue {
  if (!isObject(call)) return call
  const { function: called } = call as JsonObject
  if (!isObject(called)) return call
  const { arguments: text } = called as JsonObject
  const value = decoded(text) ?? {}
  if (typeof text === 'string') noteWrittenJson(text, value)
  return { ...call, function: { ...called, arguments: value } }
}
