/** What is a dataset, and of which kind: by the name of the file, and by its beginning. */
import { listKeys, ownKeys } from '../forms/form-registry.ts'
import type { Cutter, TakeSample } from './cutter.ts'
import { LineCutter } from './line-cutter.ts'
import { ListCutter } from './list-cutter.ts'
import { isOverlayName } from './sources/overlay.ts'

/** How the samples of a dataset are laid out: one a line, as the elements of a JSON list, or as rows, each a line, from 0. */
export type DatasetKind = 'lines' | 'list' | 'rows'

/** True for the names of files that are datasets, and are found in folders: with a sample a line, packed or not, and Parquet. */
export function isDatasetName(path: string): boolean {
  return isLinesName(path) || /\.(?:json\.(?:gz|zst)|parquet)$/i.test(path)
}

/** True for the names of files that have a sample a line, packed or not. */
export function isLinesName(path: string): boolean {
  return /\.(?:jsonl|ndjson)(?:\.(?:gz|zst))?$/i.test(path) && !isOverlayName(path) && !isReviewName(path)
}

/** True for the name of a review file (S9): it is not a dataset of its own. */
export function isReviewName(path: string): boolean {
  return /\.(?:jsonl|ndjson|json|gz|zst|parquet)\.review\.jsonl$/i.test(path)
}

/** True for the names of packed files, which are datasets when they are named themselves. */
export function isPackedName(path: string): boolean {
  return /\.(?:gz|zst|parquet)$/i.test(path)
}

/** What cuts a dataset of that kind. */
export function cutterFor(kind: DatasetKind, take: TakeSample): Cutter {
  return kind === 'list' ? new ListCutter(take) : new LineCutter(take, kind === 'rows' ? 0 : 1)
}

/**
 * The kind of the dataset that begins with `start`; undefined if more of it must be read, up to {@link lookedAt} bytes.
 * A list of messages is one conversation, and so a line; with `isAnyList`, every list is one of samples.
 */
export function datasetKind(
  start: string,
  { isAnyList = false }: { readonly isAnyList?: boolean } = {},
): DatasetKind | undefined {
  const first = /[^\s\ufeff]/.exec(start)?.[0]
  const isList = isAnyList && first !== undefined ? first === '[' : beginsListOfConversations(start)
  return isList === undefined ? undefined : isList ? 'list' : 'lines'
}

/** Fields that only a conversation has, and fields that only a message has. */
const ofConversations: ReadonlySet<string> = new Set([...listKeys, ...ownKeys, 'text'])
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

/** Bytes that are looked at, at most: the first field that decides is near the beginning. */
export const lookedAt = 1 << 16

/**
 * True if `start`, the beginning of a JSON text, begins a list whose first element is a conversation; undefined if more
 * must be read to tell.
 */
function beginsListOfConversations(start: string): boolean | undefined {
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
      if (depth <= 1) return false // the first element has nothing that decides
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
