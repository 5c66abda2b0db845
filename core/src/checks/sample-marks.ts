/** What of a sample its dataset is judged by: a few hundred bytes, no text. */
import { type Conversation, type ConversationMessage, textOf } from '../conversation/conversation.ts'
import { isObject } from '../conversation/json-input.ts'
import { type Reading, readJsonConversation } from '../convert/convert.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { formOf } from '../forms/form-registry.ts'
import { markupIn } from '../forms/samples/markup.ts'
import { canonicalFields } from '../review/canonical-sample.ts'
import { factsOfMessage } from '../semantics/message.ts'
import { kindOf } from '../semantics/message-kind.ts'
import { reasoningKeys } from '../vocabulary/role-words.ts'
import type { SampleMark } from './duplicate-index.ts'
import { TextDigest } from './text-digest.ts'

/** What a sample has. It is data, which can be sent to another thread. */
export interface DatasetMark extends SampleMark {
  readonly hasTextArguments: boolean
  readonly hasObjectArguments: boolean
  readonly hasInlineReasoning: boolean
  readonly hasSeparateReasoning: boolean
  /** Of a pair, by how many UTF-16 code units the first branch is longer than the second; undefined for others. */
  readonly longerBy: number | undefined
}

/** The mark of the sample `value`, which was read as `reading`. */
export function datasetMark(value: JsonValue, reading: Reading): DatasetMark {
  const { conversation, from } = reading
  const { branches = [] } = conversation
  const others = branches
    .filter((it) => it !== conversation.branch)
    .map((branch) => readJsonConversation(value, { from, branch, rest: 'source' }).conversation)
  const all = [conversation, ...others]
  const isPair = formOf(from).comparesBranches === true && all.length === 2
  shared.begin()
  for (const it of all) addTo(shared, it)
  return {
    hash: shared.hash,
    signature: shared.signature(),
    ...fieldsOf(value),
    longerBy: isPair ? lengthOf(all[0]?.messages) - lengthOf(all[1]?.messages) : undefined,
  }
}

const shared = new TextDigest() // its memory is used again for each sample

function addTo(digest: TextDigest, conversation: Conversation): void {
  const fields = canonicalFields(conversation)
  for (const [index, message] of conversation.messages.entries()) {
    for (const it of fields[index] ?? []) digest.addField(it === null ? undefined : String(it))
    const text = textOf(message)
    if (isSaid(message)) digest.addSaid(text)
    else digest.addField(text)
  }
  digest.addField(undefined) // the end of a branch
}

/** False for instructions, which whole datasets share. */
function isSaid(message: ConversationMessage): boolean {
  return kindOf(factsOfMessage(message)) !== 'instructions'
}

function lengthOf(messages: readonly ConversationMessage[] = []): number {
  return messages.reduce((sum, it) => sum + textOf(it).length, 0)
}

/** How the sample has its calls and its reasoning: only messages of Chat Completions have a choice. */
function fieldsOf(value: JsonValue) {
  const found = {
    hasTextArguments: false,
    hasObjectArguments: false,
    hasInlineReasoning: false,
    hasSeparateReasoning: false,
  }
  const messages = isObject(value) ? (value as JsonObject).messages : undefined
  if (!Array.isArray(messages)) return found
  for (const message of messages) {
    if (!isObject(message)) continue
    const { content, tool_calls: calls, role } = message as JsonObject
    const isApart = (key: string) => typeof message[key] === 'string' && message[key] !== ''
    if (reasoningKeys.some(isApart)) found.hasSeparateReasoning = true
    if (role === 'assistant' && typeof content === 'string' && isThoughtIn(content))
      found.hasInlineReasoning = true
    for (const call of Array.isArray(calls) ? calls : []) {
      const called = isObject(call) ? (call as JsonObject).function : undefined
      const given = isObject(called) ? (called as JsonObject).arguments : undefined
      if (typeof given === 'string') found.hasTextArguments = true
      else if (isObject(given)) found.hasObjectArguments = true
    }
  }
  return found
}

function isThoughtIn(text: string): boolean {
  return markupIn(text)?.pieces.some(({ kind }) => kind === 'analysis') ?? false
}
