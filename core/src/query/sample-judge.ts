/** What is wrong with a sample, by the rules. Only what asks for problems imports this, because it loads all rules. */
import { type Reading, transcriptOfConversation } from '../convert/convert.ts'
import { judgedDocument } from '../datasets/judged-document.ts'
import type { GoodSample } from '../datasets/sample.ts'
import { branchProblems, sampleProblems } from '../datasets/sample-problems.ts'
import type { DocumentOptions } from '../rules/document.ts'
import type { Problem } from '../rules/problem.ts'
import { rules } from '../rules/rule-registry.ts'
import type { SampleJudge } from './read-sample-view.ts'

/** The codes and the names of all rules, those of training data first, because they are looked for most often. */
export const problemNames: readonly string[] = [
  ...rules.filter(({ group }) => group === 'data'),
  ...rules.filter(({ group }) => group !== 'data'),
].flatMap(({ code, name }) => [code, name])

/** Judges samples by the rules as `options` say. */
export function sampleJudge(options: DocumentOptions): SampleJudge {
  return (sample, reading) => problemsOfSample(sample, reading, options)
}

/** What is wrong with a sample: with its columns first, then with the transcript that it becomes. */
export function problemsOfSample(
  { text, value, mapping }: GoodSample,
  reading: Reading,
  options: DocumentOptions,
): readonly Problem[] {
  const { from, losses, conversation } = reading
  const form = text === undefined ? from : 'ocm'
  const document = judgedDocument(text ?? transcriptOfConversation(reading), form, options)
  const { transcript } = document.analysis
  const { problems } = document.problems()
  const { branches, branch } = conversation
  const sample = { from, losses, branches, branch, value, mapping }
  return [
    ...sampleProblems(sample, options.settings),
    ...branchProblems(sample, options, { transcript, problems }),
    ...problems,
  ]
}
