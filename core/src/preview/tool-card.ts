/** Calls and replies for readers: arguments as names and values, edits as diffs, what came back, whether it failed, how long it took. */
import { jsonBody } from '../embedded/json-body.ts'
import { jsonOnLines } from '../embedded/json-layout.ts'
import { type JsonNode, jsonTree } from '../embedded/json-tree.ts'
import { lineDiff } from './line-diff.ts'

/** A value of a call or reply, as it reads. */
export interface CardBlock {
  /** Its name, such as that of the argument; absent if it is all there is. */
  readonly name?: string
  readonly kind: 'text' | 'json' | 'diff'
  /** A string without its escapes, JSON on lines, or the lines of a diff. */
  readonly text: string
}

/** What a tool replied. */
export interface ReplyCard {
  readonly blocks: readonly CardBlock[]
  readonly isFailed: boolean
  /** In milliseconds, where the reply says so. */
  readonly duration?: number
}

/** JSON that is at most this long stays on one line, in UTF-16 code units. */
const shortJson = 72

/** More members than this are shown as one value. */
const membersAtMost = 200

/** The arguments of a call, one by one; a body that is not a JSON object is one block. */
export function callBlocks(body: string): readonly CardBlock[] {
  const root = rootOf(body)
  const members = root && membersOf(root)
  if (!root || !members) return blocksOf(body, root)
  return withDiffs(members, body)
}

/** What the body of a reply says. */
export function replyCard(body: string): ReplyCard {
  const root = rootOf(body)
  const members = new Map((root && membersOf(root)) ?? [])
  const duration = durationIn(members)
  const isFailed = hasFailed(members)
  return { blocks: replyBlocks(body, root, members), isFailed, ...(duration !== undefined && { duration }) }
}

/** The root of `body` if it is one JSON value. */
function rootOf(body: string): JsonNode | undefined {
  return jsonBody(body).ok ? jsonTree(body).root : undefined
}

type Member = readonly [name: string, value: JsonNode]

/** The members of an object; undefined for other values, for objects with many, and where a name appears twice. */
function membersOf({ type, children = [] }: JsonNode): readonly Member[] | undefined {
  if (type !== 'object' || children.length > membersAtMost) return undefined
  const members = children.flatMap(({ children: [key, value] = [] }): Member[] =>
    key && value ? [[String(key.value), value]] : [],
  )
  return new Set(members.map(([name]) => name)).size === children.length ? members : undefined
}

function replyBlocks(
  body: string,
  root: JsonNode | undefined,
  members: ReadonlyMap<string, JsonNode>,
): readonly CardBlock[] {
  const isEnvelope = members.get('ok')?.type === 'boolean'
  if (!root || !isEnvelope) return blocksOf(body, root)
  const blocks: CardBlock[] = []
  for (const [name, value] of members) {
    if (name === 'ok' || value.type === 'null' || isDuration(name, value)) continue // the head of the card has them
    if (name === 'content') blocks.push(...blocksOf(body, value))
    else if (name === 'error') blocks.push(...blocksOf(body, value))
    else blocks.push({ name, ...blockOf(body, value) })
  }
  return blocks
}

/** The blocks of `value`, or of all of `body` without one. */
function blocksOf(body: string, value: JsonNode | undefined): readonly CardBlock[] {
  if (!value) return body === '' ? [] : [textBlock(body)]
  const members = membersOf(value)
  return members ? withDiffs(members, body) : [blockOf(body, value)]
}

/** The texts of a list of content parts, as MCP and chat APIs have it. */
function textParts({ type, children = [] }: JsonNode): readonly string[] | undefined {
  if (type !== 'array' || children.length === 0 || children.length > membersAtMost) return undefined
  const texts = children.map((part) => {
    const members = new Map(membersOf(part) ?? [])
    const text = members.get('text')
    return members.get('type')?.value === 'text' && text?.type === 'string' ? String(text.value) : undefined
  })
  return texts.every((text) => text !== undefined) ? texts : undefined
}

