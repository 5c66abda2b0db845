/** What may be written in the arguments of a call: names, and values that the definition of the tool knows. */

import { type JsonLocation, jsonLocation } from '../../embedded/json-location.ts'
import { jsonTree } from '../../embedded/json-tree.ts'
import { argumentsSchema } from '../../embedded/tool-arguments.ts'
import { placeholder } from '../../embedded/tool-placeholder.ts'
import {
  propertiesOf,
  resolved,
  type Schema,
  type SchemaProperty,
  type SchemaValue,
  schemaAt,
  valuesOf,
} from '../../embedded/tool-schema.ts'
import { typeText } from '../../embedded/tool-schema-text.ts'
import type { Analysis } from '../../semantics/analysis.ts'
import { callAround, type ToolCall } from '../../semantics/tool-calls.ts'
import { definitionOf } from '../../semantics/tool-places.ts'
import { memberMarkdown, signatureOf } from '../../semantics/tool-text.ts'
import type { Segment } from '../../syntax/segment.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import { escapedForSnippet, type Proposal } from './proposal.ts'

/** A place in a body, relative to its segment, which begins at `start`. */
export interface ArgumentPlace {
  readonly segment: Segment
  readonly start: number
  readonly offset: number
}

/** The proposals in the arguments of a call whose tool is known; empty elsewhere. */
export function argumentProposals(
  analysis: Analysis,
  { segment, start, offset }: ArgumentPlace,
): readonly Proposal[] {
  const call = callAround(segment, offset)
  const tool = call && definitionOf(analysis, call.name, segment)
  const schema = tool && argumentsSchema(tool.definition)
  const at = call?.body.offsetOf(offset)
  if (!call || !schema || at === undefined) return []
  const { text } = call.body
  const inDocument = (range: Range): Range => {
    if (range.start === range.end) return { start: start + offset, end: start + offset }
    const { from, to } = call.body.spanOf(range)
    return { start: start + from, end: start + to }
  }
  if (text.trim() === '' && !call.isWrapped) {
    return [
      wholeObject(schema, {
        range: inDocument({ start: at, end: at }),
        detail: signatureOf(tool.definition),
      }),
    ]
  }
  const location = jsonLocation(text, at)
  const path = location && pathInArguments(call, location.path)
  if (!location || !path) return []
  const target = path.length === 0 ? schema : schemaAt(schema, path)
  if (!target) return []
  const writing: Writing = { location, range: inDocument(location.range), gap: /":\s/.test(text) ? ' ' : '' }
  if (!location.isKey) return path.length === 0 && !call.isWrapped ? [] : values(target, writing)
  return names(target, writing, presentAt(text, location))
}

/** In 0.1, the arguments are a member of the payload. */
function pathInArguments(
  { isWrapped }: ToolCall,
  path: readonly (string | number)[],
): readonly (string | number)[] | undefined {
  if (!isWrapped) return path
  return path[0] === 'arguments' ? path.slice(1) : undefined
}

interface Writing {
  readonly location: JsonLocation
  readonly range: Range
  /** What stands behind a colon. */
  readonly gap: string
}

/** The names that the object at the place has already, without the one that is being written. */
function presentAt(text: string, { path, range }: JsonLocation): ReadonlySet<string> {
  let node = jsonTree(text).root
  for (const step of path) {
    node =
      typeof step === 'number'
        ? node?.children?.[step]
        : node?.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1]
  }
  const names = new Set<string>()
  for (const { children } of node?.children ?? []) {
    const key = children?.[0]
    if (key && (key.offset + key.length <= range.start || range.end < key.offset))
      names.add(String(key.value))
  }
  return names
}

function names(schema: Schema, writing: Writing, present: ReadonlySet<string>): readonly Proposal[] {
  const free = [...propertiesOf(schema).values()].filter(({ name }) => !present.has(name))
  const sorted = [...free.filter((it) => it.isRequired), ...free.filter((it) => !it.isRequired)]
  return sorted.map((property) => nameProposal(property, writing))
}

