/** What is wrong with a prompt once it is filled: rules that need its cases, its parts, and its sizes. */
import { Transcript } from '../document/transcript.ts'
import type { Problem } from '../rules/problem.ts'
import type { FilledCase, FilledCases, PromptRule, Rule } from '../rules/rule.ts'
import { rules as allRules } from '../rules/rule-registry.ts'
import { type RuleSettings, ruleSettingsFrom, severitySettingFor } from '../rules/rule-settings.ts'
import { type Analysis, analyze } from '../semantics/analysis.ts'
import { budgetsOf } from '../semantics/budgets.ts'
import { inputsOf } from '../semantics/inputs.ts'
import { templateOf } from '../semantics/template-body.ts'
import type { Range } from '../text/range.ts'
import { casesInHeader, type PromptCase, valuesOf } from './cases.ts'
import { fillPrompt } from './fill-prompt.ts'
import type { Parts, PromptProblem } from './parts.ts'
import { measuredItems, type PromptItem, promptOutline, textsToCount } from './prompt-outline.ts'

/** A prompt with all that it is filled with. */
export interface PromptSource {
  readonly analysis: Analysis
  /** Relative to the folder that parts are read from. */
  readonly path: string
  readonly cases: readonly PromptCase[]
  readonly parts: Parts
}

/** A prompt that is being checked. */
export interface PromptCheck {
  /** What has to be counted first; nothing if no budget asks for it. */
  readonly texts: readonly string[]
  /**
   * The problems, in order of the text, for users who set `settings`; `counts` are the tokens of the texts, or undefined if no
   * one can count.
   */
  problems(
    counts: readonly number[] | undefined,
    settings?: readonly RuleSettings[],
    rules?: readonly Rule[],
  ): readonly Problem[]
}

const mostCases = 500 // that are checked; the others differ in values only

/** True for a transcript that declares inputs or budgets: others are no prompts, whatever their text looks like. */
export function isPrompt({ header, settings }: Analysis): boolean {
  return settings.inputs !== undefined || budgetsOf(header.filled).length > 0
}

/** Fills a prompt with its cases, to check it. Never throws. */
export function checkPrompt(prompt: PromptSource): PromptCheck {
  const { analysis } = prompt
  const isCounted = budgetsOf(analysis.header.filled).length > 0
  const first = firstInclude(analysis)
  const inputs = inputsOf(analysis.header.filled) ?? []
  const given: readonly Pick<PromptCase, 'name' | 'values'>[] = prompt.cases.slice(0, mostCases)
  const found = (given.length > 0 ? given : [{ name: undefined, values: {} }]).map(({ name, values }) => {
    const filled = fillPrompt(analysis, { ...prompt, values })
    const filledAnalysis = analyze(
      Transcript.parse(filled.text, { dialect: analysis.transcript.forcedDialect }),
    )
    const items = isCounted && filled.problems.length === 0 ? promptOutline(filledAnalysis) : undefined
    const filledCase: Omit<FilledCase, 'sizes'> = {
      name,
      values: valuesOf(inputs, values),
      analysis: filledAnalysis,
      problems: filled.problems.map((it) => placed(it, first)),
    }
    return { filledCase, items }
  })
  return {
    texts: found.flatMap(({ items }) => textsToCount(items ?? [])),
    problems(counts, settings = [], rules = allRules) {
      let at = 0
      const cases = found.map(({ filledCase, items }): FilledCase => {
        const number = textsToCount(items ?? []).length
        const sizes = counts && items ? sizesOf(items, counts.slice(at, at + number)) : undefined
        at += number
        return { ...filledCase, sizes }
      })
      return problemsOf({ analysis, cases }, settings, rules)
    },
  }
}

/** The problems of the prompt `text`, which has neither parts nor a file of cases. */
export function problemsOfPrompt(
  analysis: Analysis,
  countOf: (text: string) => number,
  settings: readonly RuleSettings[] = [],
): readonly Problem[] {
  if (!isPrompt(analysis)) return []
  const parts = { byPath: new Map(), problems: [] }
  const check = checkPrompt({ analysis, path: '', cases: casesInHeader(analysis), parts })
  return check.problems(check.texts.map(countOf), settings)
}

function sizesOf(items: readonly PromptItem[], counts: readonly number[]): FilledCase['sizes'] {
  return measuredItems(items, counts).map(({ kind, name, tokens }) => ({ kind, name, tokens }))
}

/** What is wrong with a part is reported where the prompt includes one. */
function placed({ kind, path, range, message }: PromptProblem, first: Range): FilledCase['problems'][number] {
  if (path !== undefined) return { kind: 'part', range: first, message: `${path}: ${message}` }
  return { kind, range: range ?? { start: 0, end: 0 }, message }
}

function firstInclude({ transcript }: Analysis): Range {
  for (const { segment, start } of transcript.segments()) {
    const template = templateOf(segment)
    const [include] = template?.includes ?? []
    if (!template || !include) continue
    const { from, to } = template.source.spanOf(include.pathRange)
    return { start: start + from, end: start + to }
  }
  return { start: 0, end: 0 }
}

function problemsOf(
  prompt: FilledCases,
  settings: readonly RuleSettings[],
  rules: readonly Rule[],
): readonly Problem[] {
  const places = [...settings, ruleSettingsFrom(Object.fromEntries(prompt.analysis.settings.lint))]
  const promptRules = rules.filter((rule): rule is PromptRule => rule.scope === 'prompt')
  const problems = promptRules.flatMap((rule): readonly Problem[] => {
    const severity = severitySettingFor(rule, places) ?? rule.severity
    if (severity === 'off') return []
    return [...rule.check(prompt)].map(({ range, message, fixes = [] }) => ({
      code: rule.code,
      rule: rule.name,
      severity,
      message,
      range,
      related: [],
      fixes,
      tag: undefined,
    }))
  })
  return problems.sort((one, other) => one.range.start - other.range.start)
}