function blockOf(body: string, node: JsonNode): CardBlock {
  const { type, value, offset, length } = node
  const parts = textParts(node)
  if (parts) return textBlock(parts.join('\n'))
  if (type === 'string') return textBlock(String(value))
  const json = body.slice(offset, offset + length)
  const isShort = json.length <= shortJson && !json.includes('\n')
  return { kind: 'json', text: isShort ? json : (jsonOnLines(json, { eol: '\n', indent: '  ' }) ?? json) }
}

function textBlock(text: string): CardBlock {
  return { kind: isPatch(text) ? 'diff' : 'text', text }
}

function isPatch(text: string): boolean {
  return text.startsWith('*** Begin Patch\n') || text.startsWith('diff --git ') || unified.test(text)
}

const unified = /^--- [^\n]*\n\+\+\+ /

/** How tools that edit files call the text that goes and the one that comes. */
const editNames = [
  ['old_string', 'new_string'],
  ['old_str', 'new_str'],
  ['old_text', 'new_text'],
  ['oldString', 'newString'],
  ['oldText', 'newText'],
  ['search', 'replace'],
  ['find', 'replace'],
  ['before', 'after'],
] as const

/** The members as blocks; a text that goes and the one that comes for it are one diff. */
function withDiffs(members: readonly Member[], body: string): readonly CardBlock[] {
  const byName = new Map(members)
  const pair = editNames.find((names) => names.every((name) => byName.get(name)?.type === 'string'))
  const blocks: CardBlock[] = []
  for (const [name, value] of members) {
    if (name === pair?.[1]) continue
    if (name === pair?.[0]) {
      const [before, after] = pair.map((it) => String(byName.get(it)?.value))
      blocks.push({ kind: 'diff', text: lineDiff(before ?? '', after ?? '') })
      continue
    }
    const edits = name === 'edits' ? editsIn(value) : undefined
    if (edits) blocks.push(...edits)
    else blocks.push({ name, ...blockOf(body, value) })
  }
  return blocks
}

/** A list of edits of one file, each as a diff. */
function editsIn({ type, children = [] }: JsonNode): readonly CardBlock[] | undefined {
  if (type !== 'array' || children.length === 0 || children.length > membersAtMost) return undefined
  const diffs = children.map((edit) => {
    const members = membersOf(edit)
    const blocks = members && withDiffs(members, '')
    return blocks?.find(({ kind }) => kind === 'diff')
  })
  return diffs.every((diff) => diff !== undefined) ? diffs : undefined
}

/** True if the reply says that the call failed. */
function hasFailed(members: ReadonlyMap<string, JsonNode>): boolean {
  for (const name of ['ok', 'success']) {
    const { type, value } = members.get(name) ?? {}
    if (type === 'boolean') return value === false
  }
  if (members.get('isError')?.value === true || members.get('is_error')?.value === true) return true
  const code = valueIn(members, ['exit_code', 'exitCode'])
  if (typeof code === 'number') return code !== 0
  const error = members.get('error')
  return error !== undefined && error.type !== 'null' && error.value !== '' && error.value !== false
}

const durations = [
  [1, ['duration_ms', 'durationMs', 'elapsed_ms', 'took_ms']],
  [1000, ['duration_seconds', 'duration_s', 'elapsed_seconds', 'wall_time_seconds']],
] as const

function isDuration(name: string, value: JsonNode): boolean {
  return durationIn(new Map([[name, value]])) !== undefined && value.type === 'number'
}

function durationIn(members: ReadonlyMap<string, JsonNode>): number | undefined {
  for (const [factor, names] of durations) {
    const value = valueIn(members, names)
    if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value * factor
  }
  return undefined
}

/** The first of these members, here or in `metadata` or `content`. */
function valueIn(members: ReadonlyMap<string, JsonNode>, names: readonly string[]): unknown {
  for (const inner of [undefined, 'metadata', 'content']) {
    const place = inner === undefined ? undefined : members.get(inner)
    const found = inner === undefined ? members : new Map((place && membersOf(place)) ?? [])
    for (const name of names) if (found.has(name)) return found.get(name)?.value
  }
  return undefined
}
