/** What the rules about calls share: places of a call in its segment, and where its tool is defined. */

import type { JsonNode } from '../embedded/json-tree.ts'
import { deadlineName, declaresDeadline } from '../embedded/tool-arguments.ts'
import type { SchemaMismatch } from '../embedded/tool-mismatch.ts'
import { propertyOf, type Schema, type SchemaProperty } from '../embedded/tool-schema.ts'
import { isCall, type MessageFacts } from '../semantics/message-facts.ts'
import { type CallVerdict, callVerdicts, type ToolCall } from '../semantics/tool-calls.ts'
import type { DeclaredTool } from '../semantics/tool-index.ts'
import { localize } from '../text/localize.ts'
import { perValue } from '../text/memo.ts'
import type { Range, Span } from '../text/range.ts'
import { closestWord } from './closest-word.ts'
import { isTruncated } from './message-states.ts'
import { quoted } from './quoted.ts'
import type { Finding, Fix, MessageContext, RelatedSpan } from './rule.ts'

/** False for messages that hold no call that is finished; in 0.1, calls are between markers in a body. */
export function mayCall(facts: MessageFacts): boolean {
  if (facts.role !== 'assistant' || !facts.isMessage || isTruncated(facts)) return false
  return isCall(facts) || !facts.isPlainBody
}

/** What `make` finds in the verdicts of one kind on the calls of a message; undefined, and no list, for nearly every call. */
export function findingsOf<Kind extends CallVerdict['kind']>(
  { analysis, segment }: MessageContext,
  kind: Kind,
  make: (verdict: Extract<CallVerdict, { kind: Kind }>) => readonly Finding[] | Finding,
): readonly Finding[] | undefined {
  const verdicts = callVerdicts(analysis, segment)
  if (verdicts.length === 0) return undefined
  return verdicts
    .filter((it): it is Extract<CallVerdict, { kind: Kind }> => it.kind === kind)
    .flatMap((it) => make(it))
}

/** The verdict on a call whose arguments do not fit. */
export type MismatchVerdict = Extract<CallVerdict, { kind: 'mismatches' }>

/** True for the deadline of a tool that has no argument of that name itself. */
export function isAboutDeadline({ path }: SchemaMismatch, { definition }: DeclaredTool): boolean {
  return path.length > 0 && path[0] === deadlineName && !declaresDeadline(definition)
}

/** True for a member that the tool does not take and that is null, as tables leave it. */
export function isNullMember({ kind, node }: SchemaMismatch): boolean {
  return kind === 'unexpected' && node.children?.[1]?.type === 'null'
}

/** A misspelt name, and the name that was meant. */
export interface Misspelling {
  readonly written: SchemaMismatch
  readonly meant: string
}

/**
 * The unexpected names that are close to a name that is free: first to one that is missing, which then is not a mistake of its own,
 * else to one that may be there.
 */
export function misspellings({ mismatches }: MismatchVerdict): readonly Misspelling[] {
  const found: Misspelling[] = []
  const taken = new Map<JsonNode, Set<string>>()
  const missing = missingByObject(mismatches)
  for (const written of mismatches) {
    if (written.kind !== 'unexpected') continue
    const [name = ''] = written.names
    const object = written.node.parent
    if (!object) continue
    const used = taken.get(object) ?? new Set(written.present)
    taken.set(object, used)
    const isFree = (it: string) => !used.has(it)
    const { properties } = written.schema
    const meant =
      closestName(name, missing.get(object) ?? [], isFree) ??
      (properties && closestName(name, namesOf(properties), isFree))
    if (meant === undefined) continue
    used.add(meant)
    found.push({ written, meant })
  }
  return found
}

/** The names that are missing in each object. */
function missingByObject(mismatches: readonly SchemaMismatch[]): ReadonlyMap<JsonNode, readonly string[]> {
  const missing = new Map<JsonNode, readonly string[]>()
  for (const { kind, node, names } of mismatches) {
    if (kind !== 'missing') continue
    const others = missing.get(node)
    missing.set(node, others ? others.concat(names) : names)
  }
  return missing
}

const namesOf = perValue((properties: ReadonlyMap<string, unknown>): readonly string[] => [
  ...properties.keys(),
])

/**
 * The name of `known` that `word` is a slip of; case, `_` and `-` do not count. Names that `isOffered` refuses are left
 * out. What is known of a list is remembered with it: hand in the same one.
 */
export function closestName(
  word: string,
  known: readonly string[],
  isOffered?: (name: string) => boolean,
): string | undefined {
  const names = namesLike(known)
  if (isOffered) return closestOf(word, names, isOffered)
  const { meant } = names
  if (meant.has(word)) return meant.get(word)
  if (meant.size >= meantAtMost) meant.clear()
  const name = closestOf(word, names, () => true)
  meant.set(word, name)
  return name
}

