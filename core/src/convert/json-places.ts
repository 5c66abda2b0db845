/** Where the messages of a JSON document stand, so that losses can be shown there. */
import { jsonTree } from '../embedded/json-tree.ts'
import type { Range } from '../text/range.ts'

/** The place of the message, or item, at an index. */
export type Places = (index: number) => Range | undefined

/** The places in `text`, which is JSON: a list, or an object with one. Linear; for texts of which something is lost. */
export function placesIn(text: string): Places {
  const offset = text.charCodeAt(0) === 0xfeff ? 1 : 0
  const { root } = jsonTree(text.slice(offset))
  let list = root
  for (const { children } of root?.type === 'object' ? (root.children ?? []) : []) {
    const [key, value] = children ?? []
    const isList = key?.value === 'messages' || key?.value === 'input' || key?.value === 'output'
    if (isList && value?.type === 'array') list = value
  }
  const nodes = list?.type === 'array' ? (list.children ?? []) : []
  return (index) => {
    const node = nodes[index]
    return node && { start: offset + node.offset, end: offset + node.offset + node.length }
  }
}

/** `messages` at `range`, if that is known. */
export function placed<Message extends object>(
  messages: readonly Message[],
  range: Range | undefined,
): readonly (Message & { readonly range?: Range })[] {
  return range ? messages.map((it) => ({ ...it, range })) : messages
}
