/** The inputs and variables that a template may use, where one is being written, and the values that an input may be compared with. */
import { longestTags, variablesAtEnd } from '../../embedded/jinja.ts'
import { comparedAtEnd } from '../../embedded/jinja-comparisons.ts'
import { type JinjaTagTokens, type JinjaToken, jinjaTags } from '../../embedded/jinja-tokens.ts'
import type { Analysis } from '../../semantics/analysis.ts'
import { declaredInputs } from '../../semantics/input-places.ts'
import { aboutInput, inputTypeOf } from '../../semantics/input-text.ts'
import { type Input, isInputName, isPlainString, stringsOf } from '../../semantics/inputs.ts'
import { factsOf } from '../../semantics/message-facts.ts'
import type { Place } from '../../semantics/place.ts'
import { wholeBody } from '../../semantics/tool-declarations.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import type { Proposal } from './proposal.ts'

/**
 * The names, if `place` is in a tag of a template where a name may be, or the values, in a string that an input is compared with;
 * empty in a transcript without `inputs`.
 */
export function inputProposals(
  analysis: Analysis,
  { segment, offset, start }: Pick<Place, 'segment' | 'offset' | 'start'>,
): readonly Proposal[] {
  const inputs = declaredInputs(analysis)?.filter(({ name }) => isInputName(name))
  const facts = inputs && factsOf(segment)
  const body = facts && wholeBody(segment, facts)
  const at = body?.offsetOf(offset)
  if (!inputs || !body || at === undefined) return []
  const place = templatePlace(body.text.slice(0, at))
  if (!place) return []
  const typedEnd = start + offset
  const range = { start: typedEnd - place.typed, end: typedEnd + restOfName(body.text, at) }
  const taken = new Set(place.variables)
  const free = inputs.filter(({ name }) => !taken.has(name))
  const compared = free.find(({ name }) => name === place.comparedWith)
  const { quote } = place
  if (quote !== '') {
    const rest = restOfString(body.text.slice(at), quote)
    const end = typedEnd + (rest !== undefined && isPlainString(rest) ? rest.length : 0)
    const wholeRange = { start: range.start, end }
    return valuesOf(compared, wholeRange, ['', rest === undefined ? quote : ''])
  }
  const shared = { kind: 'value', range } as const
  const variables = place.variables.map((name) => ({
    ...shared,
    label: name,
    detail: localize`variable of the template`,
    documentation: '',
    text: name,
  }))
  return [
    ...valuesOf(compared, range, ['"', '"']),
    ...variables,
    ...free.map((input) => ({
      ...shared,
      label: input.name,
      detail: inputTypeOf(input),
      documentation: aboutInput(input),
      text: input.name,
    })),
  ]
}

/** The strings that `input` may be, with the quotes that are written with them. */
function valuesOf(
  input: Input | undefined,
  range: Range,
  [opening, closing]: readonly [opening: string, closing: string],
): readonly Proposal[] {
  if (!input) return []
  return stringsOf(input)
    .filter(isPlainString)
    .map((value) => ({
      kind: 'value',
      range,
      label: opening + value + opening,
      filterText: value,
      detail: localize`value of \`${input.name}\``,
      documentation: '',
      text: opening + value + closing,
    }))
}

/** The rest of the string that `after` begins in, without its quote; undefined if it has no end in its tag. */
function restOfString(after: string, quote: string): string | undefined {
  const [inTag = ''] = after.split(/[%}]\}|[\r\n]/, 1)
  const [rest, ...others] = inTag.split(quote)
  return others.length % 2 === 1 ? rest : undefined
}

/** How many characters of the name that is being written are after the cursor. */
function restOfName(text: string, at: number): number {
  return /^[\p{L}\p{N}_]*/u.exec(text.slice(at, at + longestRest))?.[0].length ?? 0
}

const longestRest = 100 // code units; names of inputs have 64 at most

interface TemplatePlace {
  /** How many characters of the name, or of the string without its quote, are written. */
  readonly typed: number
  /** The quote that begins the string; empty where there is none. */
  readonly quote: string
  /** The name that a string is compared with there. */
  readonly comparedWith: string | undefined
  /** The names that the template itself gave a value. */
  readonly variables: readonly string[]
}

/** The end of `before`, if a name may be there, or a string that a name is compared with. Linear. */
function templatePlace(before: string): TemplatePlace | undefined {
  let open: JinjaTagTokens | undefined
  for (const tag of jinjaTags(before, { atMost: longestTags })) {
    const isTag = tag.kind === 'output' || tag.kind === 'statement'
    open = isTag && !tag.isClosed && !tag.isCut ? tag : undefined
  }
  if (!open) return undefined
  const variables = () => variablesAtEnd(before.slice(0, open.range.start))
  const last = open.tokens.at(-1)
  if (open.hasOpenString) {
    const comparedWith = comparedAtEnd(open.tokens)
    const string = before.slice(last?.end ?? open.inside.start).trimStart()
    const written = string.slice(1)
    if (comparedWith === undefined || !isPlainString(written)) return undefined
    return { typed: written.length, quote: string.charAt(0), comparedWith, variables: variables() }
  }
  const isTouching = last?.end === before.length
  if (isTouching && (last.kind === 'number' || last.kind === 'string')) return undefined
  const word = isTouching && last.kind === 'name' ? last : undefined
  const lead = word ? open.tokens.slice(0, -1) : open.tokens
  if (!isForName(lead, open.kind === 'statement')) return undefined
  const typed = word?.value.length ?? 0
  return { typed, quote: '', comparedWith: comparedAtEnd(lead), variables: variables() }
}

/** True if a name that has a value can follow `lead` in a tag. */
function isForName(lead: readonly JinjaToken[], isStatement: boolean): boolean {
  const [first] = lead
  const last = lead.at(-1)
  const before = lead.at(-2)
  if (last?.value === '.' || last?.value === '|' || last?.value === 'is') return false
  if (last?.value === 'not' && before?.value === 'is') return false
  if (!isStatement) return true
  const has = (value: string) => lead.some((it) => it.value === value)
  switch (first?.value) {
    case undefined: // the word of the statement
    case 'include':
    case 'import':
    case 'from':
    case 'block':
      return false
    case 'for':
      return has('in')
    case 'set':
    case 'with':
    case 'macro':
      return has('=')
    default:
      return !first?.value.startsWith('end') && (first?.value !== 'filter' || lead.length > 1)
  }
}
