/** Problems that a message allows with `allow=RULE,RULE:reason` in its header, and what is wrong with what it allows. */
import { viewMessage } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { localize } from '../text/localize.ts'
import { perValue } from '../text/memo.ts'
import type { Span } from '../text/range.ts'
import { didYouMean } from './closest-word.ts'
import type { RuleFinding } from './found-problems.ts'
import { nearestName } from './lint-entries.ts'
import { attributeNamed, attributeSpan, removal } from './message-header-places.ts'
import { quoted } from './quoted.ts'
import type { Finding, Fix, Rule } from './rule.ts'
import { settableNames } from './rule-settings.ts'

/** What the header of a message allows. */
export interface Allowance {
  /** `allow=…` as a whole. */
  readonly span: Span
  /** Rules and codes, each with its place. */
  readonly names: readonly { readonly text: string; readonly span: Span }[]
  /** Why, with spaces; empty if the header doesn't say. */
  readonly reason: string
}

/** What the message in `segment` allows; undefined if that is nothing. */
export function allowanceOf(segment: Segment): Allowance | undefined {
  const attribute = attributeNamed(viewMessage(segment), 'allow')
  if (!attribute?.value) return undefined
  const { text, span } = attribute.value
  const colon = text.indexOf(':')
  const list = colon === -1 ? text : text.slice(0, colon)
  const names: Allowance['names'][number][] = []
  let from = span.from
  for (const name of list.split(',', mostNames)) {
    if (name !== '') names.push({ text: name, span: { from, to: from + name.length } })
    from += name.length + 1
  }
  const reason =
    colon === -1
      ? ''
      : text
          .slice(colon + 1)
          .replaceAll('_', ' ')
          .trim()
  return { span: attributeSpan(attribute), names, reason }
}

const mostNames = 100 // rules of one message; there are not many more

/** The rules that run, and the one that reports what is wrong with an allowance. */
export interface AllowContext {
  readonly rules: readonly Rule[]
  readonly runs: (rule: Rule) => boolean
}

/** `found` in `segment` without what its header allows, and with what is wrong with that. */
export function withoutAllowed(
  segment: Segment,
  found: readonly RuleFinding[],
  { rules, runs }: AllowContext,
): readonly RuleFinding[] {
  const allowance = allowanceOf(segment)
  if (!allowance) return found
  const judge = rules.find((it) => it.name === allowanceRule)
  const names = new Set(allowance.names.map(({ text }) => text))
  names.delete(allowanceRule)
  const used = new Set<string>()
  const left = found.filter(({ rule }) => {
    const name = [rule.name, rule.code].find((it) => names.has(it))
    if (name !== undefined && rule !== judge) used.add(name)
    return name === undefined || rule === judge
  })
  if (!judge || !runs(judge)) return left
  const findings = findingsIn(segment, allowance, used, { rules, runs })
  return findings.length === 0
    ? left
    : [...left, ...findings.map((finding) => ({ rule: judge, finding }))].sort(
        (one, other) => one.finding.span.from - other.finding.span.from,
      )
}

/** The name of the rule on allowances. */
export const allowanceRule = 'unfit-allow'

function findingsIn(
  segment: Segment,
  { span, names, reason }: Allowance,
  used: ReadonlySet<string>,
  { rules, runs }: AllowContext,
): Finding[] {
  const findings: Finding[] = []
  const known = namesOf(rules)
  const seen = new Set<string>()
  for (const name of names) {
    const isRepeated = seen.has(name.text)
    seen.add(name.text)
    if (used.has(name.text) && !isRepeated) continue
    const isKnown = known.includes(name.text)
    const fixes = [removalOf(segment, name, { span, names, isSafe: isKnown })]
    if (!isKnown) {
      const suggestion = nearestName(name.text, known)
      const message = didYouMean(localize`Unknown rule or code ${quoted(name.text)}`, suggestion)
      if (suggestion !== undefined) {
        const edits = [{ span: name.span, text: suggestion }]
        fixes.unshift({ title: localize`Write ${quoted(suggestion)}`, edits, isSafe: false })
      }
      findings.push({ span: name.span, message, fixes })
    } else if (isRepeated || rules.some((it) => isNamed(it, name.text) && runs(it))) {
      const message = localize`${quoted(name.text)} reports nothing in this message`
      findings.push({ span: name.span, message, fixes, tag: 'unnecessary' })
    }
  }
  if (reason === '') findings.push({ span, message: localize`\`allow\` gives no reason` })
  return findings
}

function removalOf(
  segment: Segment,
  name: Allowance['names'][number],
  { span, names, isSafe }: Pick<Allowance, 'span' | 'names'> & { readonly isSafe: boolean },
): Fix {
  const isLast = name === names.at(-1)
  const { from, to } = name.span
  const edit =
    names.length === 1
      ? removal(segment, span)
      : { span: isLast ? { from: from - 1, to } : { from, to: to + 1 }, text: '' }
  return { title: localize`Remove ${quoted(name.text)}`, edits: [edit], isSafe }
}

function isNamed({ name, code }: Rule, text: string): boolean {
  return name === text || code === text
}

const namesOf = perValue((rules: readonly Rule[]) => settableNames(rules))
