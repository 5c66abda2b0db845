/** What of a sample its dataset is judged by: a few hundred bytes, no text. */
import { type ConversationMessage, textOf } from '../conversation/conversation.ts'
import { isObject } from '../conversation/json-input.ts'
import { type Reading, readJsonConversation } from '../convert/convert.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { formOf } from '../forms/form-registry.ts'
import { mayHaveMarkup } from '../forms/samples/markup.ts'
import { canonicalConversation } from '../review/canonical-sample.ts'
import { factsOfMessage } from '../semantics/message.ts'
import { kindOf } from '../semantics/message-kind.ts'
import type { SampleMark } from './duplicate-index.ts'
import { textHash, wordSignature } from './word-signature.ts'

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
  const words = all.flatMap(({ messages }) => messages.filter(isSaid).map(textOf)).join(' ')
  const fields = fieldsOf(value)
  const isPair = formOf(from).comparesBranches === true && all.length === 2
  return {
    hash: textHash(all.map(canonicalConversation).join()),
    signature: wordSignature(words),
    ...fields,
    longerBy: isPair ? lengthOf(all[0]?.messages) - lengthOf(all[1]?.messages) : undefined,
  }
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
    const { content, tool_calls: calls, reasoning_content: reasoning, role } = message as JsonObject
    if (typeof reasoning === 'string' && reasoning !== '') found.hasSeparateReasoning = true
    if (
      role === 'assistant' &&
      typeof content === 'string' &&
      mayHaveMarkup(content) &&
      /<\/think>/.test(content)
    )
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
