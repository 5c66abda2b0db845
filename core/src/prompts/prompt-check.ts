/** A prompt as the rules on prompts look at it: filled with each of its cases, with its parts and its sizes. */
import { Transcript } from '../document/transcript.ts'
import type { FilledCase } from '../rules/rule.ts'
import { type Analysis, analyze } from '../semantics/analysis.ts'
import { budgetsOf } from '../semantics/budgets.ts'
import { inputsOf } from '../semantics/inputs.ts'
import { templateOf } from '../semantics/template-body.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { casesInHeader, type PromptCase, valuesOf } from './cases.ts'
import { FillBudget, fillPrompt } from './fill-prompt.ts'
import type { Parts, PromptProblem } from './parts.ts'
import { measuredItems, type PromptItem, promptOutline, textsToCount } from './prompt-outline.ts'

/** A prompt with all that it is filled with. */
export interface PromptSource {
  readonly analysis: Analysis
  /** Relative to the folder that parts are read from. */
  readonly path: string
  readonly cases: readonly PromptCase[]
  /** The cases whose sizes are compared with budgets; by default all. */
  readonly chosen?: readonly PromptCase[]
  readonly parts: Parts
}

/** A prompt that is being checked. */
export interface PromptCheck {
  /** What has to be counted first; nothing if no budget asks for it. */
  readonly texts: readonly string[]
  /** The filled prompts, for {@link Checker.fill}; `counts` are the tokens of the texts, or undefined if they can't be counted. */
  cases(counts: readonly number[] | undefined): readonly FilledCase[]
}

const mostCases = 500 // that are checked; the others differ in values only

/** True for a transcript that declares inputs or budgets: others are not prompts, whatever their text looks like. */
export function isPrompt({ header, settings }: Analysis): boolean {
  return settings.inputs !== undefined || budgetsOf(header.filled).length > 0
}

/** Fills a prompt with its cases, to check it. Never throws. */
export function checkPrompt(prompt: PromptSource): PromptCheck {
  const { analysis } = prompt
  const isCounted = budgetsOf(analysis.header.filled).length > 0
  const first = firstInclude(analysis)
  const inputs = inputsOf(analysis.header.filled) ?? []
  const chosen = new Set(prompt.chosen ?? prompt.cases)
  const others = prompt.cases.filter((it) => !chosen.has(it))
  const ordered = others.length > 0 ? [...chosen, ...others] : prompt.cases
  const given: readonly PromptCase[] = ordered.slice(0, mostCases)
  const budget = new FillBudget()
  const found: {
    readonly filledCase: Omit<FilledCase, 'sizes' | 'problems'> & {
      readonly problems: FilledCase['problems'][number][]
    }
    readonly items: readonly PromptItem[] | undefined
  }[] = []
  for (const it of given.length > 0 ? given : [undefined]) {
    const { name, values } = it ?? { name: undefined, values: {} }
    const filled = fillPrompt(analysis, { ...prompt, values, budget })
    if (found.length > 0 && filled.problems.some(({ kind }) => kind === 'limit')) break
    const filledAnalysis = analyze(
      Transcript.parse(filled.text, { dialect: analysis.transcript.forcedDialect }),
    )
    const items = isCounted && filled.problems.length === 0 ? promptOutline(filledAnalysis) : undefined
    const filledCase = {
      name,
      values: valuesOf(inputs, values),
      analysis: filledAnalysis,
      problems: filled.problems.map((it) => placed(it, first)),
      isChosen: it === undefined || chosen.has(it),
    }
    found.push({ filledCase, items })
  }
  const last = found.at(-1)
  if (last && found.length < prompt.cases.length) {
    const message = localize`Only ${found.length} of ${prompt.cases.length} cases are checked, because checking all of them takes too long`
    last.filledCase.problems.push({ kind: 'limit', range: { start: 0, end: 0 }, message })
  }
  return {
    texts: found.flatMap(({ items }) => textsToCount(items ?? [])),
    cases(counts) {
      let at = 0
      return found.map(({ filledCase, items }): FilledCase => {
        const number = textsToCount(items ?? []).length
        const sizes = counts && items ? sizesOf(items, counts.slice(at, at + number)) : undefined
        at += number
        return { ...filledCase, sizes }
      })
    },
  }
}

/** The prompt of `analysis` with the cases of its header, if it is one that has neither parts nor a file of cases. */
export function filledAlone(
  analysis: Analysis,
  countOf: (text: string) => number,
): readonly FilledCase[] | undefined {
  if (!isPrompt(analysis)) return undefined
  const parts = { byPath: new Map(), problems: [] }
  const check = checkPrompt({ analysis, path: '', cases: casesInHeader(analysis), parts })
  return check.cases(check.texts.map(countOf))
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
