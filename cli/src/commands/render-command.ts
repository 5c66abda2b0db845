/** `ocm render`: a transcript as its end user sees it. */
import { basename } from 'node:path'
import { analyze, convert, maskModes, promptTargets } from '../../../core/src/internal.ts'
import { type Arguments, UsageError } from '../arguments.ts'
import { defineCommand, type ExitStatus } from '../command.ts'
import { configurationOptions } from '../configuration/configurations.ts'
import { datasetSettings } from '../configuration/settings-by-dataset.ts'
import { conversationItems, conversationText } from '../conversation-text.ts'
import { ConversionReport, conversionProblem } from '../dataset/conversion-report.ts'
import { areDatasets, datasetOptions } from '../dataset/dataset-source.ts'
import { documentIn } from '../dataset/render-work.ts'
import { runSamples, SampleReport, sampleFiles } from '../dataset/sample-run.ts'
import { transcriptOfSource } from '../dataset/source-transcript.ts'
import { dialectOption } from '../dialect-option.ts'
import { dialectFor } from '../files/json-conversation.ts'
import { shownInput } from '../files/read-source.ts'
import { refuseOtherText } from '../files/refuse-other-text.ts'
import { searchOptions } from '../files/search-options.ts'
import { Crew } from '../parallel/crew.ts'
import { renderCases } from '../prompts/render-cases.ts'
import { refuseShard, shardOf, shardOption } from '../shard-option.ts'
import { readSingleSource } from '../single-source.ts'
import { checkSnapshots } from '../snapshots.ts'
import type { Console } from '../terminal/console.ts'
import { displayable, displayableLine } from '../terminal/displayable.ts'
import { renderTraining } from '../training/render-training.ts'

const options = {
  as: {
    kind: 'choice',
    values: ['conversation', 'training', ...promptTargets],
    default: 'conversation',
    summary:
      'What to print: the conversation as end users see it, the prompt for the next message, the text that a model is trained on, or, with --case, a form or the text of a chat template',
  },
  case: { kind: 'text', placeholder: 'NAME', summary: 'Fill the prompt with the values of this case' },
  'all-cases': { kind: 'flag', summary: 'Fill the prompt with the values of each case' },
  for: {
    kind: 'choice',
    values: ['completion', 'history', 'training'],
    default: 'completion',
    summary:
      'The purpose of the prompt: the next message, the history before it, or training on the last message',
  },
  format: {
    kind: 'choice',
    values: ['text', 'markdown', 'html', 'ansi', 'json'],
    default: 'text',
    summary:
      'The format: for a terminal, or a self-contained Markdown or HTML file; with --as training, also JSON, or colors regardless of the output',
  },
  template: {
    kind: 'text',
    placeholder: 'FILE',
    summary:
      'With --as training or chat-template: the chat template, as a Jinja file, a tokenizer_config.json, or the folder of a model; by default `harmony`',
  },
  tokenizer: {
    kind: 'text',
    placeholder: 'FILE',
    summary: 'With --as training: the tokenizer.json; by default the one next to the template',
  },
  mask: {
    kind: 'choice',
    values: ['auto', ...maskModes],
    default: 'auto',
    summary:
      'With --as training: what counts in the loss; by default what the template marks, otherwise what the assistant writes',
  },
  'max-length': {
    kind: 'count',
    least: 1,
    placeholder: 'N',
    summary: 'With --as training: the number of tokens after which a sample is truncated',
  },
  check: { kind: 'flag', summary: 'Print how the conversations differ from the snapshots next to them' },
  update: { kind: 'flag', summary: 'Write the snapshots that differ or do not exist yet' },
  debug: { kind: 'flag', summary: 'Also print hidden parts, each labeled with the reason why it is hidden' },
  ...searchOptions,
  ...datasetOptions,
  shard: shardOption,
  ...configurationOptions,
  dialect: dialectOption,
} as const

