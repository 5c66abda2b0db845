/** `ocm convert`: a conversation in another form, or a whole dataset. */
import { convert, restFor } from '../../../core/src/internal.ts'
import { type Arguments, UsageError } from '../arguments.ts'
import { defineCommand, type ExitStatus } from '../command.ts'
import { datasetSettings } from '../configuration/settings-by-dataset.ts'
import { ConversionReport, conversionProblem } from '../dataset/conversion-report.ts'
import { areDatasets } from '../dataset/dataset-source.ts'
import { sampleOptions } from '../dataset/sample-options.ts'
import { runSamples, SampleReport, sampleFiles } from '../dataset/sample-run.ts'
import { dialectFor } from '../files/json-conversation.ts'
import { refuseOtherText } from '../files/refuse-other-text.ts'
import { refuseIdle, toOption } from '../form-options.ts'
import { Crew } from '../parallel/crew.ts'
import { refuseShard, shardOf, shardOption } from '../shard-option.ts'
import { readSingleSource } from '../single-source.ts'
import type { Console } from '../terminal/console.ts'
import { displayable } from '../terminal/displayable.ts'

const options = {
  to: toOption,
  strict: { kind: 'flag', summary: 'Exit with status 1 if something is lost' },
  for: {
    kind: 'choice',
    values: ['anything', 'training', 'history', 'completion'],
    default: 'anything',
    summary:
      'The purpose of Harmony or OpenChatML text, which determines how it ends; in Harmony, spent reasoning is dropped as in the reference',
  },
  'drop-reasoning': {
    kind: 'flag',
    summary: 'In OpenChatML, leave out the reasoning of turns that ended with an answer',
  },
  headers: {
    kind: 'choice',
    values: ['canonical', 'harmony'],
    default: 'canonical',
    summary: 'How OpenChatML writes headers: in the canonical form, or as Harmony models do',
  },
  shard: shardOption,
  ...sampleOptions,
} as const

/** The command. */
export const convertCommand = defineCommand({
  name: 'convert',
  operands: 'PATHS...',
  description: [
    'Converts a conversation to another form, such as OpenChatML 2.2, its JSON, Harmony text, Chat Completions messages, Responses items, or Markdown, and prints it.',
    'What the form cannot represent is reported on standard error. Older OpenChatML is also read, so `--to ocm` migrates and formats it.',
    'Datasets are read and written line by line; text forms are in the field `text`. Several files, a directory, and a pattern are read as one dataset, in the order of their names.',
  ],
  options,
  statuses: ['1  something is lost, with --strict'],
  examples: [
    ['ocm convert --to harmony chat.ocm', 'write what a gpt-oss model reads'],
    ['ocm convert chat.json > chat.ocm', 'convert any conversation to a transcript'],
    ['ocm convert --to messages --strict chat.ocm', 'fail if something is lost'],
    ['ocm convert --to harmony --for training data.jsonl', 'convert a dataset'],
    ["ocm convert --to messages 'data/*.parquet'", 'write the rows of Parquet files as JSONL'],
    ['ocm convert --for history --drop-reasoning chat.ocm', 'write a transcript to continue from'],
  ],
  run: async (args, console) => {
    if (args.operands.length === 0) throw new UsageError('Name a file, or `-` for standard input')
    refuseIdleOptions(args.values)
    const isMany = await areDatasets(args.operands, args.values, datasetSettings(args.values))
    if (isMany) return convertDatasets(args, console)
    refuseShard(args.values.shard)
    return convertFile(args, console)
  },
})

type ConvertArguments = Arguments<typeof options>

async function convertFile({ values, operands }: ConvertArguments, console: Console): Promise<ExitStatus> {
  const source = await readSingleSource(operands, console)
  const { path, text } = source
  const report = new ConversionReport(console)
  refuseOtherText(source, values.from)
  const mapping = await datasetSettings(values).mappingOf(operands[0])
  let result: ReturnType<typeof convert>
  try {
    result = convert(text, {
      from: values.from,
      mapping,
      dialect: dialectFor(source, values.dialect),
      role: values.role,
      to: values.to,
      ...writing(values),
    })
  } catch (error) {
    throw conversionProblem(path, error, text)
  }
  report.add(path, result.losses, text)
  report.end()
  await console.output.write(console.isTerminal ? displayable(result.text) : result.text)
  return values.strict && report.count > 0 ? 1 : 0
}

async function convertDatasets(
  { values, operands }: ConvertArguments,
  console: Console,
): Promise<ExitStatus> {
  const { from, to, dialect, role, 'bad-lines': badLines, jobs } = values
  const shard = shardOf(values.shard)
  const setup = {
    badLines,
    shard,
    read: { from, dialect, role, rest: restFor({ to }) },
    to,
    ...writing(values),
  }
  const report = new SampleReport(console, badLines)
  const files = sampleFiles(operands, values)
  await runSamples(new Crew('convert', setup, { jobs }), files, console, report)
  if (report.hasFailed) return 2
  return values.strict && report.nLosses > 0 ? 1 : 0
}

/** @throws UsageError for an option that the form of the output has no use for */
function refuseIdleOptions(values: ConvertArguments['values']): void {
  const { to } = values
  if (values.for !== 'anything') refuseIdle('--for', 'purpose', to)
  if (values['drop-reasoning']) refuseIdle('--drop-reasoning', 'dropsReasoning', to)
  if (values.headers !== 'canonical') refuseIdle('--headers', 'headers', to)
}

function writing({ for: purpose, headers, 'drop-reasoning': dropsReasoning }: ConvertArguments['values']) {
  return { purpose: purpose === 'anything' ? undefined : purpose, headers, dropsReasoning }
}
