/** Sessions of coding agents: entries, one a line or in a list, of which some are messages (F22). */

import { field, isObject, nameOf, ShapeError } from '../../conversation/json-input.ts'
import type { LossList } from '../../conversation/loss.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import { localize } from '../../text/localize.ts'
import { shortened } from '../../text/shortened.ts'
import type { Piece } from './piece-reader.ts'

const lookedAt = 20 // entries: before the first message there are settings and snapshots

/** True if one of the first entries of a list `fits`. */
export function hasEntry(items: readonly JsonValue[], fits: (entry: JsonObject) => boolean): boolean {
  return items.slice(0, lookedAt).some((it) => isObject(it) && fits(it))
}

/**
 * The entries of `text`, JSON lines that may be a session: undefined if there are fewer than two lines, or if one that is not
 * the last is not JSON. A last line that is cut off is left out, because a session may still be written.
 */
export function sessionEntries(text: string): readonly JsonValue[] | undefined {
  const lines = text.split('\n').filter((it) => it.trim() !== '')
  if (lines.length < 2) return undefined
  const entries: JsonValue[] = []
  for (const [index, line] of lines.entries()) {
    try {
      entries.push(JSON.parse(index === 0 ? line.replace(/^\ufeff/, '') : line) as JsonValue) // as JSON.parse gives it
    } catch {
      if (index < lines.length - 1) return undefined
    }
    if (index === 0 && !isObject(entries[0])) return undefined
  }
  return entries
}

/** Notes the last line of `text` if it is left out of its entries `value`; other text than the lines of a session has none. */
export function noteCutEntry(text: string, value: JsonValue, losses: LossList): void {
  if (!Array.isArray(value) || !/^[\s\ufeff]*\{/.test(text)) return // one JSON value
  const end = text.trimEnd().length
  const start = text.lastIndexOf('\n', end - 1) + 1
  try {
    JSON.parse(text.slice(start, end))
  } catch {
    losses.add('unreadable', localize`The last line can't be read as JSON and is left out`, { start, end })
  }
}

/** The entries of a session. @throws ShapeError for what is not a list */
export function entriesIn(value: JsonValue): readonly JsonObject[] {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).filter((it) => isObject(it))
  const where = localize`The document`
  throw new ShapeError(localize`${where}: the content is ${nameOf(value)}, not a list`, { value }, 'value')
}

/** Reports entries of unknown types once each, with their number (F2). */
export function noteUnknownEntries(
  types: readonly string[],
  known: ReadonlySet<string>,
  losses: LossList,
): void {
  const counts = new Map<string, number>()
  for (const type of types) if (!known.has(type)) counts.set(type, (counts.get(type) ?? 0) + 1)
  for (const [type, count] of counts)
    losses.add(
      'content-part',
      localize`${count} entries of the unknown type \`${shortened(type, 80)}\` are left out`,
    )
}

/** A graph of entries: each names the one before it. */
export interface EntryGraph {
  readonly entries: readonly JsonObject[]
  /** What names an entry, and the one before it. */
  readonly id: string
  readonly parent: string
}

/** The entries on the way from the first one to `last`. Linear, also for circles. */
export function pathTo(
  last: JsonObject | undefined,
  { entries, id, parent }: EntryGraph,
): ReadonlySet<JsonObject> {
  const byId = new Map(entries.map((it) => [field(it, id), it]))
  const path = new Set<JsonObject>()
  for (let it = last; it && !path.has(it); it = byId.get(field(it, parent))) path.add(it)
  return path
}

/** The entries that `isTurn` and that no other one follows, in their order. */
export function leavesOf(
  { entries, id, parent }: EntryGraph,
  isTurn: (entry: JsonObject) => boolean,
): readonly JsonObject[] {
  const byId = new Map(entries.map((it) => [field(it, id), it]))
  const followed = new Set<JsonObject>()
  for (const entry of entries) {
    if (!isTurn(entry)) continue
    // What is between two turns is followed as well.
    for (let it = byId.get(field(entry, parent)); it && !followed.has(it); it = byId.get(field(it, parent)))
      followed.add(it)
  }
  return entries.filter((it) => isTurn(it) && !followed.has(it))
}

// Linear: one alternative after the other, and a name is parted by its underscores.
const tagOfProgram =
  /^\s*<(?:[a-z]+(?:_[a-z]+)+[ >]|(?:command|local-command|bash|task|teammate|cross-session|user-prompt|session-start)-|(?:system-reminder|skill|heartbeat|permissions instructions)[ >])/

/**
 * True for what a program writes in the name of the user: it begins with a tag of the program, or with one whose name has
 * underscores, which no HTML has. What is in doubt is hidden.
 */
export function isTextOfProgram(text: string): boolean {
  return tagOfProgram.test(text)
}

const reminder = { open: '<system-reminder>', close: '</system-reminder>' } as const

/** A user's text, apart from reminders that a program has put into it; in order. One that is never closed goes on to the end. Linear. */
export function withoutReminders(
  text: string,
): readonly { readonly text: string; readonly isUser: boolean }[] {
  const parts: { text: string; isUser: boolean }[] = []
  let at = 0
  for (let open = text.indexOf(reminder.open); open !== -1; open = text.indexOf(reminder.open, at)) {
    const close = text.indexOf(reminder.close, open)
    const end = close === -1 ? text.length : close + reminder.close.length
    parts.push({ text: text.slice(at, open), isUser: true }, { text: text.slice(open, end), isUser: false })
    at = end
  }
  parts.push({ text: text.slice(at), isUser: true })
  return parts.filter((it) => it.text.trim() !== '' || parts.length === 1)
}

/** The texts among `pieces` as messages of the developer, who speaks where a tool writes for the user. */
export function asDeveloper(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((it) => (it.kind === 'text' ? { ...it, kind: 'developer' } : it))
}

/** The texts among `pieces` as reasoning. */
export function asAnalysis(pieces: readonly Piece[]): readonly Piece[] {
  return pieces.map((it) => (it.kind === 'text' ? { ...it, kind: 'analysis' } : it))
}