/** The command. */
export const renderCommand = defineCommand({
  name: 'render',
  operands: 'PATHS...',
  description: [
    'Prints what an end user sees of a transcript: the speaker, and the indented text below.',
    'A JSON conversation is converted to a transcript and rendered.',
    'Instructions, reasoning, tool calls, and replies are left out. Control characters are made visible.',
    'With --as next-prompt, it prints the input of a gpt-oss model instead: Harmony text without spent reasoning.',
    'With --as training, it prints what a model is trained on: all text, hidden or not, with the trained parts marked.',
    'With --case or --all-cases, it fills in the inputs of a prompt and prints the prompt in any form; with --check, it compares the prompt with snapshots.',
    'With --check, it accepts any number of files and directories and compares the visible text of each transcript with a snapshot next to it: chat.visible.txt for chat.ocm.',
  ],
  options,
  statuses: ['1  with --check: a snapshot differs or is missing, or a budget is exceeded'],
  examples: [
    ['ocm render chat.ocm', 'print the conversation'],
    ['ocm render --as next-prompt chat.ocm', 'print the next prompt of a model'],
    ['ocm render --format html chat.ocm > chat.html', 'write a page to read or to send'],
    ['ocm render --check fixtures', 'compare all conversations with their snapshots'],
    ['ocm render --case refund --as harmony support.ocm', 'print the input of a model in this case'],
    [
      'ocm render --case refund --as chat-template --template model/ support.ocm',
      'print the same with the chat template of a model',
    ],
    [
      'ocm render --as training --template model/ data.jsonl',
      'print what a model is trained on, and which tokens count',
    ],
    ['ocm render --debug chat.ocm', 'print everything, with the reason why it is hidden'],
  ],
  async run({ values, operands }, console) {
    const { as } = values
    const isCase = values.case !== undefined || values['all-cases']
    if (isCase && as === 'training') throw new UsageError('`--as training` cannot be used with cases')
    const { tokenizer, mask, for: purpose, 'max-length': maxLength } = values
    if (
      isCase &&
      (tokenizer !== undefined || mask !== 'auto' || maxLength !== undefined || purpose !== 'completion')
    )
      throw new UsageError('`--tokenizer`, `--mask`, `--max-length`, and `--for` cannot be used with cases')
    if (isCase || values.check || values.update) refuseDatasetOptions(values)
    if (isCase && as !== 'training') return renderCases(operands, { ...values, as }, console)
    if (as === 'training') {
      if (values.check || values.update || values.debug || values.for !== 'completion')
        throw new UsageError(
          '`--as training` cannot be used with `--check`, `--update`, `--debug`, or `--for`',
        )
      return renderTraining(operands, values, console)
    }
    const format = conversationFormat(values)
    if (values.as !== 'conversation' && values.as !== 'next-prompt')
      throw new UsageError(
        'A form requires `--case` or `--all-cases`; use `ocm convert` for other conversations',
      )
    if (values.check || values.update) {
      const isPlain = values.as === 'conversation' && format === 'text' && !values.debug
      if (!isPlain)
        throw new UsageError(
          '`--check` and `--update` cannot be used with `--as next-prompt`, `--format`, or `--debug`',
        )
      const settings = datasetSettings(values)
      const options = { dialect: values.dialect, isUpdate: values.update, search: values, settings }
      return checkSnapshots(operands, options, console)
    }
    const isPrompt = values.as === 'next-prompt'
    if (isPrompt && values.debug) throw new UsageError('`--debug` cannot be used with `--as next-prompt`')
    if (isPrompt && format !== 'text')
      throw new UsageError('`--format` cannot be used with `--as next-prompt`')
    if (!isPrompt && values.for !== 'completion') throw new UsageError('`--for` requires `--as next-prompt`')
    if (await areDatasets(operands, values, datasetSettings(values)))
      return renderDatasets(operands, values, format, console)
    refuseShard(values.shard)
    const source = await readSingleSource(operands, console)
    const { path, text } = source
    const mapping = await datasetSettings(values).mappingOf(operands[0])
    if (isPrompt) {
      refuseOtherText(source)
      const read = { dialect: dialectFor(source, values.dialect), mapping }
      const report = new ConversionReport(console)
      try {
        const result = convert(text, { to: 'harmony', purpose: values.for, ...read })
        report.add(path, result.losses, text)
        await console.output.write(console.isTerminal ? displayable(result.text) : result.text)
      } catch (error) {
        throw conversionProblem(path, error, text)
      }
      report.end()
      return 0
    }
    const analysis = analyze(transcriptOfSource(source, { dialect: values.dialect, mapping }, console))
    if (format !== 'text') {
      const document = await documentIn(format)
      const items = conversationItems(analysis, { hidden: values.debug })
      const title = path === shownInput ? 'Conversation' : displayableLine(basename(path))
      for (const piece of document(items, { title, isDebug: values.debug })) {
        await console.output.write(console.isTerminal ? displayable(piece) : piece)
      }
      return 0
    }
    await console.output.writeAll(conversationText(analysis, console.style, { hidden: values.debug }))
    return 0
  },
})

/** How to print a conversation. @throws UsageError for options that only `--as training` has */
function conversationFormat(values: RenderValues): 'text' | 'markdown' | 'html' {
  const { template, tokenizer, mask, format } = values
  if (
    template !== undefined ||
    tokenizer !== undefined ||
    mask !== 'auto' ||
    values['max-length'] !== undefined
  )
    throw new UsageError('`--template`, `--tokenizer`, `--mask`, and `--max-length` require `--as training`')
  if (format === 'ansi' || format === 'json')
    throw new UsageError(`\`--format ${format}\` requires \`--as training\``)
  return format
}

/** Refuses what only datasets have, for prompts and snapshots. @throws UsageError */
function refuseDatasetOptions({ jsonl, shard, jobs, 'bad-lines': badLines }: RenderValues): void {
  if (jsonl || shard !== undefined || jobs !== undefined || badLines !== 'fail')
    throw new UsageError(
      '`--jsonl`, `--bad-lines`, `--shard`, and `--jobs` cannot be used with cases, `--check`, or `--update`',
    )
}

type RenderValues = Arguments<typeof options>['values']

async function renderDatasets(
  paths: readonly string[],
  values: RenderValues,
  format: 'text' | 'markdown' | 'html',
  console: Console,
): Promise<ExitStatus> {
  const { dialect, debug, 'bad-lines': badLines, jobs } = values
  const crew = new Crew(
    'render',
    {
      badLines,
      shard: shardOf(values.shard),
      read: { dialect, rest: 'source' },
      as: values.as === 'conversation' ? { kind: 'conversation' } : { kind: 'prompt', purpose: values.for },
      format,
      isDebug: debug,
      forPeople: console.isTerminal ? { isColoured: console.isColoured } : undefined,
      dialect,
    },
    { jobs },
  )
  const report = new SampleReport(console, badLines)
  const isFit = console.isTerminal && values.as === 'conversation' && format === 'text'
  const files = sampleFiles(paths, values)
  await runSamples(crew, files, console, report, isFit ? 'fit' : 'json')
  return report.hasFailed ? 2 : 0
}
