/** What a sample is read as, one line for each message. */
import assert from 'node:assert/strict'
import {
  type ConversationMessage,
  ConversionError,
  Document,
  detectForm,
  type JsonValue,
  readJsonConversation,
  readSample,
  sampleProblems,
  sampleTraits,
  transcriptOfConversation,
} from '../../core/src/internal.ts'

/** How a sample is read, in words that tests can compare. */
export interface Read {
  readonly form: string
  readonly lines: readonly string[]
  /** The kinds of what was reported. */
  readonly told: readonly string[]
  readonly branches: readonly string[] | undefined
}

/** Reads `value` as a sample of a dataset. */
export function read(value: unknown, branch?: string): Read {
  const json = JSON.parse(JSON.stringify(value)) as JsonValue
  const { conversation, from, losses } = readJsonConversation(json, { rest: 'source', branch })
  assert.equal(from, detectForm(JSON.stringify(json)))
  return {
    form: from,
    lines: conversation.messages.map(lineOf),
    told: losses.map(({ kind }) => kind),
    branches: conversation.branches,
  }
}

function lineOf({ role, name, channel, to, callId, intent, content }: ConversationMessage): string {
  const text = content.map((it) => it.text).join('')
  const id = callId === undefined ? '' : `#${callId}`
  if (role === 'tool') return `reply ${name}${id}: ${text}`
  const who = `${role}${name === undefined ? '' : `(${name})`}`
  if (to !== undefined) return `call ${to}${id}: ${text}`
  const on = intent ?? (channel === 'final' ? undefined : channel)
  return `${who}${on === undefined ? '' : `/${on}`}: ${text}`
}

/** Reads `value` as a line of a dataset; `told` is what `ocm check` reports of reading, without hints: severity and rule, or why it is refused. */
export function readTold(value: unknown, branch?: string): Read {
  const sample = readSample(new TextEncoder().encode(JSON.stringify(value)), { rest: 'source', branch })
  if (sample.kind === 'bad') return { form: 'broken', lines: [], told: [sample.message], branches: undefined }
  try {
    const reading = sample.read()
    const { from, losses, conversation } = reading
    const { branches, messages } = conversation
    const document = new Document(transcriptOfConversation(reading), { sample: sampleTraits(from) })
    const judged = { from, losses, branches, value: sample.value }
    const problems = [...sampleProblems(judged), ...document.problems().problems]
    return {
      form: from,
      lines: messages.map(lineOf),
      told: problems
        .filter(({ severity, rule }) => severity !== 'hint' && !answerRules.includes(rule))
        .map((it) => `${it.severity} ${it.rule}`),
      branches,
    }
  } catch (error) {
    if (!(error instanceof ConversionError)) throw error
    return { form: 'refused', lines: [], told: [error.message], branches: undefined }
  }
}

/** What is learned from a sample is another question than how it is read. */
const answerRules = ['missing-answer', 'empty-answer']

/** Asserts that `value` is of `form` and read as `lines`, and that nothing else than `told` is reported. */
export function checkRead(
  value: unknown,
  form: string,
  lines: readonly string[],
  told: readonly string[] = [],
): void {
  const actual = read(value)
  assert.deepEqual({ form: actual.form, lines: actual.lines, told: actual.told }, { form, lines, told })
}
