/** The items of the Responses API: messages, reasoning, calls of functions and their outputs. */

import { withDistinctCallIds } from '../conversation/call-ids.ts'
import {
  type Conversation,
  type ConversationMessage,
  type JsonPlace,
  type JsonWords,
  textContent,
  textOf,
} from '../conversation/conversation.ts'
import {
  field,
  isObject,
  listField,
  nameOf,
  noteUnknownFields,
  objectAt,
  objectIn,
  ShapeError,
  textField,
} from '../conversation/json-input.ts'
import { placed } from '../conversation/json-places.ts'
import type { LossList } from '../conversation/loss.ts'
import { isLeftOut, noteLeftOut, withHiddenApart } from '../conversation/message-visibility.ts'
import { noteEnding } from '../conversation/note-ending.ts'
import { toolList, toolOf } from '../embedded/request-tools.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { quoted } from '../rules/quoted.ts'
import { factsOfMessage } from '../semantics/message.ts'
import { kindOf, unusualChannelOf } from '../semantics/message-kind.ts'
import { localizable, localize } from '../text/localize.ts'
import { preambleIntent } from '../vocabulary/attributes.ts'
import { answerChannel, reasoningChannel, toolChannel } from '../vocabulary/channels.ts'
import { requestKey } from '../vocabulary/kept-keys.ts'
import { roleOf } from '../vocabulary/roles.ts'
import {
  addToolMessage,
  messageOfCall,
  messageOfReply,
  noteMarkup,
  noteUnsaid,
  noteUnsaidOfReply,
} from './chat/chat-message.ts'
import {
  customConstraint,
  exportRequest,
  functionNameOf,
  importRequest,
  instructionsMessage,
  modelField,
  noPlaceInRequest,
  noteCallConstraint,
  reasoningFieldKey,
  recipientOf,
} from './chat/chat-tools.ts'
import { noteHeaderAndKept } from './chat/note-kept.ts'
import { defineForm, type ReadContext } from './form.ts'
import { sampleOf } from './json-sample.ts'
import { noteInexactJson } from './json-source/inexact-json.ts'
import { mayHaveMarkup, replyBlocks } from './samples/markup.ts'
import { noteUnread } from './samples/sample-columns.ts'
import { hiddenChannelOf, SampleReader } from './samples/sample-reader.ts'

/** The form. */
export const responses = defineForm({
  name: 'responses',
  title: 'Responses',
  summary: localizable`A Responses API request with its items`,
  documentation: 'a Responses API request with `input`, or a response with `output`',
  language: 'json',
  holds: 'json',
  lists: ['input', 'output'],
  messageKeys: ['instructions'],
  recognizedBy: {
    request: (sample) =>
      typeof sample.at('input') === 'string' ||
      Array.isArray(sample.at('input')) ||
      Array.isArray(sample.at('output')),
    item: (sample) =>
      sample.hasList &&
      sample.hasItemKey('type') &&
      sample.hasItem(({ type }) => typeof type === 'string' && Object.hasOwn(knownFields, type)),
  },
  read: fromResponses,
  write: (conversation, { losses }) => toResponses(conversation, losses),
})

/** Reads a request with `input`, a response with `output`, or a list of items. @throws ConversionError */
export function fromResponses(
  value: JsonValue,
  { losses, rest, isTraced = false }: Pick<ReadContext, 'losses' | 'rest' | 'isTraced'>,
): Conversation {
  const root: JsonObject = Array.isArray(value) ? { input: value } : objectIn(value, localize`The document`)
  const isResponse = (field(root, 'input') ?? undefined) === undefined && Object.hasOwn(root, 'output')
  const isBare = (field(root, 'input') ?? field(root, 'output') ?? undefined) === undefined
  const list = isBare && !Array.isArray(value) ? sampleOf(value).listKey : undefined
  const key = list ?? (isResponse ? 'output' : 'input')
  const input = field(root, key)
  const items =
    key === 'input' && typeof input === 'string'
      ? [{ role: 'user', content: input }]
      : listField(root, key, localize`The document`)
  if (input === undefined)
    throw new ShapeError(localize`The document has neither \`input\` nor \`output\``, root)
  const { header, toolMessage, requestTools } = importRequest(root, new Set([key]), losses, rest)
  const tools = new Map<string, string>()
  const messages = items.flatMap((_, index) => {
    const where = localize`Item ${index + 1}`
    const range = losses.places?.message(index)
    losses.place = range
    const it = objectAt(items, index, where)
    const item = { parent: items, key: index }
    const read = placed(readItem(it, where, { tools, request: root, isTraced, item }, losses), range)
    if (!isTraced) return read
    if (items !== input) return read.map((message) => traced(message, [{ parent: root, key }]))
    return read.map((message) => (message.origin ? message : traced(message, wordsOf(it), item)))
  })
  losses.place = undefined
  addToolMessage(messages, toolMessage)
  const instructions = instructionsMessage(root)
  if (instructions)
    messages.unshift(isTraced ? traced(instructions, [{ parent: root, key: 'instructions' }]) : instructions)
  else if ((field(root, 'instructions') ?? '') !== '')
    losses.addAt(
      'field',
      localize`Only \`instructions\` that are text are shown to the model`,
      root,
      'instructions',
    )
  noteUnread(root, new Set([key, 'tools', 'functions']), messages, losses)
  return { header, messages, ...(requestTools && { requestTools }) }
}

