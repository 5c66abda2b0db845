/** `ocm render --as training`: what a model is trained on. */
import { type MaskMode, readConversation } from '../../../core/src/internal.ts'
import { type OptionValues, UsageError } from '../arguments.ts'
import type { ExitStatus } from '../command.ts'
import type { configurationOptions } from '../configuration/configurations.ts'
import { datasetSettings } from '../configuration/settings-by-dataset.ts'
import { conversionProblem } from '../dataset/conversion-report.ts'
import { areDatasets, type BadLines } from '../dataset/dataset-source.ts'
import { printResult, runStretches, SampleReport, sampleFiles } from '../dataset/sample-run.ts'
import { isJsonConversation } from '../files/json-conversation.ts'
import { refuseOtherText } from '../files/refuse-other-text.ts'
import type { SearchValues } from '../files/search-options.ts'
import { Crew } from '../parallel/crew.ts'
import { refuseShard, shardOf } from '../shard-option.ts'
import { readSingleSource } from '../single-source.ts'
import type { Console } from '../terminal/console.ts'
import { safeJson } from '../terminal/displayable.ts'
import { readTemplateFile } from './training-files.ts'
import { trainingJson } from './training-text.ts'
import { printed, type TrainingChoice, TrainingRenderer } from './training-work.ts'

/** The options of `ocm render` that this asks for. */
export interface TrainingValues {
  readonly template: string | undefined
  readonly tokenizer: string | undefined
  readonly mask: MaskMode | 'auto'
  readonly 'max-length': number | undefined
  readonly format: string
  readonly 'bad-lines': BadLines
  readonly jobs: number | undefined
}

type DatasetValues = Parameters<typeof areDatasets>[1] &
  OptionValues<typeof configurationOptions> & { readonly shard: string | undefined }

/** Prints conversations as a model is trained on them. @throws FileProblem */
export async function renderTraining(
  operands: readonly string[],
  values: TrainingValues & DatasetValues & SearchValues,
  console: Console,
): Promise<ExitStatus> {
  const { format } = values
  if (format !== 'text' && format !== 'ansi' && format !== 'json' && format !== 'html')
    throw new UsageError('`--as training` prints `ansi`, `json`, or `html`')
  const template = await readTemplateFile(values.template)
  const choice: TrainingChoice = {
    template,
    tokenizer: values.tokenizer ?? (template ? template.tokenizer : 'o200k_harmony'),
    mask: values.mask === 'auto' ? undefined : values.mask,
    maxLength: values['max-length'],
    format: format === 'ansi' ? 'text' : format,
    isColoured: format === 'ansi' || console.isColoured,
    isForPeople: console.isTerminal || format === 'text' || format === 'ansi',
  }
  const renderer = await TrainingRenderer.load(choice)
  if (renderer.doubt !== undefined)
    console.complain(`${choice.tokenizer}: counts are estimates: ${renderer.doubt} is cut differently here`)
  if (await areDatasets(operands, values, datasetSettings(values))) {
    const badLines = values['bad-lines']
    const read = { rest: 'source', isTraced: true } as const
    const setup = { badLines, shard: shardOf(values.shard), read, choice } as const
    const crew = new Crew('training', setup, { jobs: values.jobs })
    const report = new SampleReport(console, badLines)
    const files = sampleFiles(operands, values)
    const form = choice.isForPeople && choice.format !== 'json' ? 'fit' : 'json'
    await runStretches(
      { files, crew, run: (input) => crew.run(input), take: (result) => printResult(result, console, form) },
      console,
      report,
    )
    return report.hasFailed ? 2 : 0
  }
  refuseShard(values.shard)
  const source = await readSingleSource(operands, console)
  refuseOtherText(source)
  const { path, text } = source
  const mapping = await datasetSettings(values).mappingOf(operands[0])
  try {
    const value = isJsonConversation(source) ? JSON.parse(text) : {}
    const view = renderer.view(value, readConversation(text, { isTraced: true, mapping }))
    if (choice.format !== 'json') await console.output.write(printed(view, choice, path))
    else
      for (const it of trainingJson(view, path, undefined))
        await console.output.write(console.isTerminal ? safeJson(it) : it)
  } catch (error) {
    throw conversionProblem(path, error, text)
  }
  return 0
}
