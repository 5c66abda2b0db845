/** What can be written at a place of the header: keys that are not there yet, and the known values. */

import { localizable, localize, localized } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { type HeaderContext, headerContext } from './header-context.ts'
import { allowsType, type HeaderSchema, type HeaderWord, schemaAt } from './header-schema.ts'
import type { YamlHeader } from './yaml-header.ts'

/** A proposal. */
export interface HeaderCompletion {
  readonly kind: 'key' | 'value'
  /** The key or value itself, without quotes. */
  readonly label: string
  /** One line. */
  readonly detail: string
  /** Markdown; empty if the detail says it all. */
  readonly documentation: string
  /** What is replaced: the word at the place, on one line. */
  readonly range: Range
  /** What is written, as plain text. */
  readonly newText: string
  /** The same with tab stops; further lines are indented relative to the first. */
  readonly snippet: string
  /** What the typed word is compared with: begins with a quote if that word does. */
  readonly filterText: string
  /** True if more can be proposed right after it: the first key or the value of a new key. */
  readonly asksAgain: boolean
}

/** The proposals at `offset`, in the order of the schema. Works on half-typed YAML. */
export function headerCompletions(
  header: YamlHeader,
  offset: number,
  schema: HeaderSchema,
): readonly HeaderCompletion[] {
  const context = headerContext(header.text, offset)
  const target = context && schemaAt(schema, context.path)
  if (!context || !target) return []
  const place = { context, typed: header.text.slice(context.range.start, context.range.end) }
  if (context.position !== 'value' && target.properties) {
    const words = context.position === 'item' ? values(target, place) : []
    return [...words, ...keys(target.properties, place)]
  }
  if (context.position === 'new-line')
    return target.items ? values(target.items, { ...place, prefix: '- ' }) : []
  if (context.position === 'key') return []
  const isBehindColon = header.text.charAt(context.range.start - 1) === ':'
  return values(target, isBehindColon ? { ...place, prefix: ' ' } : place)
}

interface Place {
  readonly context: HeaderContext
  readonly typed: string
  /** What must be before a value: the dash of an item, a space after a colon. */
  readonly prefix?: string
}

function keys(properties: Readonly<Record<string, HeaderSchema>>, place: Place): readonly HeaderCompletion[] {
  const { context } = place
  const completions: HeaderCompletion[] = []
  for (const [label, schema] of Object.entries(properties)) {
    if (context.siblings.includes(label)) continue
    const quote = quoteOf(place.typed)
    const key = quote + label + quote
    const { text, snippet, asksAgain } = context.hasColon ? nothing : skeleton(schema, context.isFlow)
    completions.push({
      kind: 'key',
      label,
      detail: typeLabel(schema),
      documentation: `${localized(schema.description)}\n\n${schema.section}`,
      range: context.range,
      newText: key + text,
      snippet: escapeSnippet(key) + snippet,
      filterText: key,
      asksAgain,
    })
  }
  return completions
}

type Skeleton = Pick<HeaderCompletion, 'snippet' | 'asksAgain'> & { readonly text: string }

const nothing: Skeleton = { text: '', snippet: '', asksAgain: false }

/** What follows a new key: its colon and its first value. */
function skeleton(schema: HeaderSchema, isFlow: boolean): Skeleton {
  if (schema.type === 'object') {
    const asksAgain = schema.properties !== undefined
    return isFlow
      ? { text: ': {}', snippet: ': {$0\\}', asksAgain }
      : { text: ':\n  ', snippet: ':\n  $0', asksAgain }
  }
  const initial = schema.default
  if (initial === undefined && schema.type === 'array' && !isFlow)
    return { text: ':\n  - ', snippet: ':\n  - $0', asksAgain: false }
  if (initial === undefined) return { text: ': ', snippet: ': $0', asksAgain: schema.words !== undefined }
  const choices = allowsType(schema, 'boolean') ? ['true', 'false'] : schema.enum
  const text = `: ${literal(initial)}`
  if (choices) {
    const first = String(initial)
    const ordered = [first, ...choices.filter((it) => it !== first)]
    return { text, snippet: `: \${1|${ordered.join(',')}|}$0`, asksAgain: false }
  }
  // A value that is nearly certain is rarely typed over: the line break after it would take its place.
  if (schema.words) return { text, snippet: `${escapeSnippet(text)}$0`, asksAgain: false }
  return { text, snippet: `: \${1:${escapeSnippet(text.slice(2))}}$0`, asksAgain: false }
}

function literal(value: string | number | boolean | readonly string[]): string {
  if (typeof value === 'string') return plainOrQuoted(value)
  return typeof value === 'object' ? `[${value.map((it) => JSON.stringify(it)).join(', ')}]` : String(value)
}

function values(schema: HeaderSchema, place: Place): readonly HeaderCompletion[] {
  const { context, typed, prefix = '' } = place
  const completions: HeaderCompletion[] = []
  for (const { name, summary } of wordsOf(schema)) {
    if (context.siblings.includes(name)) continue
    const text = spelling(name, { typed, isItem: context.position !== 'value' })
    completions.push({
      kind: 'value',
      label: name,
      detail: localized(summary),
      documentation: '',
      range: context.range,
      newText: prefix + text,
      snippet: escapeSnippet(prefix + text),
      filterText: text,
      asksAgain: false,
    })
  }
  return completions
}

function wordsOf(schema: HeaderSchema): readonly HeaderWord[] {
  if (allowsType(schema, 'boolean')) {
    return [
      { name: 'true', summary: localizable`Yes` },
      { name: 'false', summary: localizable`No` },
    ]
  }
  if (schema.words) return schema.words
  // A list is proposed whole.
  const { default: initial } = schema
  return typeof initial === 'object' ? [{ name: literal(initial), summary: schema.description }] : []
}

/** A value as it is written there: in the quotes that were typed, in quotes inside lists, else plain where YAML allows. */
function spelling(
  name: string,
  { typed, isItem }: { readonly typed: string; readonly isItem: boolean },
): string {
  const quote = quoteOf(typed)
  if (quote) return quote + name + quote
  if (name.startsWith('[')) return name
  return isItem && typed === '' ? JSON.stringify(name) : plainOrQuoted(name)
}

function plainOrQuoted(value: string): string {
  return /^[\w.][\w.*-]*$/.test(value) ? value : JSON.stringify(value)
}

function quoteOf(typed: string): string {
  const first = typed.charAt(0)
  return first === '"' || first === "'" ? first : ''
}

function escapeSnippet(text: string): string {
  return text.replace(/[\\$}]/g, '\\$&')
}

/** The type of a value in words. */
export function typeLabel(schema: HeaderSchema): string {
  const types = typeof schema.type === 'string' ? [schema.type] : schema.type
  return types.join(localize` or `)
}