function nameProposal(property: SchemaProperty, { location, range, gap }: Writing): Proposal {
  const { name, schema, isRequired } = property
  const key = JSON.stringify(name)
  const value = placeholder(schema)
  const comma = location.needsComma ? ',' : ''
  const rest = location.isFollowed ? undefined : { text: `:${gap}${value}${comma}`, gap, comma }
  return {
    label: name,
    kind: 'key',
    detail: `${isRequired ? '' : localize`optional `}${typeText(schema)}`,
    documentation: memberMarkdown(property),
    range,
    text: key + (rest?.text ?? ''),
    ...(rest && {
      snippet: `${escapedForSnippet(key)}:${rest.gap}${valueSnippet(schema, value)}${rest.comma}`,
    }),
    filterText: key,
    asksAgain: true,
  }
}

const choicesAtMost = 30 // of a list inside a snippet

/** A value with tab stops: a choice where there is a list, the inside of quotes and brackets, or the whole to overwrite. */
function valueSnippet(schema: Schema, value: string): string {
  const allowed = valuesOf(schema)?.map((it) => JSON.stringify(it))
  if (allowed && allowed.length > 1 && allowed.length <= choicesAtMost) {
    const first = [value, ...allowed.filter((it) => it !== value)]
    return `\${1|${first.map(escapedForChoice).join(',')}|}`
  }
  const inner = value.slice(1, -1)
  if (value.startsWith('"')) return `"\${1${inner === '' ? '' : `:${escapedForSnippet(inner)}`}}"`
  if (value === '{}') return '{$1\\}'
  if (value === '[]') return '[$1]'
  return `\${1:${escapedForSnippet(value)}}`
}

function escapedForChoice(value: string): string {
  return value.replace(/[\\$},|]/g, '\\$&')
}

function wholeObject(
  schema: Schema,
  { range, detail }: { readonly range: Range; readonly detail: string },
): Proposal {
  const members = [...propertiesOf(schema).values()].filter(({ isRequired }) => isRequired)
  const text = members.map(({ name, schema: member }) => `${JSON.stringify(name)}:${placeholder(member)}`)
  const snippets = members.map(({ name, schema: member }, index) =>
    numbered(
      `${escapedForSnippet(JSON.stringify(name))}:${valueSnippet(member, placeholder(member))}`,
      index + 1,
    ),
  )
  return {
    label: '{ … }',
    kind: 'value',
    detail,
    documentation: '',
    range,
    text: `{${text.join(',')}}`,
    snippet: `{${snippets.join(',')}$0\\}`,
    filterText: '{',
  }
}

function numbered(snippet: string, stop: number): string {
  return snippet.replace(/\$\{1(?=[:|}])/, `\${${stop}`).replace(/\$1(?=[\\\]])/, `$${stop}`)
}

function values(schema: Schema, { location, range }: Writing): readonly Proposal[] {
  const target = resolved(schema)
  if (!target) return []
  const comma = location.needsComma ? ',' : ''
  const offered: Proposal[] = []
  const offer = (value: SchemaValue, detail: string, documentation = '') => {
    const text = JSON.stringify(value)
    const label = text.length > longestLabel ? `${text.slice(0, longestLabel)}…` : text
    offered.push({ label, kind: 'value', detail, documentation, range, text: text + comma, filterText: text })
  }
  if (target.default) offer(target.default.value, localize`The default`)
  const variants = target.anyOf?.map((it) => resolved(it)) ?? [target]
  for (const variant of variants) {
    if (!variant) continue
    for (const value of variant.values ?? []) offer(value, variant.description ?? localize`An allowed value`)
    for (const example of variant.examples ?? []) offer(example, localize`An example`)
    if (variant.types?.includes('boolean'))
      for (const value of [true, false]) offer(value, localize`A boolean`)
    if (variant.types?.includes('null')) offer(null, localize`No value`)
    if (variant.types?.includes('object') && variant.properties?.size) {
      offered.push({ ...wholeObject(variant, { range, detail: typeText(variant) }) })
    }
  }
  return offered
}

const longestLabel = 60 // code units
