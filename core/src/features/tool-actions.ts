/** What can be done with a call besides fixing problems: answer it, give it an id, declare its tool, lay out its JSON. */

import { lineBreakOf } from '../document/line-break.ts'
import { jsonBody, jsonValue } from '../embedded/json-body.ts'
import { fitsOnLines, jsonOnLines, jsonOnOneLine } from '../embedded/json-layout.ts'
import { argumentsSchema } from '../embedded/tool-arguments.ts'
import { typeOfValue } from '../embedded/tool-inferred-type.ts'
import { validatorOf } from '../embedded/tool-validator.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { freshCallId } from '../semantics/fresh-call-id.ts'
import { factsOf, isCall, type MessageFacts } from '../semantics/message-facts.ts'
import { isCommentary } from '../semantics/message-kind.ts'
import { replySkeleton } from '../semantics/reply-skeleton.ts'
import { declarationsOf, wholeBody } from '../semantics/tool-declarations.ts'
import { fullName, functionNamespace } from '../semantics/tool-index.ts'
import { messageView } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { localize } from '../text/localize.ts'
import type { Range, TextEdit } from '../text/range.ts'
import { isBuiltin, withoutFunctionPrefix } from '../vocabulary/roles.ts'
import { ControlKind } from '../vocabulary/tokens.ts'

/** A change that a user may want. */
export interface ToolAction {
  /** An imperative without final stop. */
  readonly title: string
  /** `rewrite` keeps the meaning; `insert` adds something. */
  readonly kind: 'insert' | 'rewrite'
  /** What it does, in order of the text, not overlapping. */
  readonly edits: () => readonly TextEdit[]
}

/** The actions for the message at the start of `range`. */
export function toolActions(analysis: Analysis, range: Range): readonly ToolAction[] {
  const { transcript } = analysis
  const { segment, start } = transcript.segmentAt(Math.max(0, Math.min(range.start, transcript.length)))
  const facts = factsOf(segment)
  if (!facts?.isMessage || segment.framing.headerEnd !== 'message-token') return []
  const place: MessagePlace = { segment, start, facts }
  const layout = jsonLayout(place, transcript)
  if (facts.isMalformed) return layout
  if (!isCall(facts)) return [...recipients(analysis, place), ...layout]
  return [...reply(analysis, place), ...callIds(analysis, place), ...declaration(analysis, place), ...layout]
}

interface MessagePlace {
  readonly segment: Segment
  readonly start: number
  readonly facts: MessageFacts
}

function reply(analysis: Analysis, { segment, start, facts }: MessagePlace): readonly ToolAction[] {
  if (analysis.exchanges.exchange(segment)?.partner) return []
  const skeleton = replySkeleton(segment, facts)
  if (!skeleton) return []
  const at = start + skeleton.at
  const edits = [
    { start: at, end: at, text: skeleton.text.replaceAll('\n', lineBreakOf(analysis.transcript)) },
  ]
  return [{ title: localize`Insert a reply to this call`, kind: 'insert', edits: () => edits }]
}

const recipientsAtMost = 5 // of one list; arguments that fit more tools say little
const toolsAtMost = 500 // that are tried