function traced(
  message: ConversationMessage,
  words: readonly JsonWords[],
  item?: JsonPlace,
): ConversationMessage {
  return { ...message, origin: { words, item } }
}

/** Where the words of items are; of several fields, the first one with words counts. */
const wordKeys: Readonly<Record<string, readonly string[]>> = {
  message: ['content'],
  reasoning: ['content', 'summary'],
  function_call: ['arguments'],
  function_call_output: ['output'],
  custom_tool_call: ['input'],
  custom_tool_call_output: ['output'],
  local_shell_call: ['action'],
  local_shell_call_output: ['output'],
}

/** Where `it`, an item, has the words that {@link readItem} reads. */
function wordsOf(it: JsonObject): readonly JsonWords[] {
  const all = wordKeys[String(it.type ?? 'message')]?.map((key) => wordsAt(it, key)) ?? []
  const isSaid = ({ parent, key }: JsonWords) => ((parent as JsonObject)[key] ?? '') !== ''
  return all.find((words) => words.some(isSaid)) ?? all[0] ?? []
}

function wordsAt(item: JsonObject, key: string): readonly JsonWords[] {
  const value = field(item, key)
  if (!Array.isArray(value)) return [{ parent: item, key }]
  return value.flatMap((part: JsonValue): readonly JsonWords[] => {
    const own = isObject(part)
      ? ['text', 'refusal'].find((it) => typeof field(part, it) === 'string')
      : undefined
    return isObject(part) && own !== undefined ? [{ parent: part, key: own }] : []
  })
}

const knownFields = {
  message: new Set(['type', 'role', 'content']),
  reasoning: new Set(['type', 'summary', 'content']),
  function_call: new Set(['type', 'call_id', 'name', 'arguments']),
  function_call_output: new Set(['type', 'call_id', 'output']),
  custom_tool_call: new Set(['type', 'call_id', 'name', 'input']),
  custom_tool_call_output: new Set(['type', 'call_id', 'output']),
  local_shell_call: new Set(['type', 'id', 'call_id', 'status', 'action']),
  local_shell_call_output: new Set(['type', 'id', 'call_id', 'status', 'output']),
} as const

/** The tool of `local_shell_call`, whose action is its arguments. */
const localShell = 'local_shell'

/** The `phase` of what the assistant says before it goes on, and of its answer. */
const phases = { commentary: 'commentary', answer: 'final_answer' } as const
const phasedFields: ReadonlySet<string> = new Set([...knownFields.message, 'phase'])
const channelFields: ReadonlySet<string> = new Set([...phasedFields, 'channel'])

/** Where an item is, and what is known of others. */
interface ItemContext {
  /** The tools that were called, by the ids of the calls. */
  readonly tools: Map<string, string>
  readonly request: JsonObject
  readonly item: JsonPlace
  readonly isTraced: boolean
}

