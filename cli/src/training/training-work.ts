/** Renders conversations as a model is trained on them. */
import {
  ConversionError,
  harmonyTokenizer,
  harmonyTrainingView,
  isTemplateProblem,
  type JsonValue,
  type MaskMode,
  type ParsedTemplate,
  parsedTemplate,
  type Reading,
  renderingOf,
  renderingProblems,
  type Tokenizer,
  templateSample,
  textLine,
  trainingView,
} from '../../../core/src/internal.ts'
import {
  type SampleResults,
  type SampleSetup,
  type ShownStretch,
  sampleWork,
} from '../dataset/sample-results.ts'
import { FileProblem } from '../files/file-problem.ts'
import type { Doing, Work } from '../parallel/work.ts'
import { styleOf } from '../terminal/colour.ts'
import { displayableLine } from '../terminal/displayable.ts'
import { readTokenizerFile, type TemplateFile } from './training-files.ts'
import { type JudgedView, trainingObject, trainingPage, trainingText } from './training-text.ts'

/** What is rendered, and how it is printed. */
export interface TrainingChoice {
  /** Undefined for Harmony. */
  readonly template: TemplateFile | undefined
  /** The path of a `tokenizer.json`, or `o200k_harmony`; undefined to count characters. */
  readonly tokenizer: string | undefined
  readonly mask: MaskMode | undefined
  readonly maxLength: number | undefined
  readonly format: 'text' | 'json' | 'html'
  readonly isColoured: boolean
  /** True if people read the output: then it is no JSONL. */
  readonly isForPeople: boolean
}

/** How samples are rendered. */
export interface TrainingSetup extends SampleSetup {
  readonly choice: TrainingChoice
}

/** A stretch becomes lines. */
export type TrainingWork = Work<TrainingSetup, ShownStretch, SampleResults>

/** Renders stretches. */
export async function startTrainingWork(setup: TrainingSetup): Promise<Doing<TrainingWork>> {
  const renderer = await TrainingRenderer.load(setup.choice)
  const { format, isForPeople } = setup.choice
  return (input) =>
    sampleWork(setup, 'repeated-keys', ({ sample, number }, where, collector) => {
      const view = renderer.view(sample.value, collector.read())
      if (format === 'json') collector.print(renderer.print(view, input.shown, number))
      else if (isForPeople)
        collector.print(`${displayableLine(where)}: ${renderer.print(view, where, number)}\n`)
      else collector.print(`${textLine(renderer.print(view, where, number), sample.frame)}\n`)
    })(input)
}

/** Renders one conversation after the other. */
export class TrainingRenderer {
  readonly #choice: TrainingChoice
  readonly #template: ParsedTemplate | undefined
  readonly #tokenizer: Tokenizer | undefined
  readonly #encoding: Parameters<typeof harmonyTrainingView>[1]

  private constructor(
    choice: TrainingChoice,
    tokenizer: Tokenizer | undefined,
    encoding: Parameters<typeof harmonyTrainingView>[1],
  ) {
    this.#choice = choice
    this.#tokenizer = tokenizer
    this.#encoding = encoding
    const template = choice.template && parsedTemplate(choice.template.source)
    this.#template = template && !isTemplateProblem(template) ? template : undefined // it was read before
  }

  /** Loads what `choice` names. @throws FileProblem */
  static async load(choice: TrainingChoice): Promise<TrainingRenderer> {
    const { o200k } = await import('#tokenizer')
    const { tokenizer: name } = choice
    if (name === undefined) return new TrainingRenderer(choice, undefined, o200k)
    if (name === 'o200k_harmony') return new TrainingRenderer(choice, harmonyTokenizer(o200k), o200k)
    const { json, config } = await readTokenizerFile(name)
    const { tokenizerOfJson } = await import('#tokenizer-json')
    const tokenizer = tokenizerOfJson(json, config)
    if (typeof tokenizer === 'string') throw new FileProblem(name, `can't be used: ${tokenizer}`)
    return new TrainingRenderer(choice, tokenizer, o200k)
  }

  /** What of the tokenizer is cut differently, if anything. */
  get doubt(): string | undefined {
    return this.#tokenizer?.doubt
  }

  /** @throws ConversionError with the template's own words, if it refuses the sample */
  view(value: JsonValue, reading: Reading): JudgedView {
    const { mask, template, maxLength = template?.maxLength } = this.#choice
    if (!this.#template) {
      const own = harmonyTrainingView(reading.conversation, this.#encoding, { mask, maxLength })
      return { view: own, findings: renderingProblems([renderingOf(own)]) }
    }
    const options = { mask, maxLength, names: template?.names, tokenizer: this.#tokenizer }
    const sample = templateSample(value, reading)
    const view = trainingView(this.#template, sample, options)
    if (!isTemplateProblem(view)) return { view, findings: renderingProblems([renderingOf(view, sample)]) }
    const { line, column, message } = view
    throw new ConversionError(`The template fails in line ${line}, column ${column}: ${message}`)
  }

  print(view: JudgedView, where: string, line: number | undefined): string {
    const { format, isColoured } = this.#choice
    if (format === 'json') return `${JSON.stringify(trainingObject(view, where, line))}\n`
    if (format === 'html') return trainingPage(view, where)
    return trainingText(view, styleOf(isColoured), isColoured)
  }
}
