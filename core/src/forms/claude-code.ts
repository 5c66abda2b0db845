/** Sessions of Claude Code: a tree of messages of the Messages API. Read only. */

import { field, isObject } from '../conversation/json-input.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localizable } from '../text/localize.ts'
import { defineForm } from './form.ts'
import {
  asAnalysis,
  asDeveloper,
  type EntryGraph,
  entriesIn,
  hasEntry,
  isTextOfProgram,
  leavesOf,
  noteUnknownEntries,
  pathTo,
  withoutReminders,
} from './samples/agent-session.ts'
import type { Piece } from './samples/piece-reader.ts'
import { Columns } from './samples/sample-columns.ts'

const known: ReadonlySet<string> = new Set(
  'user assistant system summary progress file-history-snapshot queue-operation custom-title ai-title agent-name last-prompt mode permission-mode'.split(
    ' ',
  ),
)

/** The form. */
export const claudeCode = defineForm({
  name: 'claude-code',
  title: 'Claude Code Session',
  summary: localizable`A Claude Code session`,
  documentation: 'a session of Claude Code: JSON lines with `uuid`, `parentUuid`, and `message`; read-only',
  language: 'jsonl',
  holds: 'json',
  isReadOnly: true,
  readsLines: true,
  recognizedBy: {
    entry: ({ value, items }) =>
      Array.isArray(value) &&
      hasEntry(items, (it) => isTurn(it) && isObject(field(it, 'message')) && Object.hasOwn(it, 'uuid')),
  },
  read(value, context) {
    const columns = new Columns({}, context)
    const entries = entriesIn(value).map((it) => queuedPrompt(it) ?? afterCompaction(it) ?? it)
    noteUnknownEntries(
      entries.map(({ type }) => String(type)),
      known,
      context.losses,
    )
    const graph: EntryGraph = { entries, id: 'uuid', parent: 'parentUuid' }
    const isMain = (it: JsonObject) => isTurn(it) && it.isSidechain !== true
    const last = entries.findLast(isMain)
    const leaves = leavesOf(graph, isMain).filter((it) => it !== last)
    const agents = [
      ...new Set(entries.flatMap((it) => (isTurn(it) && it.isSidechain === true ? [agentOf(it)] : []))),
    ]
    const forks = leaves.map((leaf, index) => [`branch-${index + 1}`, leaf] as const)
    const names = ['main', ...forks.map(([name]) => name), ...agents]
    const readBranch = (name: string) => {
      const fork = forks.find(([it]) => it === name)?.[1]
      if (agents.includes(name))
        readEntries(
          entries.filter((it) => isTurn(it) && it.isSidechain === true && agentOf(it) === name),
          columns,
        )
      else readEntries(withReplies(pathTo(fork ?? last, graph), entries.filter(isMain)), columns)
    }
    if (names.length > 1) columns.branches(names, readBranch)
    else readBranch('main')
    return columns.conversation()
  },
})

function isTurn({ type }: JsonObject): boolean {
  return type === 'user' || type === 'assistant'
}

/** What a user typed while the assistant was at work, as an entry of theirs; undefined for every other entry. */
function queuedPrompt(entry: JsonObject): JsonObject | undefined {
  const { type, uuid, attachment } = entry
  if (type !== 'attachment' || typeof uuid !== 'string' || !isObject(attachment)) return undefined
  const { type: kind, prompt, commandMode = 'prompt' } = attachment
  if (kind !== 'queued_command' || !(typeof prompt === 'string' || Array.isArray(prompt))) return undefined
  const message = { role: 'user', content: prompt }
  return { ...entry, type: 'user', message, isMeta: entry.isMeta === true || commandMode !== 'prompt' }
}

/** What begins a new tree where the session was compacted, as the entry that follows the last one before; undefined for others. */
function afterCompaction(entry: JsonObject): JsonObject | undefined {
  const { parentUuid, logicalParentUuid } = entry
  if (parentUuid !== null || typeof logicalParentUuid !== 'string') return undefined
  return { ...entry, parentUuid: logicalParentUuid }
}

function agentOf({ agentId }: JsonObject): string {
  return `agent:${typeof agentId === 'string' ? agentId : 'unknown'}`
}

/** The entries on the path, what shares a message with them, and the replies to their calls. */
function withReplies(path: ReadonlySet<JsonObject>, entries: readonly JsonObject[]): readonly JsonObject[] {
  const messages = new Set([...path].flatMap((it) => messageId(it) ?? []))
  const calls = new Set<JsonValue | undefined>()
  for (const it of entries)
    if (path.has(it) || messages.has(messageId(it) ?? ''))
      for (const part of partsOf(it)) if (part.type === 'tool_use') calls.add(part.id)
  return entries.filter(
    (it) =>
      path.has(it) ||
      messages.has(messageId(it) ?? '') ||
      partsOf(it).some((part) => part.type === 'tool_result' && calls.has(part.tool_use_id)),
  )
}

function messageId({ message }: JsonObject): string | undefined {
  const id = isObject(message) ? field(message, 'id') : undefined
  return typeof id === 'string' ? id : undefined
}

function partsOf({ message }: JsonObject): readonly JsonObject[] {
  const content = isObject(message) ? field(message, 'content') : undefined
  return Array.isArray(content) ? (content as readonly JsonValue[]).filter((it) => isObject(it)) : []
}

/** Entries of one `message.id` in a row are one message. */
function readEntries(entries: readonly JsonObject[], { reader, context: { losses } }: Columns): void {
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] as JsonObject // `at` is one of them
    const id = messageId(entry)
    const run = [entry]
    while (id !== undefined && entries[at + 1] && messageId(entries[at + 1] as JsonObject) === id)
      run.push(entries[++at] as JsonObject)
    const { message } = entry
    if (!isObject(message)) continue
    const role = entry.type === 'assistant' ? 'assistant' : 'user'
    losses.place = losses.places?.of(entry)
    const pieces = run.flatMap((it): readonly Piece[] => {
      const own = it.message
      return isObject(own) ? reader.content(field(own, 'content'), own, 'content', role) : []
    })
    reader.say(role, judged(pieces, entry, role), { item: message })
  }
  losses.place = undefined
}

function judged(pieces: readonly Piece[], entry: JsonObject, role: 'user' | 'assistant'): readonly Piece[] {
  if (entry.isSidechain === true) return role === 'user' ? asDeveloper(pieces) : asAnalysis(pieces)
  if (role !== 'user') return pieces
  const isProgram = entry.isMeta === true || entry.isCompactSummary === true
  return pieces.flatMap((it): readonly Piece[] => {
    if (it.kind !== 'text') return [it]
    if (isProgram || isTextOfProgram(it.text)) return asDeveloper([it])
    const parts = withoutReminders(it.text)
    if (parts.length === 1) return [it]
    return parts.map(({ text, isUser }) => ({ ...it, kind: isUser ? 'text' : 'developer', text }))
  })
}
