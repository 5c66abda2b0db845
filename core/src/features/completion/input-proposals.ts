/** The inputs and variables that a template may use, where one is being written. */
import { longestTags, variablesAtEnd } from '../../embedded/jinja.ts'
import { type JinjaToken, jinjaTags } from '../../embedded/jinja-tokens.ts'
import type { Analysis } from '../../semantics/analysis.ts'
import { declaredInputs } from '../../semantics/input-places.ts'
import { aboutInput, inputTypeOf } from '../../semantics/input-text.ts'
import { factsOf } from '../../semantics/message-facts.ts'
import type { Place } from '../../semantics/place.ts'
import { wholeBody } from '../../semantics/tool-declarations.ts'
import { localize } from '../../text/localize.ts'
import type { Proposal } from './proposal.ts'

/** The names, if `place` is in a tag of a template where a name may be; empty in a transcript without `inputs`. */
export function inputProposals(
  analysis: Analysis,
  { segment, offset, start }: Pick<Place, 'segment' | 'offset' | 'start'>,
): readonly Proposal[] {
  const inputs = declaredInputs(analysis)
  const facts = inputs && factsOf(segment)
  const body = facts && wholeBody(segment, facts)
  const at = body?.offsetOf(offset)
  if (!inputs || !body || at === undefined) return []
  const place = templatePlace(body.text.slice(0, at))
  if (!place) return []
  const range = { start: start + offset - place.typed, end: start + offset }
  const shared = { kind: 'value', range } as const
  const variables = place.variables.map((name) => ({
    ...shared,
    label: name,
    detail: localize`variable of the template`,
    documentation: '',
    text: name,
  }))
  const taken = new Set(place.variables)
  const free = inputs.filter(({ name }) => !taken.has(name))
  return [
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

interface TemplatePlace {
  /** How many characters of the name are written. */
  readonly typed: number
  /** The names that the template itself gave a value. */
  readonly variables: readonly string[]
}

/** The end of `before`, if a name may be there. Linear. */
function templatePlace(before: string): TemplatePlace | undefined {
  let open:
    | { readonly kind: string; readonly start: number; readonly tokens: readonly JinjaToken[] }
    | undefined
  for (const { kind, range, tokens, isClosed, hasOpenString, isCut } of jinjaTags(before, {
    atMost: longestTags,
  })) {
    const isTag = kind === 'output' || kind === 'statement'
    open = isTag && !isClosed && !hasOpenString && !isCut ? { kind, start: range.start, tokens } : undefined
  }
  if (!open) return undefined
  const last = open.tokens.at(-1)
  const isTouching = last?.end === before.length
  if (isTouching && (last.kind === 'number' || last.kind === 'string')) return undefined
  const word = isTouching && last.kind === 'name' ? last : undefined
  const lead = word ? open.tokens.slice(0, -1) : open.tokens
  if (!isForName(lead, open.kind === 'statement')) return undefined
  return { typed: word?.value.length ?? 0, variables: variablesAtEnd(before.slice(0, open.start)) }
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
