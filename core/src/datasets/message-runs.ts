/** Which messages of an edited conversation are which messages of the sample, and in which items of its list they are. */
import { type ConversationMessage, isCallMessage } from '../conversation/conversation.ts'
import { aligned } from './align.ts'

/** Messages of the edited conversation that belong to one item of the sample's list, or to none. */
export interface MessageGroup {
  /** The index of the item; undefined for messages that are new. */
  readonly item: number | undefined
  readonly messages: readonly ConversationMessage[]
}

/** For each message of `old` the index of the one in `now` that it became; -1 for one that is gone. */
export function matched(
  old: readonly ConversationMessage[],
  now: readonly ConversationMessage[],
): readonly number[] {
  const matches = old.map(() => -1)
  for (const key of [wholeKey, headerKey, kindKey, ({ role }: ConversationMessage) => role]) {
    let [from, otherFrom] = [0, 0]
    for (const [at, otherAt] of [...matches.entries(), [old.length, now.length] as const]) {
      if (at < old.length && otherAt === -1) continue
      const one = old.slice(from, at).map(key)
      const other = now.slice(otherFrom, otherAt).map(key)
      for (const [index, otherIndex] of aligned(one, other)) matches[from + index] = otherFrom + otherIndex
      ;[from, otherFrom] = [at + 1, otherAt + 1]
    }
  }
  return matches
}

/** A message that is in another place among the others. */
export interface MessageMove {
  /** Its index before. */
  readonly from: number
  readonly to: number
}

/** The messages of `old` that {@link matched} finds gone, and that are in `now` all the same. */
export function movesIn(
  old: readonly ConversationMessage[],
  now: readonly ConversationMessage[],
): readonly MessageMove[] {
  const matches = matched(old, now)
  const known = new Set(matches)
  const free = new Map<string, number[]>()
  for (const [index, message] of now.entries()) {
    if (known.has(index)) continue
    const key = wholeKey(message)
    const others = free.get(key)
    if (others) others.push(index)
    else free.set(key, [index])
  }
  if (free.size === 0) return []
  return old.flatMap((message, from) => {
    const to = matches[from] === -1 ? free.get(wholeKey(message))?.pop() : undefined
    return to === undefined ? [] : [{ from, to }]
  })
}

/** All that a message says. */
export function wholeKey({ range: _, origin: __, ...message }: ConversationMessage): string {
  return JSON.stringify(message, Object.keys(message).sort().concat('kind', 'text'))
}

function headerKey({ content: _, range: __, ending: ___, ...header }: ConversationMessage): string {
  return JSON.stringify(header, Object.keys(header).sort())
}

function kindKey(message: ConversationMessage): string {
  return `${message.role} ${message.channel ?? ''} ${isCallMessage(message)}`
}

/**
 * The messages of `now` in groups, in their order. `items` has the item of each old message, undefined for one that has none, whose
 * match is left out. New messages join the item next to them if they `belong` to it.
 */
export function grouped(
  now: readonly ConversationMessage[],
  matches: readonly number[],
  items: readonly (number | undefined)[],
  belong: (messages: readonly ConversationMessage[], item: number) => boolean,
): readonly MessageGroup[] {
  const owners: (number | undefined)[] = now.map(() => undefined)
  const isLeftOut = new Set<number>()
  for (const [index, match] of matches.entries()) {
    if (match === -1) continue
    const item = items[index]
    if (item === undefined) isLeftOut.add(match)
    else owners[match] = item
  }
  fillBetween(owners)
  const groups: { item: number | undefined; messages: ConversationMessage[] }[] = []
  for (const [index, message] of now.entries()) {
    if (isLeftOut.has(index)) continue
    const last = groups.at(-1)
    if (last && last.item === owners[index]) last.messages.push(message)
    else groups.push({ item: owners[index], messages: [message] })
  }
  for (const [nth, free] of groups.entries()) {
    if (free.item !== undefined) continue
    const [before, after] = [groups[nth - 1], groups[nth + 1]]
    for (let it = free.messages.at(-1); it && after?.item !== undefined; it = free.messages.at(-1)) {
      if (!belong([it, ...after.messages], after.item)) break
      after.messages.unshift(it)
      free.messages.pop()
    }
    for (let [it] = free.messages; it && before?.item !== undefined; [it] = free.messages) {
      if (!belong([...before.messages, it], before.item)) break
      before.messages.push(it)
      free.messages.shift()
    }
  }
  return groups.filter(({ messages }) => messages.length > 0)
}

/** What is between messages of one item belongs to it. */
function fillBetween(owners: (number | undefined)[]): void {
  let last = -1
  for (const [index, owner] of owners.entries()) {
    if (owner === undefined) continue
    if (last >= 0 && owners[last] === owner) owners.fill(owner, last, index)
    last = index
  }
}
