/** What may be written in the arguments of a call: names, and values that the definition of the tool knows. */

import { type JsonLocation, jsonLocation } from '../../embedded/json-location.ts'
import { childAt, jsonTree } from '../../embedded/json-tree.ts'
import { placeholder } from '../../embedded/tool-placeholder.ts'
import {
  propertiesOf,
  resolved,
  type Schema,
  type SchemaProperty,
  type SchemaValue,
  valuesOf,
} from '../../embedded/tool-schema.ts'
import { candidatesAt, propertiesOfCandidates } from '../../embedded/tool-schema-candidates.ts'
import { typeText } from '../../embedded/tool-schema-text.ts'
import type { Analysis } from '../../semantics/analysis.ts'
import { jsonHelpAt, pathInside } from '../../semantics/json-help.ts'
import { memberMarkdown, plain, signatureOf } from '../../semantics/tool-text.ts'
import type { Segment } from '../../syntax/segment.ts'
import { jsonText } from '../../text/json-text.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import { shortened } from '../../text/shortened.ts'
import { escapedForSnippet } from '../../text/snippet-text.ts'
import { isChoice, membersSnippet, requiredMembers, valueSnippet } from './argument-snippet.ts'
import type { Proposal } from './proposal.ts'

/** A place in a body, relative to its segment, which begins at `start`. */
export interface ArgumentPlace {
  readonly segment: Segment
  readonly start: number
  readonly offset: number
}

