/** Writes how the columns of a dataset are called into a configuration file. */
import { blockOf, yamlEdits } from '../embedded/yaml-edit.ts'
import {
  type HeaderEntry,
  type JsonObject,
  unmarked,
  type YamlHeader,
  yamlHeader,
} from '../embedded/yaml-header.ts'
import { lineStartAt, nextLineBreak } from '../text/line-breaks.ts'
import type { TextEdit } from '../text/range.ts'
import { type DatasetMapping, mappedTags } from '../vocabulary/dataset-mapping.ts'
import { applyEdits, withLineBreaksOf } from './apply-fix.ts'
import { settingsForPath } from './configuration.ts'
import { readConfiguration } from './configuration-reader.ts'

/**
 * `text`, a configuration file or nothing, with an entry by which the dataset at `path` is read as `mapping` says; everything
 * else stays as it is. `path` is relative to the file, with `/` between its parts. Undefined if the text has no place for it.
 */
export function configurationWithMapping(
  text: string,
  mapping: DatasetMapping,
  path: string,
): string | undefined {
  const entry = entryOf({ ...mapping, file: path.includes('/') ? path : `./${path}` })
  const wanted = JSON.stringify(entry)
  for (const edits of waysOf(yamlHeader(unmarked(text)), entry)) {
    const result = edits && applyEdits(text, withLineBreaksOf(text, edits))
    if (result === undefined) continue
    const { configuration, problems } = readConfiguration(result)
    const found = settingsForPath(configuration, path).mapping
    if (found && JSON.stringify(entryOf(found)) === wanted && problems.length <= nProblems(text))
      return result
  }
  return undefined
}

function nProblems(text: string): number {
  return readConfiguration(text).problems.length
}

/** As a file says it. */
function entryOf({ file, formatting, ranking, columns, tags }: DatasetMapping): JsonObject {
  const usual: Readonly<Record<string, string>> = mappedTags
  const own = Object.entries(tags).filter(([key, word]) => usual[key] !== word)
  return {
    file_name: file,
    ...(formatting !== 'alpaca' && { formatting }),
    ...(ranking && { ranking }),
    ...(columns && { columns: { ...columns } }),
    ...(own.length > 0 && { tags: Object.fromEntries(own) }),
  }
}

/** In place of the entry for the same file, before the first one, or as the only one. */
function* waysOf(header: YamlHeader, entry: JsonObject): Iterable<readonly TextEdit[] | undefined> {
  const list = header.entries.find(({ key }) => key === 'datasets')
  const items = list?.children ?? []
  const same = items.find(({ children }) => fieldOf(children, 'file_name') === entry.file_name)
  if (same) yield [{ ...same.valueRange, text: likeItem(header.text, same, entry) }]
  const first = items[0]
  if (first) {
    const { start } = first.valueRange
    const text = likeItem(header.text, first, entry)
    const isFlow = list !== undefined && header.text.charAt(list.valueRange.start) === '['
    yield [{ start, end: start, text: isFlow ? `${text}, ` : `${text}\n${dashOf(header.text, start)}` }]
  }
  if (items.length > 0) return
  if (list === undefined || list.type === 'null') {
    const isBlock = header.text.trim() === '' || !/^\s*\{/.test(header.text)
    const at = list ? nextLineBreak(header.text, list.range.end) : header.text.length
    const lines = `  - ${itemLines(entry, '    ')}\n`
    const head = list ? '\n' : `${header.text === '' || header.text.endsWith('\n') ? '' : '\n'}datasets:\n`
    if (isBlock) yield [{ start: at, end: at, text: head + (list ? lines.trimEnd() : lines) }]
  }
  if (list === undefined) yield yamlEdits(header, { datasets: [entry] })
  else if (list.type === 'array') yield [{ ...list.valueRange, text: JSON.stringify([entry]) }]
}

function fieldOf(entries: readonly HeaderEntry[], key: string): unknown {
  return entries.find((it) => it.key === key)?.value
}

/** `entry` as it is written in the place of `item`. */
function likeItem(text: string, { valueRange }: HeaderEntry, entry: JsonObject): string {
  if (text.charAt(valueRange.start) === '{') return JSON.stringify(entry)
  return itemLines(entry, ' '.repeat(valueRange.start - lineStartAt(text, valueRange.start)))
}

function itemLines(entry: JsonObject, indent: string): string {
  return blockOf(entry, indent).trim()
}

/** What is before the item at `start` on its line. */
function dashOf(text: string, start: number): string {
  return text.slice(lineStartAt(text, start), start)
}
