/** What is reported of a sample besides the problems of its transcript. */

import type { Loss } from '../conversation/loss.ts'
import { type ReadOptions, readJsonConversation, transcriptOfConversation } from '../convert/convert.ts'
import type { Transcript } from '../document/transcript.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { formOf, type SourceForm } from '../forms/form-registry.ts'
import type { DocumentOptions } from '../rules/document.ts'
import type { Problem } from '../rules/problem.ts'
import { quoted } from '../rules/quoted.ts'
import type { BranchRule, Rule, SampleBranch, SampleRule } from '../rules/rule.ts'
import { rules as allRules } from '../rules/rule-registry.ts'
import { type RuleSettings, severitySettingFor } from '../rules/rule-settings.ts'
import { localize } from '../text/localize.ts'
import type { DatasetMapping } from '../vocabulary/dataset-mapping.ts'
import { judgedDocument } from './judged-document.ts'

/** A sample as it was read. */
export interface JudgedSample {
  readonly from: SourceForm
  readonly losses: readonly Loss[]
  /** Undefined where the sample has one branch at most. */
  readonly branches?: readonly string[] | undefined
  /** The branch that its transcript shows. */
  readonly branch?: string | undefined
  readonly value?: JsonValue | undefined
  readonly mapping?: DatasetMapping | undefined
}

/**
 * The problems that what was reported of reading a sample, and its branches, are for users who set `settings`. Ranges are those of
 * the losses, in the text of the sample; empty at its start for what has no place. `rules` are those to judge by.
 */
export function sampleProblems(
  sample: JudgedSample,
  settings: readonly RuleSettings[] = [],
  rules: readonly Rule[] = allRules,
): readonly Problem[] {
  const problems = sample.losses.flatMap(({ kind, message, range }) => {
    const rule = rules.find((it): it is SampleRule => it.scope === 'sample' && it.notes.includes(kind))
    return rule ? problemOfSample(rule, { message, range }, settings) : []
  })
  const branches = comparedBranches(sample)
  if (branches.length < 2) return problems
  const branchRules = rules.filter((rule): rule is BranchRule => rule.scope === 'branches')
  return problems.concat(
    branchRules.flatMap((rule) => {
      const message = rule.check(branches)
      return message === undefined ? [] : problemOfSample(rule, { message }, settings)
    }),
  )
}

/** A problem of a sample as a whole, or of a place in it; none if `settings` turn the rule off. */
export function problemOfSample(
  rule: Rule,
  {
    message,
    range = { start: 0, end: 0 },
  }: { readonly message: string; readonly range?: Problem['range'] | undefined },
  settings: readonly RuleSettings[],
): readonly Problem[] {
  const severity = severitySettingFor(rule, settings) ?? rule.severity
  if (severity === 'off') return []
  const { code, name } = rule
  return [{ code, rule: name, severity, message, range, related: [], fixes: [], tag: undefined }]
}

/** What is shown of a sample, and what is wrong with that. */
export interface ShownBranch {
  readonly transcript: Transcript
  readonly problems: Iterable<Problem>
}

/** A problem of a branch that the transcript of a sample does not show. */
export interface BranchProblem extends Problem {
  readonly branch: string
}

/**
 * The problems of the branches that the transcript of a sample doesn't show (S11), without those that are known of the prompt, which
 * all branches have. Ranges are empty, and fixes have no edits, because they would be those of another transcript.
 */
export function branchProblems(
  { from, branches = [], branch = branches[0], value, mapping }: JudgedSample,
  judge: DocumentOptions,
  shown: ShownBranch,
): readonly BranchProblem[] {
  if (branches.length < 2 || value === undefined) return []
  const known = new Set<string>()
  for (const it of shown.problems) known.add(keyOf(it))
  return branches
    .filter((name) => name !== branch)
    .flatMap((name) => {
      const reading = readJsonConversation(value, branchOptions(from, name, mapping))
      const transcript = transcriptOfConversation(reading)
      const { problems } = judgedDocument(transcript, from, judge).problems()
      if (problems.length === 0) return []
      const promptEnd = sharedLength(transcript, shown.transcript)
      return problems
        .filter((it) => it.range.start >= promptEnd || !known.has(keyOf(it)))
        .map((it) => ({
          ...it,
          branch: name,
          message: localize`Branch ${quoted(name)}: ${it.message}`,
          range: { start: 0, end: 0 },
          fixes: it.fixes.map((fix) => ({ ...fix, edits: [] })),
          related: [],
        }))
    })
}

function keyOf({ rule, message }: Problem): string {
  return `${rule} ${message}`
}

/** Where the first message is that the two do not share. */
function sharedLength(one: Transcript, other: Transcript): number {
  const others = other.segments()[Symbol.iterator]()
  for (const { segment, start } of one.segments()) {
    const { value } = others.next()
    if (value?.segment.text !== segment.text) return start
  }
  return one.length
}

/** How a branch is read. Columns with names of their own are found by the mapping. */
function branchOptions(from: SourceForm, branch: string, mapping: DatasetMapping | undefined): ReadOptions {
  return { from: mapping ? 'auto' : from, branch, rest: 'source', mapping }
}

/** The branches that are answers to one prompt; none of a form whose branches are not compared. */
function comparedBranches({ from, branches, value, mapping }: JudgedSample): readonly SampleBranch[] {
  if (!branches || value === undefined || !formOf(from).comparesBranches) return []
  return branches.map((name) => {
    const { conversation } = readJsonConversation(value, branchOptions(from, name, mapping))
    return { name, messages: conversation.messages }
  })
}
