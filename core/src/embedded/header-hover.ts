/** What a reader learns about the key or value under the cursor. */

import { markdownCode } from '../text/backticks.ts'
import { localized } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { typeLabel } from './header-completion.ts'
import { headerContext } from './header-context.ts'
import { type HeaderSchema, type HeaderWord, schemaAt } from './header-schema.ts'
import { entryAt, type HeaderEntry, type HeaderPath, type YamlHeader } from './yaml-header.ts'

/** An explanation of a known key or value. */
export interface HeaderHover {
  readonly range: Range
  readonly path: HeaderPath
  /** Markdown. */
  readonly documentation: string
}

/** The explanation at `offset`; undefined for unknown words, and outside of keys and values. Works on half-typed YAML. */
export function headerHover(
  header: YamlHeader,
  offset: number,
  schema: HeaderSchema,
): HeaderHover | undefined {
  // The tree of a header with mistakes may have keys in wrong places; its lines and columns are more reliable.
  return header.value ? hoverInTree(header, offset, schema) : hoverInBrokenText(header, offset, schema)
}

function hoverInTree(header: YamlHeader, offset: number, schema: HeaderSchema): HeaderHover | undefined {
  const place = entryAt(header, offset)
  if (!place) return undefined
  const { entry, path } = place
  const target = schemaAt(schema, path)
  if (!target) return undefined
  if (place.part === 'key' && entry.keyRange) return keyHover(entry.keyRange, path, target)
  const { type, valueRange: range } = entry
  if (offset < range.start || range.end < offset || type === 'object' || type === 'array') return undefined
  return valueHover(range, path, target, wordOf(entry, header.text))
}

/** The value as a word of the schema: a number as it is written. */
function wordOf({ value, valueRange }: HeaderEntry, text: string): string {
  if (typeof value === 'string') return value
  return text.slice(valueRange.start, valueRange.end)
}

function hoverInBrokenText(
  header: YamlHeader,
  offset: number,
  schema: HeaderSchema,
): HeaderHover | undefined {
  const context = headerContext(header.text, offset)
  if (!context || context.range.start === context.range.end) return undefined
  const word = header.text.slice(context.range.start, context.range.end).replace(/^["']|["']$/g, '')
  const path =
    context.position === 'key' || context.position === 'new-line' ? [...context.path, word] : context.path
  const target = schemaAt(schema, path)
  if (!target) return undefined
  const isKey = path !== context.path
  return isKey ? keyHover(context.range, path, target) : valueHover(context.range, path, target, word)
}

const wordsAtMost = 16 // a longer list is not an explanation

function keyHover(range: Range, path: HeaderPath, schema: HeaderSchema): HeaderHover {
  const title = `${markdownCode(String(path.at(-1)))} (${typeLabel(schema)})`
  const words = schema.words ?? schema.items?.words ?? []
  const values = words.map((word) => `- ${aboutWord(word)}`)
  const list = values.length > wordsAtMost ? '' : values.join('\n')
  const documentation = [title, localized(schema.description), list, schema.section]
    .filter((it) => it !== '')
    .join('\n\n')
  return { range, path, documentation }
}

/** A value without a meaning of its own is explained by its key. */
function valueHover(
  range: Range,
  path: HeaderPath,
  schema: HeaderSchema,
  value: string,
): HeaderHover | undefined {
  const word = schema.words?.find(({ name }) => name === value)
  if (!word) return typeof path.at(-1) === 'string' ? keyHover(range, path, schema) : undefined
  return { range, path, documentation: aboutWord(word) }
}

function aboutWord({ name, summary }: HeaderWord): string {
  return summary === '' ? markdownCode(name) : `${markdownCode(name)}: ${localized(summary)}`
}
