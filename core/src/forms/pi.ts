/** Sessions of Pi: a tree of messages. Read only. */

import { field, isObject } from '../conversation/json-input.ts'
import type { JsonObject } from '../embedded/yaml-header.ts'
import { localizable, localize } from '../text/localize.ts'
import { defineForm } from './form.ts'
import {
  asDeveloper,
  type EntryGraph,
  entriesIn,
  hasEntry,
  leavesOf,
  noteUnknownEntries,
  pathTo,
} from './samples/agent-session.ts'
import { Columns } from './samples/sample-columns.ts'

const known: ReadonlySet<string> = new Set(
  'message custom_message compaction branch_summary session model_change thinking_level_change custom label session_info'.split(
    ' ',
  ),
)

/** The form. */
export const pi = defineForm({
  name: 'pi',
  title: 'Pi Session',
  summary: localizable`A session of Pi or of the Hugging Face Hub`,
  documentation: 'a session of Pi: JSON lines that begin with `type: session`; read-only',
  language: 'jsonl',
  holds: 'json',
  isReadOnly: true,
  readsLines: true,
  recognizedBy: {
    entry: ({ value, items }) => Array.isArray(value) && hasEntry(items, ({ type }) => type === 'session'),
  },
  read(value, context) {
    const columns = new Columns({}, context)
    const all = entriesIn(value)
    noteUnknownEntries(
      all.map(({ type }) => String(type)),
      known,
      context.losses,
    )
    const entries = all.filter(({ type }) => type !== 'session')
    const graph: EntryGraph = { entries, id: 'id', parent: 'parentId' }
    const hasIds = entries.some((it) => typeof it.id === 'string' && Object.hasOwn(it, 'parentId'))
    const last = entries.at(-1)
    const leaves = hasIds ? leavesOf(graph, isTurn).filter((it) => !pathTo(last, graph).has(it)) : []
    const names = ['main', ...leaves.map((_, index) => `branch-${index + 1}`)]
    const readBranch = (name: string) => {
      const end = leaves[names.indexOf(name) - 1] ?? last
      const path = hasIds ? pathTo(end, graph) : new Set(entries)
      for (const entry of entries) if (path.has(entry)) readEntry(entry, columns)
      context.losses.place = undefined
    }
    if (names.length > 1) columns.branches(names, readBranch)
    else readBranch('main')
    return columns.conversation()
  },
})

function isTurn({ type }: JsonObject): boolean {
  return type === 'message'
}

function readEntry(entry: JsonObject, { reader, context: { losses } }: Columns): void {
  const where = localize`A message of the session`
  losses.place = losses.places?.of(entry)
  const { type, message } = entry
  const develop = (parent: JsonObject, key: string) => {
    const pieces = reader.content(field(parent, key), parent, key, 'developer')
    if (pieces.length > 0) reader.say('developer', asDeveloper(pieces))
  }
  if (type === 'custom_message') develop(entry, 'content')
  else if (type === 'compaction' || type === 'branch_summary') develop(entry, 'summary')
  if (type !== 'message' || !isObject(message)) return
  switch (message.role) {
    case 'custom':
      develop(message, 'content')
      break
    case 'compactionSummary':
    case 'branchSummary':
      develop(message, 'summary')
      break
    case 'bashExecution': {
      if (message.excludeFromContext === true) break
      const text = ['command', 'output']
        .map((key) => message[key])
        .filter((it) => typeof it === 'string')
        .join('\n')
      reader.say('developer', [{ kind: 'developer', text, words: [] }])
      break
    }
    default:
      reader.item(message, where, undefined)
  }
}