function readItem(
  it: JsonObject,
  where: string,
  context: ItemContext,
  losses: LossList,
): readonly ConversationMessage[] {
  const { tools, request } = context
  const type = field(it, 'type') ?? 'message'
  const text = (key: string) => textField(it, key, where)
  const isPreamble = type === 'message' && field(it, 'phase') === phases.commentary
  const isHidden = type === 'message' && text('role') === 'assistant' && hiddenChannelOf(it) !== undefined
  if (typeof type === 'string' && Object.hasOwn(knownFields, type)) {
    const hasPhase = isPreamble || (type === 'message' && field(it, 'phase') === phases.answer)
    const own = hasPhase ? phasedFields : knownFields[type as keyof typeof knownFields]
    const known = isHidden ? channelFields : own
    noteUnknownFields(it, known, where, losses)
  }
  switch (type) {
    case 'message': {
      const role = text('role')
      if (role === undefined) throw new ShapeError(localize`${where} has no \`role\``, it)
      const content = textContent(contentText(it, 'content', where, losses))
      if (isHidden || hasMarkup(it, role)) return markedMessages(it, where, context, losses)
      if (role !== 'assistant') return [{ role, content, ending: 'end' }]
      return isPreamble
        ? [{ role, channel: toolChannel, intent: preambleIntent, content, ending: 'end' }]
        : [{ role, channel: answerChannel, content, ending: 'end' }]
    }
    case 'reasoning': {
      const summary = contentText(it, 'summary', where, losses)
      const content = contentText(it, 'content', where, losses)
      if (summary !== '' && content !== '')
        losses.addAt('reasoning', localize`${where}: the summary is left out`, it, 'summary')
      const reasoning = content === '' ? summary : content
      if (content === '' && summary !== '')
        losses.addAt('reasoning', localize`${where}: the summary replaces the reasoning`, it, 'summary')
      return [
        { role: 'assistant', channel: reasoningChannel, content: textContent(reasoning), ending: 'end' },
      ]
    }
    case 'function_call':
    case 'custom_tool_call': {
      const isCustom = type === 'custom_tool_call'
      const to = recipientOf(text('name') ?? 'unknown')
      const id = text('call_id')
      if (id) tools.set(id, to)
      const input = text(isCustom ? 'input' : 'arguments') ?? ''
      return [messageOfCall({ to, id, input, isCustom }, request)]
    }
    case 'local_shell_call': {
      const to = recipientOf(localShell)
      const id = text('call_id') ?? text('id')
      if (id) tools.set(id, to)
      const action = field(it, 'action') ?? undefined
      const input = action === undefined ? '' : JSON.stringify(action)
      return [messageOfCall({ to, id, input, isCustom: false }, request)]
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
    case 'local_shell_call_output': {
      const id = text('call_id') ?? (type === 'local_shell_call_output' ? text('id') : undefined)
      const tool = id === undefined ? undefined : tools.get(id)
      if (tool === undefined) losses.addAt('name', localize`${where}: no call has this ID`, it, 'call_id')
      return [messageOfReply(tool, id, contentText(it, 'output', where, losses))]
    }
    default:
      losses.addAt('not-a-message', localize`${where}: items of the type ${quotedType(it)} are left out`, it)
      return []
  }
}

/** True for a message with markup in its text, which servers without a parser leave there. */
function hasMarkup(it: JsonObject, role: string): boolean {
  if (role !== 'assistant' && role !== 'user') return false
  const content = field(it, 'content')
  const parts: readonly (JsonValue | undefined)[] = Array.isArray(content) ? content : [content]
  const texts = parts.map((part) => {
    const text = isObject(part) ? (field(part, 'text') ?? field(part, 'refusal')) : part
    return typeof text === 'string' ? text : ''
  })
  if (role === 'assistant') return mayHaveMarkup(texts.join('')) // a tag may end in another part
  return texts.some((text) => mayHaveMarkup(text) && replyBlocks(text) !== undefined)
}

/** The messages of one with markup in its text (F20), or on a private channel. What else is lost of it is noted already. */
function markedMessages(
  it: JsonObject,
  where: string,
  { request, item, isTraced }: ItemContext,
  losses: LossList,
): readonly ConversationMessage[] {
  const reader = new SampleReader({ losses, request, isTraced, keepsSide: false })
  reader.item(it, where, item)
  return reader.messages
}

const partFields: ReadonlySet<string> = new Set(['type', 'text', 'refusal'])

function contentText(item: JsonObject, key: string, where: string, losses: LossList): string {
  const value = field(item, key)
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (!Array.isArray(value))
    throw new ShapeError(localize`${where}: the content is ${nameOf(value)}, not a list`, item, key)
  if (value.length > 1)
    losses.addAt('content-part', localize`${where}: the pieces of the content become one text`, item, key)
  return value
    .map((_, index) => {
      const what = localize`${where}: a piece of the content`
      const part = objectAt(value, index, what)
      const refusal = field(part, 'refusal')
      const text = field(part, 'text') ?? refusal
      if (typeof text === 'string') {
        if (typeof refusal === 'string')
          losses.addAt('content-part', localize`${where}: a refusal becomes an ordinary answer`, part)
        noteUnknownFields(part, partFields, what, losses)
        return text
      }
      losses.addAt(
        'content-part',
        localize`${where}: content of the type ${quotedType(part)} is left out`,
        part,
      )
      return ''
    })
    .join('')
}

/** `conversation` as a request with `input`. */
function toResponses(conversation: Conversation, losses: LossList): JsonObject {
  const { request, messages } = exportRequest(conversation, 'responses', losses)
  const calls = new Map<string, ConversationMessage>()
  const input = withDistinctCallIds(messages, losses).flatMap((message) => {
    noteEnding(message, losses)
    const apart = withHiddenApart(message, { hasRecipients: false }, losses)
    return apart.flatMap((it) => writeItem(it, { calls, request }, losses))
  })
  const model = modelField(conversation.header, request)
  const told = [...Object.keys(model), requestKey, reasoningFieldKey]
  noteHeaderAndKept(conversation.header, told, noPlaceInRequest, losses)
  return { ...model, ...request, input }
}

/** The item for `message` of `request`; `calls` are those before it, by their ids. */
function writeItem(
  message: ConversationMessage,
  { calls, request }: { readonly calls: Map<string, ConversationMessage>; readonly request: JsonObject },
  losses: LossList,
): readonly JsonObject[] {
  const { role, name, to, callId, intent, constraint, range } = message
  const text = textOf(message)
  const kind = kindOf(factsOfMessage(message))
  const channel = unusualChannelOf(message)
  if (role !== 'assistant' && isLeftOut(message, losses)) return []
  noteUnsaid(message, losses)
  noteMarkup(message, { answers: true, replies: false }, losses)
  if (intent !== undefined && kind !== 'preamble' && kind !== 'hidden-commentary')
    losses.add('intent', localize`\`intent=${intent}\` cannot be represented`, range)
  if (name !== undefined && role !== 'tool')
    losses.add('name', localize`\`name=${name}\` cannot be represented`, range)
  if (kind === 'reply') {
    const call = calls.get(callId ?? '')
    noteUnsaidOfReply(message, call?.to, losses)
    if (constraint !== undefined)
      losses.add('content-type', localize`The constraint cannot be represented`, range)
    const isCustom = call?.constraint === customConstraint
    const type = isCustom ? 'custom_tool_call_output' : 'function_call_output'
    if (call && shellAction(call, request))
      return [{ type: 'local_shell_call_output', call_id: callId ?? '', output: text }]
    return [{ type, call_id: callId ?? '', output: text }]
  }
  if (kind === 'call') {
    if (callId !== undefined) calls.set(callId, message)
    if (channel !== undefined)
      losses.add('channel', localize`The channel of a call cannot be represented`, range)
    if (constraint === customConstraint) {
      const name = functionNameOf(to ?? '')
      return [{ type: 'custom_tool_call', call_id: callId ?? '', name, input: text }]
    }
    const action = shellAction(message, request)
    if (action) noteInexactJson(text, action, losses)
    if (action) return [{ type: 'local_shell_call', call_id: callId ?? '', status: 'completed', action }]
    noteCallConstraint(message, request, losses)
    return [{ type: 'function_call', call_id: callId ?? '', name: functionNameOf(to ?? ''), arguments: text }]
  }
  if (roleOf(role) === undefined)
    losses.add('role', localize`The Responses API has no role \`${role}\``, range)
  if (to !== undefined) losses.add('recipient', localize`\`to=${to}\` cannot be represented`, range)
  if (constraint !== undefined)
    losses.add('content-type', localize`The constraint cannot be represented`, range)
  if (kind === 'reasoning') {
    return [{ type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text }] }]
  }
  if (kind !== 'preamble' && role === 'assistant' && kind !== 'answer') {
    noteLeftOut(message, losses)
    return []
  }
  if (kind !== 'preamble' && channel !== undefined)
    losses.add('channel', localize`The channel \`${channel}\` cannot be represented`, range)
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  const phase = kind === 'preamble' ? { phase: phases.commentary } : {}
  return [{ type: 'message', role, content: [{ type, text }], ...phase }]
}

/** What `call` runs in the shell of the API; undefined for a call of anything else, also of a function of that name. */
function shellAction(call: ConversationMessage, request: JsonObject): JsonObject | undefined {
  if (functionNameOf(call.to ?? '') !== localShell) return undefined
  if (toolList(request)?.some((it) => toolOf(it, 'function')?.name === localShell)) return undefined
  try {
    const action = JSON.parse(textOf(call)) as JsonValue // what JSON.parse gives is a JSON value
    return isObject(action) && field(action, 'type') === 'exec' ? action : undefined
  } catch {
    return undefined
  }
}

/** The type of an item or a part for a message, whatever is in its place. */
function quotedType(it: JsonObject): string {
  const type = field(it, 'type')
  return quoted(typeof type === 'string' ? type : 'null')
}
