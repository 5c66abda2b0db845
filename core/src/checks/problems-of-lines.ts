/** The problems of samples in memory, one a line, as the list and `ocm check` report them. */
import { readJsonConversation } from '../convert/convert.ts'
import { editableSample, type TranscriptSample } from '../datasets/editable-sample.ts'
import { judgedForm, sampleTraits } from '../datasets/judged-document.ts'
import { sampleOfText } from '../datasets/sample.ts'
import { branchProblems, sampleProblems } from '../datasets/sample-problems.ts'
import { Transcript } from '../document/transcript.ts'
import { isObject } from '../embedded/json-value.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import type { SourceForm } from '../forms/form-registry.ts'
import type { CheckerOptions } from '../rules/checker.ts'
import { Document } from '../rules/document.ts'
import type { Problem } from '../rules/problem.ts'
import { isTemplateProblem, type ParsedTemplate, parsedTemplate } from '../templates/render-template.ts'
import { templateSample } from '../training/template-sample.ts'
import { trainingView } from '../training/training-view.ts'
import { DatasetCheck } from './dataset-check.ts'
import { renderingOf, renderingProblems } from './rendering-problems.ts'
import { type DatasetMark, datasetMark } from './sample-marks.ts'

/**
 * The problems of `lines`; undefined if one of them is not a sample. The first one may be a `tokenizer_config.json` with a chat
 * template, by which the others are rendered, or hold the samples `against` which they are compared. Ranges are those of the transcript that a sample becomes, or of its JSON for what
 * reading it reports.
 */
export function problemsOfLines(lines: string, options: CheckerOptions = {}): readonly Problem[] | undefined {
  const all = lines.split('\n').filter((it) => it.trim() !== '')
  const setting = settingOnLine(all[0] ?? '')
  const { template, against } = setting ?? {}
  const samples = all.slice(setting ? 1 : 0).map(sampleOnLine)
  if (!samples.every((it) => it !== undefined)) return undefined
  const dataset = new DatasetCheck()
  for (const [index, other] of (against ?? []).entries()) {
    const sample = sampleOnLine(JSON.stringify(other))
    if (sample) dataset.addOther(markOf(sample), 'other', index + 1)
  }
  for (const [index, sample] of samples.entries()) dataset.add(markOf(sample), 'line', index + 1)
  return samples
    .flatMap((it) => [
      ...problemsOfSample(it, options),
      ...(template ? problemsOfRendering(it, template, options) : []),
    ])
    .concat(dataset.problems(options.settings))
}

function markOf({ form: from, value }: TranscriptSample): DatasetMark {
  return datasetMark(value, readJsonConversation(value, { from: from as SourceForm, rest: 'source' }))
}

/** What samples are judged by, besides themselves. */
interface LineSetting {
  readonly template?: LineTemplate | undefined
  readonly against?: readonly JsonValue[]
}

function settingOnLine(line: string): LineSetting | undefined {
  const template = templateOnLine(line)
  if (template) return { template }
  const value = line.startsWith('{"against"') ? jsonIn(line) : undefined
  const against = isObject(value) ? (value as JsonObject).against : undefined
  return Array.isArray(against) ? { against } : undefined
}

interface LineTemplate {
  readonly template: ParsedTemplate
  readonly maxLength: number | undefined
}

function templateOnLine(line: string): LineTemplate | undefined {
  if (!line.startsWith('{"chat_template"')) return undefined
  const value = jsonIn(line)
  if (!isObject(value)) return undefined
  const { chat_template: source, model_max_length: length } = value as JsonObject
  const template = typeof source === 'string' ? parsedTemplate(source) : undefined
  if (!template || isTemplateProblem(template)) return undefined
  return { template, maxLength: typeof length === 'number' ? length : undefined }
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined // then it is not a sample either, which is reported
  }
}

function problemsOfRendering(
  { form: from, value, branches }: TranscriptSample,
  { template, maxLength }: LineTemplate,
  { settings }: CheckerOptions,
): readonly Problem[] {
  const renderings = (branches ?? [undefined]).map((branch) => {
    const reading = readJsonConversation(value, { from: from as SourceForm, branch, rest: 'source' })
    const sample = templateSample(value, reading)
    return renderingOf(trainingView(template, sample, { maxLength }), sample)
  })
  return renderingProblems(renderings, settings)
}

/** The sample on `line`; undefined if it is not one. */
export function sampleOnLine(line: string): TranscriptSample | undefined {
  const sample = editableSample(sampleOfText(line, { rest: 'source' }))
  return sample.kind === 'bad' ? undefined : sample
}

function problemsOfSample(sample: TranscriptSample, options: CheckerOptions): readonly Problem[] {
  const { form: from, text, requestTools } = sample
  const transcript = Transcript.parse(text)
  transcript.requestTools = requestTools
  const document = new Document(transcript, { ...options, sample: sampleTraits(judgedForm(sample)) })
  const { problems } = document.problems()
  const judged = { ...sample, from }
  return [
    ...sampleProblems(judged, options.settings),
    ...branchProblems(judged, options, { transcript, problems }),
    ...problems,
  ]
}