/** The proposals in the arguments of a call whose tool is known, and in an answer in a known format; empty elsewhere. */
export function argumentProposals(
  analysis: Analysis,
  { segment, start, offset }: ArgumentPlace,
): readonly Proposal[] {
  const help = jsonHelpAt(analysis, segment, offset)
  const at = help?.body.offsetOf(offset)
  if (!help || at === undefined) return []
  const { text } = help.body
  const inDocument = (range: Range): Range => {
    if (range.start === range.end) return { start: start + offset, end: start + offset }
    const { from, to } = help.body.spanOf(range)
    return { start: start + from, end: start + to }
  }
  if (text.trim() === '' && !help.isWrapped) {
    const range = inDocument({ start: at, end: at })
    const isOne = help.schemas.length === 1
    return help.schemas.map((schema) => ({
      ...wholeObject(schema, range, isOne),
      ...(help.tool && { detail: signatureOf(help.tool.definition) }),
    }))
  }
  const location = jsonLocation(text, at)
  const path = location && pathInside(help, location.path)
  if (!location || !path) return []
  const { root } = jsonTree(text)
  const written = help.isWrapped ? childAt(root, 'arguments') : root
  const targets = candidatesAt(help.schemas, path, written)
  if (targets.length === 0) return []
  const writing: Writing = { location, range: inDocument(location.range), gap: /":\s/.test(text) ? ' ' : '' }
  if (!location.isKey) return path.length === 0 && !help.isWrapped ? [] : values(targets, writing)
  return names(targets, writing, presentAt(text, location))
}

interface Writing {
  readonly location: JsonLocation
  readonly range: Range
  /** What is after a colon. */
  readonly gap: string
}

/** The names that the object at the place has already, without the one that is being written. */
function presentAt(text: string, { path, range }: JsonLocation): ReadonlySet<string> {
  let node = jsonTree(text).root
  for (const step of path) node = childAt(node, step)
  const names = new Set<string>()
  for (const { children } of node?.children ?? []) {
    const key = children?.[0]
    if (key && (key.offset + key.length <= range.start || range.end < key.offset))
      names.add(String(key.value))
  }
  return names
}

function names(
  targets: readonly Schema[],
  writing: Writing,
  present: ReadonlySet<string>,
): readonly Proposal[] {
  const free = propertiesOfCandidates(targets).filter(({ name }) => !present.has(name))
  const sorted = [...free.filter((it) => it.isRequired), ...free.filter((it) => !it.isRequired)]
  return sorted.map((property) => nameProposal(property, writing))
}

function nameProposal(property: SchemaProperty, { location, range, gap }: Writing): Proposal {
  const { name, schema, isRequired } = property
  const key = jsonText(name)
  const value = placeholder(schema)
  const comma = location.needsComma ? ',' : ''
  const rest = location.isFollowed ? undefined : { text: `:${gap}${value}${comma}`, gap, comma }
  return {
    label: name,
    kind: 'key',
    detail: isRequired ? typeText(schema) : localize`optional ${typeText(schema)}`,
    documentation: memberMarkdown(property),
    range,
    text: key + (rest?.text ?? ''),
    ...(rest && {
      snippet: `${escapedForSnippet(key)}:${rest.gap}${valueSnippet(schema, value)}${rest.comma}`,
    }),
    filterText: key,
    asksAgain: offersMore(schema),
  }
}

/** An object with its required members; `isOnly` if there is no other one to tell it from. */
function wholeObject(schema: Schema, range: Range, isOnly: boolean): Proposal {
  const members = requiredMembers(schema)
  const text = members.map(({ name, schema: member }) => `${jsonText(name)}:${placeholder(member)}`)
  return {
    label: isOnly ? '{ … }' : labelOf(schema, members),
    kind: 'value',
    detail: typeText(schema),
    documentation: plain(schema.description ?? ''),
    range,
    text: `{${text.join(',')}}`,
    snippet: `{${membersSnippet(schema, 1)}$0\\}`,
    filterText: '{',
  }
}

/** What tells a variant from the others: its title, its constant members, or else the names of its members. */
function labelOf(schema: Schema, required: readonly SchemaProperty[]): string {
  const { title } = schema
  if (title) return `{ ${shortLine(title)} }`
  const constant = required.flatMap(({ name, schema: member }) => {
    const allowed = valuesOf(member)
    return allowed?.length === 1 ? `${name}: ${JSON.stringify(allowed[0])}` : []
  })
  const shown = constant.length > 0 ? constant : [...propertiesOf(schema).keys()]
  return `{ ${shortLine(shown.slice(0, 3).join(', '))}, … }`
}

/** A list with one item to begin with. */
function wholeList(schema: Schema, range: Range): Proposal {
  const target = resolved(schema.items)
  const text = target ? placeholder(target) : ''
  const item = text === 'null' ? '' : text
  return {
    label: '[ … ]',
    kind: 'value',
    detail: typeText(schema),
    documentation: '',
    range,
    text: `[${item}]`,
    snippet: target && item !== '' ? `[${valueSnippet(target, item)}$0]` : '[$0]',
    filterText: '[',
  }
}

function shortLine(text: string): string {
  return shortened(text.replace(/\s+/g, ' '), longestLabel)
}

/** True if there is more to choose after the name. A choice in the snippet is a list already; free text has none. */
function offersMore(schema: Schema): boolean {
  const target = resolved(schema)
  if (!target || isChoice(target)) return false
  if (!target.types?.includes('array')) return isListed(target)
  const item = resolved(target.items)
  return item !== undefined && isListed(item)
}

/** True for a value of which the members or the values are known. */
function isListed(schema: Schema): boolean {
  if (propertiesOf(schema).size > 0 || schema.types?.includes('boolean')) return true
  return (valuesOf(schema)?.length ?? 0) > 1
}

function values(targets: readonly Schema[], { location, range }: Writing): readonly Proposal[] {
  const comma = location.needsComma ? ',' : ''
  const offered: Proposal[] = []
  const offer = (value: SchemaValue, detail: string) => {
    const text = jsonText(value)
    offered.push({
      label: shortLine(text),
      kind: 'value',
      detail,
      documentation: plain(''),
      range,
      text: text + comma,
      filterText: text,
    })
  }
  for (const { default: initial } of targets) if (initial) offer(initial.value, localize`The default`)
  const nObjects = targets.filter(isObject).length
  for (const target of targets) {
    const { values: allowed, examples, types, description } = target
    const isOnlyValue = allowed?.length === 1
    for (const value of allowed ?? []) {
      offer(value, (isOnlyValue ? description : undefined) ?? localize`An allowed value`)
    }
    for (const example of examples ?? []) offer(example, localize`An example`)
    if (allowed) continue
    if (types?.includes('boolean')) for (const value of [true, false]) offer(value, localize`A boolean`)
    if (types?.includes('null')) offer(null, localize`No value`)
    if (isObject(target)) offered.push(withComma(wholeObject(target, range, nObjects === 1), comma))
    if (types?.includes('array')) offered.push(withComma(wholeList(target, range), comma))
  }
  return offered
}

/** Variants speak for a schema that has some and no members of its own. */
function isObject({ types, properties, anyOf, allOf }: Schema): boolean {
  if (properties?.size) return true
  return types?.includes('object') === true && !anyOf && !allOf
}

function withComma(proposal: Proposal, comma: string): Proposal {
  if (comma === '') return proposal
  const { snippet } = proposal
  return {
    ...proposal,
    text: proposal.text + comma,
    ...(snippet !== undefined && { snippet: snippet + comma }),
  }
}

const longestLabel = 60 // code units