/** The tools that arguments without a recipient fit. */
function recipients(analysis: Analysis, { segment, start, facts }: MessagePlace): readonly ToolAction[] {
  if (analysis.tools.isEmpty || !isCommentary(facts) || facts.to !== undefined) return []
  if (segment.framing.name === 'harmony') return []
  const { terminator, roleWord } = messageView(segment)
  const body = wholeBody(segment, facts)
  if (!terminator || !roleWord || !body || !/^\s*\{\s*"/.test(body.text)) return []
  const value = jsonValue(body.text)
  if (value === undefined) return []
  const fitting = new Set<string>()
  let tried = 0
  for (const { definition } of analysis.tools.tools()) {
    if (++tried > toolsAtMost || fitting.size > recipientsAtMost) break
    const schema = definition.parameters.kind === 'schema' ? argumentsSchema(definition) : undefined
    if (schema?.properties && schema.additional !== true && validatorOf(schema)(value)) {
      fitting.add(fullName(definition))
    }
  }
  if (fitting.size > recipientsAtMost) return []
  const at = start + roleWord.span.to
  const id = ` call_id=${freshCallId(analysis, start)}`
  const call = segment.framing.tokens.find(({ kind }) => kind === ControlKind.call)?.text ?? ''
  const end = { start: start + terminator.span.from, end: start + terminator.span.to, text: call }
  return [...fitting].map((name) => ({
    title: localize`Send these arguments to \`${name}\``,
    kind: 'insert',
    edits: () => [{ start: at, end: at, text: ` to=${name}${facts.callId === undefined ? id : ''}` }, end],
  }))
}

/** An id for a call, and the same for the reply that belongs to it. */
function callIds(analysis: Analysis, { segment, start, facts }: MessagePlace): readonly ToolAction[] {
  const partner = analysis.exchanges.exchange(segment)?.partner
  if (facts.callId !== undefined || segment.framing.name === 'harmony') return []
  if (partner && factsOf(partner)?.callId !== undefined) return []
  const text = ` call_id=${freshCallId(analysis, start)}`
  const places = [{ segment, start }, partner && analysis.transcript.locate(partner)]
  const edits = places.flatMap((place) => {
    const at = place && placeForAttribute(place.segment)
    return place && at !== undefined ? [{ start: place.start + at, end: place.start + at, text }] : []
  })
  const title =
    edits.length > 1 ? localize`Add an ID to the call and the reply` : localize`Add an ID to the call`
  edits.sort((one, other) => one.start - other.start)
  return [{ title, kind: 'insert', edits: () => edits }]
}

/** After the last attribute before the channel, or after the role. */
function placeForAttribute(segment: Segment): number | undefined {
  const { roleWord, attributes, channel } = messageView(segment)
  const before = attributes.filter(({ name }) => !channel || name.span.from < channel.marker.from)
  const last = before.at(-1)
  return last ? (last.value?.span.to ?? last.name.span.to + 1) : roleWord?.span.to
}

/** Declares the tool of a call in the block of its namespace, or in a developer message of its own. */
function declaration(analysis: Analysis, { segment, facts }: MessagePlace): readonly ToolAction[] {
  const whole = withoutFunctionPrefix(facts.to ?? '')
  const [, namespace = functionNamespace, name] = declarable.exec(whole) ?? []
  const isOwn = name !== undefined && !isBuiltin(whole, analysis.settings.builtinTools)
  if (!isOwn || analysis.tools.tool(whole, segment)) return []
  const place = insideBlock(analysis, namespace) ?? asMessage(analysis, namespace)
  if (!place) return []
  const edit = (): TextEdit => {
    const type = typeOfValue(jsonValue(wholeBody(segment, facts)?.text ?? '') ?? {})
    const member = `type ${name} = ${type === '{}' ? '() => any' : `(_: ${type}) => any`};`
    return { start: place.at, end: place.at, text: place.text(member) }
  }
  return [{ title: localize`Declare \`${name}\``, kind: 'insert', edits: () => [edit()] }]
}

/** Where a declaration is inserted, and what around it. */
interface DeclarationPlace {
  readonly at: number
  readonly text: (member: string) => string
}

/** A name that TypeScript and readers of it take, in a namespace of its own or in that of functions. */
const declarable = /^(?:([\p{L}_][\p{L}\p{N}_-]*)\.)?([\p{L}_][\p{L}\p{N}_-]*)$/u

function insideBlock(analysis: Analysis, namespace: string): DeclarationPlace | undefined {
  for (const segment of analysis.tools.segments()) {
    const declarations = declarationsOf(segment)
    const block = declarations?.namespaces.find(({ name, range }) => name === namespace && range)
    const located = analysis.transcript.locate(segment)
    if (!declarations || !block?.range || !block.isComplete || !located) continue
    const { end } = block.range
    const { from } = declarations.source.spanOf({ start: end - 1, end })
    const lineBreak = lineBreakOf(analysis.transcript)
    const text = (member: string) => member.replaceAll('\n', lineBreak) + lineBreak + lineBreak
    return { at: located.start + from, text }
  }
  return undefined
}

/** Before the first message that is not a system message. */
function asMessage(analysis: Analysis, namespace: string): DeclarationPlace | undefined {
  for (const { segment, start } of analysis.transcript.segments(1)) {
    const facts = factsOf(segment)
    if (!facts || facts.role === 'system') continue
    const lineBreak = lineBreakOf(analysis.transcript)
    const text = (member: string) =>
      `<|start|>developer<|message|># Tools\n\n## ${namespace}\n\nnamespace ${namespace} {\n\n${member}\n\n} // namespace ${namespace}<|end|>\n`
    return { at: start, text: (member) => text(member).replaceAll('\n', lineBreak) }
  }
  return undefined
}

/**
 * Lays out a JSON body on several lines, or puts it on one. White space outside of strings means nothing in JSON. The edit
 * may be many times as long as the body, so it is made when it is asked for.
 */
function jsonLayout(
  { segment, start, facts }: MessagePlace,
  transcript: Analysis['transcript'],
): readonly ToolAction[] {
  const { body } = messageView(segment)
  if (!body || !facts.isPlainBody || body.to - body.from > longestLayout) return []
  const text = segment.text.slice(body.from, body.to)
  if (!/^\s*[[{]\s*["{[\d]/.test(text) || !jsonBody(text).ok) return []
  const range = { start: start + body.from, end: start + body.to }
  if (/[\r\n]/.test(text.trim())) {
    const title = localize`Put the JSON on one line`
    return [{ title, kind: 'rewrite', edits: () => [{ ...range, text: jsonOnOneLine(text) }] }]
  }
  const options = { eol: lineBreakOf(transcript), indent: '  ' }
  if (!fitsOnLines(text, options)) return []
  const title = localize`Lay out the JSON on several lines`
  return [{ title, kind: 'rewrite', edits: () => [{ ...range, text: jsonOnLines(text, options) ?? text }] }]
}

const longestLayout = 1_000_000 // code units
