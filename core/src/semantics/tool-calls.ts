/** The tool calls of a message and whether they fit the definition of their tool (D19). */

import { type JsonProblem, jsonBody, jsonValue } from '../embedded/json-body.ts'
import { sizeProblem } from '../embedded/json-size.ts'
import { type JsonNode, jsonTree } from '../embedded/json-tree.ts'
import { isObject } from '../embedded/json-value.ts'
import { takesNothing } from '../embedded/tool-arguments.ts'
import { toolJudge } from '../embedded/tool-judgement.ts'
import type { SchemaMismatch } from '../embedded/tool-mismatch.ts'
import { yamlBody } from '../embedded/yaml-body.ts'
import { viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { onRelease } from '../text/memo.ts'
import type { Span } from '../text/range.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import type { Analysis } from './analysis.ts'
import type { BodyText } from './body-text.ts'
import { factsOf, isCall, type MessageFacts } from './message-facts.ts'
import { payloadsOf, wholeBody } from './tool-declarations.ts'
import type { DeclaredTool } from './tool-index.ts'

/** A call in a message; in 0.1 a message may have several. */
export interface ToolCall {
  /** The tool as written. */
  readonly name: string
  /** Where that is. */
  readonly nameSpan: Span
  /** The text that holds the arguments. */
  readonly body: BodyText
  /** True in 0.1, where the arguments are a member of the text. */
  readonly isWrapped: boolean
  /** The value of the text, which is never undefined; undefined if it is not JSON or too large. Read once, when asked for. */
  readonly value: unknown
}

/** What there is to say about a call. */
export type CallVerdict =
  /** It fits, or nothing can be said: no definition, a broken one, or a mistake that is reported otherwise. */
  | { readonly kind: 'fine' }
  /** The namespace is declared, and has no such tool. */
  | { readonly kind: 'unknown-tool'; readonly call: ToolCall; readonly namespace: string }
  /** The body is not a JSON object; `problem` says why if it is not JSON at all. */
  | {
      readonly kind: 'no-object'
      readonly call: ToolCall
      readonly tool: DeclaredTool
      readonly problem: JsonProblem | undefined
    }
  | {
      readonly kind: 'mismatches'
      readonly call: ToolCall
      readonly tool: DeclaredTool
      /** The arguments in the body's text. */
      readonly root: JsonNode
      readonly mismatches: readonly SchemaMismatch[]
    }
  /** The arguments do not fit, and are nested too deeply to say where; or they are too large to be compared at all. */
  | {
      readonly kind: 'too-deep' | 'too-large'
      readonly call: ToolCall
      readonly tool: DeclaredTool
      readonly problem: JsonProblem
    }

const fine: CallVerdict = { kind: 'fine' }

/** The verdicts on the calls of `segment`, without those that are fine. The last answer is remembered: several rules ask. */
export function callVerdicts(analysis: Analysis, segment: Segment): readonly CallVerdict[] {
  const { version } = analysis.transcript
  if (lastJudged !== segment || lastAnalysis !== analysis || lastVersion !== version) {
    lastVerdicts = judged(analysis, segment)
    lastJudged = segment
    lastAnalysis = analysis
    lastVersion = version
  }
  return lastVerdicts
}

function judged(analysis: Analysis, segment: Segment): readonly CallVerdict[] {
  if (analysis.tools.isEmpty) return noVerdicts
  const facts = factsOf(segment)
  if (!facts?.isMessage || facts.role !== 'assistant' || facts.terminator === ControlKind.none)
    return noVerdicts
  return verdictsOn(analysis, segment, facts)
}

// Not one object: an answer is remembered for every call, and nearly all are the same empty list.
let lastVerdicts: readonly CallVerdict[] = []
let lastJudged: Segment | undefined
let lastAnalysis: Analysis | undefined
let lastVersion = 0

/** The calls of `segment`, also of one that is not finished. The last answer is remembered: several rules ask. */
export function callsIn(segment: Segment): readonly ToolCall[] {
  if (lastRead !== segment) {
    lastCalls = readCalls(segment)
    lastRead = segment
  }
  return lastCalls
}

let lastCalls: readonly ToolCall[] = []
let lastRead: Segment | undefined

onRelease(() => {
  lastVerdicts = []
  lastJudged = undefined
  lastAnalysis = undefined
  lastCalls = []
  lastRead = undefined
})

/** The call in `segment` whose body contains `offset`, which is relative to the segment. */
export function callAround(segment: Segment, offset: number): ToolCall | undefined {
  return callsIn(segment).find(({ body }) => body.offsetOf(offset) !== undefined)
}

function readCalls(segment: Segment): readonly ToolCall[] {
  const facts = factsOf(segment)
  if (!facts?.isMessage || facts.role !== 'assistant') return []
  if (isCall(facts)) {
    const body = wholeBody(segment, facts)
    return body && facts.to !== undefined ? [new RoutedCall(segment, facts.to, body)] : []
  }
  return payloadsOf(segment, ControlKind.functionCall).flatMap((body) => {
    const call = new WrappedCall(body)
    return call.name === '' ? [] : [call]
  })
}

/** In the place of a value that was not asked for yet. */
const unread = Symbol('unread')

/** A call whose header names the tool. Nearly every call is fine, so that most of this is never asked for. */
class RoutedCall implements ToolCall {
  readonly name: string
  readonly body: BodyText
  readonly isWrapped = false
  readonly #segment: Segment
  #value: unknown = unread

  constructor(segment: Segment, name: string, body: BodyText) {
    this.#segment = segment
    this.name = name
    this.body = body
  }

  get value(): unknown {
    if (this.#value === unread) this.#value = jsonValue(this.body.text)
    return this.#value
  }

  get nameSpan(): Span {
    const { attributes, start } = viewMessage(this.#segment)
    return attributes.find((it) => it.name.text === 'to')?.value?.span ?? start
  }
}

/** A call of 0.1, whose text names the tool next to its arguments. */
class WrappedCall implements ToolCall {
  readonly name: string
  readonly body: BodyText
  readonly isWrapped = true

  constructor(body: BodyText) {
    this.body = body
    const name = memberOf(jsonTree(body.text).root, 'name')?.value
    this.name = typeof name === 'string' ? name : ''
  }

  get value(): unknown {
    return jsonValue(this.body.text)
  }

  get nameSpan(): Span {
    const { offset = 0, length = 2 } = memberOf(jsonTree(this.body.text).root, 'name') ?? {}
    return this.body.spanOf({ start: offset + 1, end: offset + length - 1 })
  }
}

/** The node of the arguments in the text of `call`; undefined where there is none. */
function argumentsNode({ body, isWrapped }: ToolCall): JsonNode | undefined {
  const { root } = jsonTree(body.text)
  return isWrapped ? memberOf(root, 'arguments') : root
}

function memberOf(root: JsonNode | undefined, key: string): JsonNode | undefined {
  return root?.children?.findLast(({ children }) => children?.[0]?.value === key)?.children?.[1]
}

const noVerdicts: readonly CallVerdict[] = []

function verdictsOn(analysis: Analysis, segment: Segment, facts: MessageFacts): readonly CallVerdict[] {
  const { tools, settings } = analysis
  let verdicts: CallVerdict[] | undefined
  for (const call of callsIn(segment)) {
    const tool = tools.tool(call.name, segment)
    const verdict = tool ? verdictOn(call, tool, facts) : fine
    if (verdict.kind !== 'fine') {
      verdicts ??= []
      verdicts.push(verdict)
    }
    if (tool) continue
    const namespace = tools.namespaceOf(call.name, settings.builtinTools)
    if (namespace === undefined || !tools.isComplete(namespace)) continue
    verdicts ??= []
    verdicts.push({ kind: 'unknown-tool', call, namespace })
  }
  return verdicts ?? noVerdicts
}

function verdictOn(call: ToolCall, tool: DeclaredTool, facts: MessageFacts): CallVerdict {
  const judge = toolJudge(tool.written)
  if (!judge) return fine
  const whole = call.value
  const tooLarge = whole === undefined ? sizeProblem(call.body.text) : undefined
  if (tooLarge) return { kind: 'too-large', call, tool, problem: tooLarge }
  if (whole === undefined) return call.isWrapped ? fine : noJson(call, tool, facts)
  const value = call.isWrapped ? argumentsOf(whole) : whole
  if (!isObject(value) && (call.isWrapped || !judge.takesOthers)) {
    return call.isWrapped ? fine : { kind: 'no-object', call, tool, problem: undefined }
  }
  if (judge.fits(value)) return fine
  const { problem } = jsonTree(call.body.text)
  if (problem) return { kind: 'too-deep', call, tool, problem }
  const root = argumentsNode(call)
  const mismatches = root ? judge.mismatches(root, call.body.text) : []
  return root && mismatches.length > 0 ? { kind: 'mismatches', call, tool, root, mismatches } : fine
}

function noJson(call: ToolCall, tool: DeclaredTool, { constraint }: MessageFacts): CallVerdict {
  const { text } = call.body
  if (text.trim() === '' && takesNothing(tool.definition)) return fine
  // A body that breaks its constraint has its own problem, and no other (D16).
  if (constraint === 'json' || (constraint === 'yaml' && yamlBody(text).problem)) return fine
  const { problem } = jsonBody(text)
  return problem?.kind === 'too-deep' ? fine : { kind: 'no-object', call, tool, problem }
}

function argumentsOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'arguments')) return undefined
  return (value as { readonly arguments: unknown }).arguments
}
