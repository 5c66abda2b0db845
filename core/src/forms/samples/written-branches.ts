/** What forms of preferences write: the prompt that all branches begin with, and how each of them goes on. */
import type { Conversation } from '../../conversation/conversation.ts'
import { isObject } from '../../conversation/json-input.ts'
import type { LossList } from '../../conversation/loss.ts'
import type { JsonObject } from '../../embedded/yaml-header.ts'
import { localize } from '../../text/localize.ts'
import { toMessages } from '../chat/write-messages.ts'
import type { WriteContext } from '../form.ts'
import { mayHaveMarkup } from './markup.ts'

/** A conversation with its branches, as messages of requests. */
export interface WrittenBranches {
  /** What the sample has besides them, tools included. */
  readonly side: JsonObject
  readonly prompt: readonly JsonObject[]
  /** How each branch goes on after the prompt; at least two. */
  readonly branches: readonly (readonly JsonObject[])[]
}

/**
 * The branches of `conversation`; of one without, an empty one is added, and that is reported: after its answer, or before one
 * that is undesired. The prompt ends before the answers: where they differ earlier, they begin earlier.
 */
export function writtenBranches(
  conversation: Conversation,
  { branches, losses }: WriteContext,
): WrittenBranches {
  const all = branches ?? [conversation]
  const written = all.map((it) => toMessages(it, losses))
  const { messages: _, ...side } = written[0] ?? {}
  const lists = written.map(({ messages }) => (Array.isArray(messages) ? messages.filter(isObject) : []))
  const end = commonLength(lists)
  const rests = lists.map((it) => it.slice(end))
  if (rests.length === 1) {
    const empty = [{ role: 'assistant', content: '' }]
    const isUndesired = side.label === false // as samples with one judged answer say it
    if (isUndesired) {
      losses.add(
        'branch',
        localize`There is only one answer, which is undesired: the chosen one is written as empty`,
      )
      rests.unshift(empty)
    } else {
      losses.add('branch', localize`There is only one answer: the rejected one is written as empty`)
      rests.push(empty)
    }
  }
  return { side, prompt: lists[0]?.slice(0, end) ?? [], branches: rests }
}

/** How many messages all of `lists` begin with, at most up to the first answer that ends one of them. */
function commonLength(lists: readonly (readonly JsonObject[])[]): number {
  const [first = [], ...others] = lists
  const most = Math.min(...lists.map((it) => it.findLastIndex(({ role }) => role !== 'assistant') + 1))
  let end = 0
  while (end < most) {
    const text = JSON.stringify(first[end])
    if (others.some((it) => JSON.stringify(it[end]) !== text)) break
    end++
  }
  return end
}

/** The text of `messages` if they are one plain message of `role`, which a string says as well. */
export function soleText(messages: readonly JsonObject[], role: 'user' | 'assistant'): string | undefined {
  const [only] = messages
  const isPlain = messages.length === 1 && only?.role === role && Object.keys(only).length === 2
  return isPlain && typeof only.content === 'string' && !mayHaveMarkup(only.content)
    ? only.content
    : undefined
}

/** Notes the branches after the first two, for forms that hold no more. */
export function notePair({ branches }: WrittenBranches, losses: LossList): void {
  if (branches.length > 2)
    losses.add('branch', localize`Only the first two of ${branches.length} branches are written`)
}

/** The answers as texts if all of them are plain ones, or empty. */
export function answerTexts({ branches }: WrittenBranches): readonly string[] | undefined {
  const texts = branches.map((it) => (it.length === 0 ? '' : soleText(it, 'assistant')))
  return texts.every((it) => it !== undefined) ? texts : undefined
}
