/** `ocm tokens`: how many tokens a conversation has, or which. */
import {
  ConversionError,
  countTokens,
  type Reading,
  type ReadOptions,
  type RenderPurpose,
  readConversation,
  type TextEncoding,
  type TokenCounts,
  tokenIds,
} from '../../../core/src/index.ts'
import { type Arguments, UsageError } from '../arguments.ts'
import { defineCommand, type ExitStatus } from '../command.ts'
import { conversionProblem } from '../dataset/conversion-report.ts'
import { datasetOptions, isDataset, samplesOf } from '../dataset/dataset.ts'
import { dialectOption } from '../dialect-option.ts'
import { FileProblem } from '../files/file-problem.ts'
import { findFiles } from '../files/find-files.ts'
import { readSource } from '../files/read-source.ts'
import type { Console } from '../terminal/console.ts'
import { displayableLine, safeJson } from '../terminal/displayable.ts'

const options = {
  format: {
    kind: 'choice',
    values: ['pretty', 'json'],
    default: 'pretty',
    summary: 'How to report: pretty for people, json for programs, one object for each conversation',
  },
  ids: { kind: 'flag', summary: 'Print the token ids instead: a list for each conversation' },
  for: {
    kind: 'choice',
    values: ['anything', 'training', 'history', 'completion'],
    default: 'anything',
    summary: 'What the tokens are for: as of `ocm convert`',
  },
  from: {
    kind: 'choice',
    values: ['auto', 'ocm', 'json', 'harmony', 'harmony-json', 'messages', 'responses'],
    default: 'auto',
    summary: 'The form of the input; auto recognises it',
  },
  ...datasetOptions,
  dialect: dialectOption,
} as const

/** The command. */
export const tokensCommand = defineCommand({
  name: 'tokens',
  operands: 'PATHS...',
  description: [
    'Counts the tokens of conversations as gpt-oss models see them: as Harmony text in the vocabulary o200k_harmony, special tokens as one each.',
    'A directory is searched for *.ocm. Datasets are read line by line.',
  ],
  options,
  examples: [
    ['ocm tokens chat.ocm', 'count the tokens of each message, role and channel'],
    ['ocm tokens --ids --for completion chat.ocm', 'print what a model is given'],
    ['ocm tokens --format json data.jsonl', 'count every sample of a dataset'],
  ],
  run: async (args, console) => {
    if (args.operands.length === 0) throw new UsageError('Name at least one file or directory, or `-`')
    if (args.values.ids && args.values.format === 'json')
      throw new UsageError('`--ids` prints JSON anyway: it does not go with `--format`')
    const { o200k } = await import('#tokenizer')
    return new TokenRun(args.values, o200k, console).run(args.operands)
  },
})

type TokenValues = Arguments<typeof options>['values']

/** One run: it goes on over files that cannot be read. */
class TokenRun {
  readonly #values: TokenValues
  readonly #encoding: TextEncoding
  readonly #console: Console
  readonly #purpose: RenderPurpose | undefined
  #hasFailed = false
  #nConversations = 0
  #total = 0

  constructor(values: TokenValues, encoding: TextEncoding, console: Console) {
    this.#values = values
    this.#encoding = encoding
    this.#console = console
    this.#purpose = values.for === 'anything' ? undefined : values.for
  }

  async run(paths: readonly string[]): Promise<ExitStatus> {
    for await (const found of findFiles(paths)) {
      if (found.kind === 'problem') this.#complain(found.problem.message)
      else if (found.kind === 'nothing')
        this.#console.complain(`${found.path}: no *.ocm file in this directory`)
      else await this.#countFile(found.path)
    }
    const { format, ids } = this.#values
    if (this.#nConversations > 1 && format === 'pretty' && !ids) {
      await this.#console.output.write(`${this.#total} tokens in ${this.#nConversations} conversations\n`)
    }
    return this.#hasFailed ? 2 : 0
  }

  async #countFile(path: string): Promise<void> {
    try {
      if (isDataset(path, this.#values)) await this.#countDataset(path)
      else {
        const source = await readSource(path, this.#console.input)
        try {
          await this.#print(source.path, undefined, readConversation(source.text, this.#readOptions))
        } catch (error) {
          throw conversionProblem(source.path, error, source.text)
        }
      }
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error
      this.#complain(error.message)
    }
  }

  get #readOptions(): ReadOptions {
    return { from: this.#values.from, dialect: this.#values.dialect }
  }

  async #countDataset(path: string): Promise<void> {
    const shown = path === '-' ? '<stdin>' : path
    for await (const sample of samplesOf(path, this.#readOptions, this.#console)) {
      let problem = 'problem' in sample ? sample.problem : undefined
      if ('reading' in sample) {
        try {
          await this.#print(shown, sample.number, sample.reading)
        } catch (error) {
          if (!(error instanceof ConversionError)) throw error
          problem = error.message
        }
      }
      if (problem === undefined) continue
      this.#console.complain(`${shown}:${sample.number}: ${problem}`)
      if (this.#values['bad-lines'] !== 'skip') this.#hasFailed = true
      if (this.#values['bad-lines'] === 'stop') return
    }
  }

  async #print(path: string, line: number | undefined, { conversation }: Reading): Promise<void> {
    const { output } = this.#console
    if (this.#values.ids) {
      await output.write(`${JSON.stringify(tokenIds(conversation, this.#encoding, this.#purpose))}\n`)
      return
    }
    const counts = countTokens(conversation, this.#encoding, this.#purpose)
    this.#nConversations++
    this.#total += counts.total
    if (this.#values.format === 'json') await output.write(jsonOf(path, line, counts))
    else if (line === undefined) await output.writeAll(tableOf(path, counts))
    else await output.write(`${displayableLine(path)}:${line}: ${counts.total} tokens\n`)
  }

  #complain(message: string): void {
    this.#hasFailed = true
    this.#console.complain(message)
  }
}

function jsonOf(path: string, line: number | undefined, counts: TokenCounts): string {
  const { total, byRole, byChannel, messages } = counts
  const object = {
    path,
    ...(line !== undefined && { line }),
    total,
    roles: byRole,
    channels: byChannel,
    messages: messages.map(({ role, channel, count, bodyCount }) => ({
      role,
      channel: channel ?? null,
      tokens: count,
      body: bodyCount,
    })),
  }
  return `${safeJson(JSON.stringify(object))}\n`
}

function* tableOf(
  path: string,
  { total, messages, byRole, byChannel }: TokenCounts,
): IterableIterator<string> {
  const width = Math.max(6, String(total).length)
  const row = (count: number, what: string) => `${String(count).padStart(width)}  ${displayableLine(what)}\n`
  yield `${displayableLine(path)}\n`
  for (const { role, channel, count } of messages)
    yield row(count, channel === undefined ? role : `${role} ${channel}`)
  yield '\n'
  for (const [role, count] of Object.entries(byRole)) yield row(count, `role ${role}`)
  for (const [channel, count] of Object.entries(byChannel)) {
    yield row(count, channel === 'none' ? 'no channel' : `channel ${channel}`)
  }
  yield row(total, 'total')
}
