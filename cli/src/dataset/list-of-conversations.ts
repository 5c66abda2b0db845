/** Tells a JSON list of conversations from a conversation that is a list of messages, by its beginning. */

/** Fields that only a conversation has, and fields that only a message has. */
const ofConversations: ReadonlySet<string> = new Set([
  'messages',
  'input',
  'output',
  'text',
  'header',
  'yaml',
])
const ofMessages: ReadonlySet<string> = new Set([
  'role',
  'type',
  'content',
  'channel',
  'recipient',
  'tool_calls',
  'thinking',
])

const token = /\s+|"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/suy

/** Bytes that are looked at, at most: the first field that tells stands near the beginning. */
export const lookedAt = 1 << 16

/**
 * True if `start`, the beginning of a JSON text, begins a list whose first element is a conversation; undefined if more
 * must be read to tell.
 */
export function beginsListOfConversations(start: string): boolean | undefined {
  let depth = 0
  let key: string | undefined
  token.lastIndex = start.startsWith('\ufeff') ? 1 : 0
  for (let match = token.exec(start); match; match = token.exec(start)) {
    const [it] = match
    if (it.trim() === '') continue
    if (depth === 0 && it !== '[') return false
    if (depth === 1 && it !== '{') return it === '[' // a list of messages is a conversation
    if (it === '{' || it === '[') depth++
    else if (it === '}' || it === ']') {
      depth--
      if (depth <= 1) return false // the first element has nothing that tells
    }
    if (depth !== 2) continue
    if (it === ':' && key !== undefined) {
      if (ofConversations.has(key)) return true
      if (ofMessages.has(key)) return false
    }
    key = it.startsWith('"') ? it.slice(1, -1) : undefined
  }
  return undefined
}
