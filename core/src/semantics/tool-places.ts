/** Where the names of tools are: in definitions, in the headers of calls and replies, and in the payloads of 0.1. */
import { jsonTree } from '../embedded/json-tree.ts'
import type { ToolDefinition } from '../embedded/tool-definition.ts'
import { membersOf } from '../embedded/tool-json-schema.ts'
import { viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Range, Span } from '../text/range.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import type { Analysis } from './analysis.ts'
import { builtinDefinition } from './builtin-definitions.ts'
import { factsOf, isCall, isNamedReply, isReply, type MessageFacts } from './message-facts.ts'
import { nearest } from './nearest.ts'
import { placeAt, placeBehind } from './place.ts'
import { callsIn } from './tool-calls.ts'
import { declarationsOf, payloadsOf } from './tool-declarations.ts'
import { type DeclaredTool, fullName, keyOf } from './tool-index.ts'

/** A name of a tool in the text. */
export interface ToolPlace {
  readonly kind: 'definition' | 'call' | 'reply'
  /** The name as written, with its namespace if there is one; in a definition, as calls write it. */
  readonly name: string
  readonly segment: Segment
  /** The part of the name that the definition gives: without namespace. */
  readonly range: Range
  /** All of it. */
  readonly whole: Range
}

/** The name of a tool that touches `offset`. */
export function toolPlaceAt(analysis: Analysis, offset: number): ToolPlace | undefined {
  const here = placeAt(analysis, offset)
  const behind = placeBehind(analysis, offset)
  for (const { segment } of here.segment === behind.segment ? [here] : [here, behind]) {
    const place = placesIn(analysis, segment).find(
      ({ whole }) => whole.start <= offset && offset <= whole.end,
    )
    if (place) return place
  }
  return undefined
}

/** The places of the same tool as `place`, in document order: those in at most `atMost` messages, the nearest ones. */
export function toolPlaces(analysis: Analysis, place: ToolPlace, atMost: number): readonly ToolPlace[] {
  const found: ToolPlace[] = []
  const key = analysis.tools.keyOf(place.name)
  for (const segment of nearest(messagesOf(analysis, place.name), place.segment, atMost)) {
    for (const it of placesIn(analysis, segment)) if (analysis.tools.keyOf(it.name) === key) found.push(it)
  }
  return found.sort((one, other) => one.range.start - other.range.start)
}

/** How many messages {@link toolPlaces} would have to look at for all places of the tool called `name`. */
export function toolMessageCount(analysis: Analysis, name: string): number {
  return messagesOf(analysis, name).length
}

/** The messages that define the tool called `name`, call it or answer in its name; in ChatML, all that may. */
function messagesOf(analysis: Analysis, name: string): readonly Segment[] {
  const segments = new Set<Segment>(analysis.tools.definitionsOf(name).map(({ segment }) => segment))
  if (analysis.transcript.framing.name === 'chatml') {
    analysis.transcript.forEachSegment((segment) => {
      if (segment.kind === 'message') segments.add(segment)
    })
  } else for (const segment of analysis.exchanges.withTool(name)) segments.add(segment)
  return [...segments]
}

/** The names of tools in `segment`, in order of the text. */
export function placesIn(analysis: Analysis, segment: Segment): readonly ToolPlace[] {
  const located = analysis.transcript.locate(segment)
  const facts = factsOf(segment)
  if (!located || !facts) return []
  const rangeOf = ({ from, to }: Span): Range => ({ start: located.start + from, end: located.start + to })
  const declarations = declarationsOf(segment)
  if (declarations) {
    return declarations.definitions.map((definition): ToolPlace => {
      const range = rangeOf(declarations.source.spanOf(definition.nameRange))
      return { kind: 'definition', name: fullName(definition), segment, range, whole: range }
    })
  }
  return namesIn(analysis, segment, facts).map(({ kind, name, span }) => {
    const whole = rangeOf(span)
    const own = lastPart(analysis, name, segment)
    return { kind, name, segment, whole, range: { start: whole.end - own.length, end: whole.end } }
  })
}

interface NameSpan {
  readonly kind: 'call' | 'reply'
  readonly name: string
  readonly span: Span
}

function namesIn(analysis: Analysis, segment: Segment, facts: MessageFacts): readonly NameSpan[] {
  if (segment.framing.name === 'chatml') {
    return [...replyName(analysis, segment, facts), ...wrappedNames(segment), ...namesOfOutputs(segment)]
  }
  if (!isCall(facts)) return replyName(analysis, segment, facts)
  const value = viewMessage(segment).attributes.find(({ name }) => name.text === 'to')?.value
  return value ? [{ kind: 'call', name: value.text, span: value.span }] : []
}

/** The tool that replies: by its attribute, or by its role. A role that is not a tool's anywhere else counts if it answers a call of that name. */
function replyName(analysis: Analysis, segment: Segment, facts: MessageFacts): readonly NameSpan[] {
  const isNamed = isNamedReply(facts) && answersByName(analysis, segment, facts.roleWord)
  const written = isReply(facts) ? facts.name : isNamed ? facts.roleWord : undefined
  if (written === undefined) return []
  const { attributes, roleWord } = viewMessage(segment)
  const value = isNamed ? undefined : attributes.find(({ name }) => name.text === 'name')?.value
  const word = [value, roleWord].find((it) => it?.text === written)
  return word ? [{ kind: 'reply', name: word.text, span: word.span }] : []
}

function answersByName({ exchanges, tools }: Analysis, segment: Segment, name: string | undefined): boolean {
  const call = exchanges.exchange(segment)?.partner
  const called = call && factsOf(call)?.to
  return name !== undefined && called !== undefined && tools.keyOf(called) === tools.keyOf(name)
}

function wrappedNames(segment: Segment): readonly NameSpan[] {
  return callsIn(segment).map(({ name, nameSpan }) => ({ kind: 'call', name, span: nameSpan }))
}

function namesOfOutputs(segment: Segment): readonly NameSpan[] {
  return payloadsOf(segment, ControlKind.functionOutput).flatMap((body) => {
    const name = membersOf(jsonTree(body.text).root).get('name')
    if (name?.type !== 'string' || name.length < 2) return []
    const range = { start: name.offset + 1, end: name.offset + name.length - 1 }
    return { kind: 'reply', name: String(name.value), span: body.spanOf(range) }
  })
}

/** The part of `name` that is the tool's own: after its namespace. */
function lastPart(analysis: Analysis, name: string, at: Segment): string {
  const definition = definitionOf(analysis, name, at)?.definition
  if (definition && name.endsWith(definition.name)) return definition.name
  const key = analysis.tools.keyOf(name)
  return key.slice(key.lastIndexOf('.') + 1)
}

/** A tool and, if the transcript declares it, where. */
export interface KnownTool {
  readonly definition: ToolDefinition
  /** Undefined for built-in tools that are not declared. */
  readonly declared: DeclaredTool | undefined
}

/** What `name` means for a message at `at`: a declared tool, else a built-in one. */
export function definitionOf(analysis: Analysis, name: string, at: Segment): KnownTool | undefined {
  const declared = analysis.tools.tool(name, at)
  if (declared) return { definition: declared.definition, declared }
  const definition = builtinDefinition(name)
  return definition && !analysis.tools.declares(definition.namespace)
    ? { definition, declared: undefined }
    : undefined
}

/** How many calls of the tool there are. */
export function callCount(analysis: Analysis, definition: ToolDefinition): number {
  let count = 0
  for (const segment of analysis.exchanges.ofTool(keyOf(definition))) {
    const facts = factsOf(segment)
    if (facts && isCall(facts)) count++
  }
  return count
}
