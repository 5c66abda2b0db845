/** What is wrong with a sample as a model is trained on it, by the rules on renderings (S16). */
import { problemOfSample } from '../datasets/sample-problems.ts'
import type { Problem } from '../rules/problem.ts'
import type { RenderingRule, SampleRendering } from '../rules/rule.ts'
import { rules } from '../rules/rule-registry.ts'
import type { RuleSettings } from '../rules/rule-settings.ts'
import { isTemplateProblem } from '../templates/render-template.ts'
import type { TemplateProblem } from '../templates/template-problem.ts'
import { lostMessages, lostTools } from '../training/lost-messages.ts'
import type { TemplateSample } from '../training/template-sample.ts'
import type { TrainingView } from '../training/training-view.ts'

const renderingRules = rules.filter((rule): rule is RenderingRule => rule.scope === 'rendering')

/** The problems of the branches of a sample; of one without branches, its only rendering. */
export function renderingProblems(
  renderings: readonly SampleRendering[],
  settings: readonly RuleSettings[] = [],
): readonly Problem[] {
  const branches = renderings.map((it) => ({ it, others: renderings.filter((other) => other !== it) }))
  const problems: Problem[] = []
  for (const rule of renderingRules)
    for (const { it, others } of branches) {
      const message = rule.check(it, others)
      if (message === undefined) continue
      problems.push(...problemOfSample(rule, { message }, settings))
      break
    }
  return problems
}

/** The rendering that rules look at: `view` of a sample, or why there is none. Without a sample, lost text is not looked for. */
export function renderingOf(
  view: Omit<TrainingView, 'tokens'> | TemplateProblem,
  sample?: TemplateSample,
): SampleRendering {
  if (isTemplateProblem(view)) return { ...failed, failure: view }
  if (!sample) return { ...view, lost: [], lostTools: [] }
  return { ...view, lost: lostMessages(view.text, sample), lostTools: lostTools(view.text, sample) }
}

/** Of a rendering that failed, nothing else is known. */
const failed: Omit<SampleRendering, 'failure'> = {
  text: '',
  mask: 'all',
  unit: 'characters',
  trained: [],
  keptEnd: 0,
  isAnswerCut: false,
  unstable: [],
  lost: [],
  lostTools: [],
  nTrained: Number.NaN,
  nCut: 0,
}