const meantAtMost = 2000 // more than the problems that editors show

function closestOf(
  word: string,
  { bySimpleName, long }: NameList,
  isOffered: (name: string) => boolean,
): string | undefined {
  const same = bySimpleName.get(simplified(word))?.find(isOffered)
  return same ?? closestWord(word, long, isOffered)
}

interface NameList {
  /** The first few names that are the same apart from case, `_` and `-`. */
  readonly bySimpleName: ReadonlyMap<string, readonly string[]>
  readonly long: readonly string[]
  /**
   * What some words were meant to be: an edit of a definition judges all calls of unknown tools again. Without it, a keystroke in
   * the row "tools and calls of unknown tools" of `npm run bench -- --only=limits` takes a half longer.
   */
  readonly meant: Map<string, string | undefined>
}

const sameAtMost = 8 // names that differ in nothing else

const namesLike = perValue((known: readonly string[]): NameList => {
  const bySimpleName = new Map<string, string[]>()
  for (const name of known) {
    const simple = simplified(name)
    const same = bySimpleName.get(simple)
    if (!same) bySimpleName.set(simple, [name])
    else if (same.length < sameAtMost) same.push(name)
  }
  return { bySimpleName, long: known.filter((it) => it.length >= shortestName), meant: new Map() }
})

const shortestName = 3 // of one or two letters, every other name of that length would be a slip

function simplified(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '')
}

/** Where a stretch of the call's text is in the segment. */
export function spanIn({ body }: ToolCall, range: Range): Span {
  return body.spanOf(range)
}

/** The definition of the tool. */
export function definedHere({ definition, segment, source }: DeclaredTool): RelatedSpan {
  const message = localize`\`${definition.name}\` is defined here`
  return { segment, span: source.spanOf(definition.nameRange), message }
}

/** The member `node` of the arguments goes, with the comma that goes with it. */
export function memberRemoval(call: ToolCall, node: JsonNode, { isSafe }: { readonly isSafe: boolean }): Fix {
  const name = String(node.children?.[0]?.value ?? '')
  const edits = [{ span: spanIn(call, removal(call.body.text, node)), text: '' }]
  return { title: localize`Remove ${quoted(name)}`, edits, isSafe }
}

/** The property with the comma that goes with it. */
function removal(
  text: string,
  { offset, length }: JsonNode,
): { readonly start: number; readonly end: number } {
  const end = offset + length
  const behind = /^\s*,\s*/.exec(text.slice(end, end + longestGap))
  if (behind) return { start: offset, end: end + behind[0].length }
  const before = text.slice(Math.max(0, offset - longestGap), offset).trimEnd()
  if (!before.endsWith(',')) return { start: offset, end }
  const start = Math.max(0, offset - longestGap) + before.slice(0, -1).trimEnd().length
  return { start, end }
}

const longestGap = 2000 // white space around a comma

/** Where the definition speaks of the argument at `path`, else the definition. */
export function declaredHere(tool: DeclaredTool, path: readonly (string | number)[]): RelatedSpan {
  const { definition, segment, source } = tool
  if (definition.parameters.kind !== 'schema') return definedHere(tool)
  const found = propertiesOn(path, definition.parameters.schema).findLast((it) => it !== undefined)
  if (!found || found.nameRange === definition.nameRange) return definedHere(tool)
  return {
    segment,
    span: source.spanOf(found.nameRange),
    message: localize`\`${found.name}\` is declared here`,
  }
}

/** The declared properties that `path` leads through, as far as they are declared; undefined for an element of a list. */
function propertiesOn(
  path: readonly (string | number)[],
  schema: Schema,
): readonly (SchemaProperty | undefined)[] {
  const found: (SchemaProperty | undefined)[] = []
  let at: Schema | undefined = schema
  for (const step of path) {
    const property: SchemaProperty | undefined = typeof step === 'string' ? propertyOf(at, step) : undefined
    at = typeof step === 'string' ? property?.schema : at.items
    if (!at) break
    found.push(property)
  }
  return found
}

/** The member that is null although its value may not be, if the tool declares it and can do without it. */
export function optionalNull(
  { node, path }: SchemaMismatch,
  { definition }: DeclaredTool,
): JsonNode | undefined {
  const { parent } = node
  if (node.type !== 'null' || parent?.type !== 'property') return undefined
  if (definition.parameters.kind !== 'schema') return undefined
  const declared = propertiesOn(path, definition.parameters.schema)[path.length - 1]
  return declared && !declared.isRequired ? parent : undefined
}

/** The last name on `path`; undefined for the arguments as a whole. */
export function nameAt(path: readonly (string | number)[]): string | undefined {
  const step = path.at(-1)
  if (typeof step === 'string') return step
  if (typeof step === 'number') return `${nameAt(path.slice(0, -1)) ?? ''}[${step}]`
  return undefined
}
