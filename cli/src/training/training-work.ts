/** Renders conversations as a model is trained on them. */
import {
  type ByteEncoding,
  ConversionError,
  harmonyTokenizer,
  isTemplateProblem,
  type JsonValue,
  type MaskMode,
  type Problem,
  type Reading,
  type RuleSettings,
  renderForTraining,
  renderingOf,
  renderingProblems,
  sampleToRender,
  type TemplateProblem,
  type TemplateSample,
  type Tokenizer,
  type TrainingCount,
  type TrainingView,
  textLine,
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
import { lineStart } from '../terminal/displayable.ts'
import { readTokenizerFile, type TemplateFile } from './training-files.ts'
import { type JudgedView, trainingJson, trainingPage, trainingText } from './training-text.ts'

/** What samples are rendered by. */
export interface RenderChoice {
  /** Undefined for Harmony. */
  readonly template: TemplateFile | undefined
  /** The path of a `tokenizer.json`, or `o200k_harmony`; undefined to count characters. */
  readonly tokenizer: string | undefined
  readonly mask: MaskMode | undefined
  readonly maxLength: number | undefined
}

/** What samples are rendered by, and how that is printed. */
export interface TrainingChoice extends RenderChoice {
  readonly format: 'text' | 'json' | 'html'
  readonly isColoured: boolean
  /** True if people read the output: then it is not JSONL. */
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
      if (format === 'json') for (const it of trainingJson(view, input.shown, number)) collector.print(it)
      else if (isForPeople) collector.print(`${lineStart(where)}: ${printed(view, setup.choice, where)}\n`)
      else collector.print(`${textLine(printed(view, setup.choice, where), sample.frame)}\n`)
    })(input)
}

/** Renders one conversation after the other. */
export class TrainingRenderer {
  readonly #choice: RenderChoice
  readonly #tokenizer: Tokenizer | undefined
  readonly #encoding: ByteEncoding

  private constructor(choice: RenderChoice, tokenizer: Tokenizer | undefined, encoding: ByteEncoding) {
    this.#choice = choice
    this.#tokenizer = tokenizer
    this.#encoding = encoding
  }

  /** Loads what `choice` names. @throws FileProblem */
  static async load(choice: RenderChoice): Promise<TrainingRenderer> {
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
    const { view, sample } = this.#rendered(value, reading)
    if (!isTemplateProblem(view)) return { view, findings: renderingProblems([renderingOf(view, sample)]) }
    const { line, column, message } = view
    throw new ConversionError(`The template fails in line ${line}, column ${column}: ${message}`)
  }

  /** How many tokens, or characters, of the sample count in the loss, and how many there are; undefined if the template refuses it. */
  count(value: JsonValue, reading: Reading): TrainingCount | undefined {
    const { view } = this.#rendered(value, reading)
    return isTemplateProblem(view) ? undefined : view
  }

  /** What is wrong with the renderings of all branches of a sample. */
  problems(
    value: JsonValue,
    readings: readonly Reading[],
    settings: readonly RuleSettings[],
  ): readonly Problem[] {
    const renderings = readings.map((reading) => {
      const { view, sample } = this.#rendered(value, reading)
      return renderingOf(view, sample)
    })
    return renderingProblems(renderings, settings)
  }

  #rendered(
    value: JsonValue,
    reading: Reading,
  ): { view: TrainingView | TemplateProblem; sample?: TemplateSample } {
    const { mask, template, maxLength = template?.maxLength } = this.#choice
    const sample = sampleToRender(value, reading, template)
    const request = { template, sample, mask, maxLength }
    const view = renderForTraining(request, this.#tokenizer, this.#encoding)
    return { view, ...('context' in sample && { sample }) }
  }
}

/** `view` as a page or text; as JSON, it is written in pieces. */
export function printed(view: JudgedView, { format, isColoured }: TrainingChoice, where: string): string {
  if (format === 'html') return trainingPage(view, where)
  return trainingText(view, styleOf(isColoured), isColoured)
}
