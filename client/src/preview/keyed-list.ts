/** Lists of keyed things: which entry of a new list continues which one of the old, and the steps between two windows. */
import { commonEnds, isEqualData } from '../../../core/src/internal.ts'
import type { PageChange } from './preview-protocol.ts'
import type { MessageRef } from './preview-session.ts'

interface Keyed {
  readonly id: string
}

/** A message with the id under which a page knows it. */
export interface Entry<Message> {
  /** Kept while a message is edited, so that the page changes it in place. */
  readonly id: string
  readonly ref: MessageRef<Message>
}

/**
 * `next` as entries. A message with a known key keeps its id; between such messages, the ones that went and the ones
 * that came are paired in order, because an edit changes the key of the message that it touches.
 * Ids that survive keep their relative order.
 */
export function keepIds<Message>(
  old: readonly Entry<Message>[],
  next: readonly MessageRef<Message>[],
  newId: () => string,
): Entry<Message>[] {
  if (old.length === 0) return next.map((ref) => ({ id: newId(), ref }))
  const keys = old.map(({ ref }) => ref.key)
  const { head, tail } = commonEnds(
    keys,
    next.map(({ key }) => key),
  )
  const oldIndex = new Map<string, number>()
  for (let index = head; index < old.length - tail; index++) oldIndex.set(at(keys, index), index)

  const result = old.slice(0, head)
  let free = head // the first old entry that may still lend its id
  let waiting: MessageRef<Message>[] = []
  const settle = (limit: number) => {
    for (const ref of waiting) result.push({ id: free < limit ? at(old, free++).id : newId(), ref })
    waiting = []
    free = limit
  }
  for (let index = head; index < next.length - tail; index++) {
    const ref = at(next, index)
    const known = oldIndex.get(ref.key)
    if (known === undefined || known < free) {
      waiting.push(ref)
      continue
    }
    settle(known)
    result.push(at(old, known))
    free = known + 1
  }
  settle(old.length - tail)
  for (let index = old.length - tail; index < old.length; index++) result.push(at(old, index))
  return result
}

/** The steps from `old` to `next`: one per message that differs. Shared ids have the same order in both. */
export function changesBetween<Shown extends Keyed>(
  old: readonly Shown[],
  next: readonly Shown[],
): PageChange<Shown>[] {
  const before = new Map(old.map((message) => [message.id, message]))
  const remaining = new Set(next.map((message) => message.id))
  const changes: PageChange<Shown>[] = []
  for (const { id } of old) {
    if (!remaining.has(id)) changes.push({ kind: 'remove', id })
  }
  let after: string | undefined
  for (const message of next) {
    const known = before.get(message.id)
    if (!known) changes.push({ kind: 'insert', message, ...(after === undefined ? {} : { after }) })
    else if (!isEqualData(known, message)) changes.push({ kind: 'replace', message })
    after = message.id
  }
  return changes
}

/** The item at `index`, which the caller knows to be inside. */
function at<Item>(items: readonly Item[], index: number): Item {
  const item = items[index]
  if (item === undefined) throw new RangeError(`Invalid index ${index} in a list of ${items.length}`)
  return item
}
