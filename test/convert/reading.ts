/** What a sample is read as, one line for each message. */
import assert from 'node:assert/strict'
import { detectForm, type JsonValue, readJsonConversation } from '../../core/src/index.ts'

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
    lines: conversation.messages.map(({ role, name, channel, to, callId, intent, content }) => {
      const text = content.map((it) => it.text).join('')
      const id = callId === undefined ? '' : `#${callId}`
      if (role === 'tool') return `reply ${name}${id}: ${text}`
      const who = `${role}${name === undefined ? '' : `(${name})`}`
      if (to !== undefined) return `call ${to}${id}: ${text}`
      const on = intent ?? (channel === 'final' ? undefined : channel)
      return `${who}${on === undefined ? '' : `/${on}`}: ${text}`
    }),
    told: losses.map(({ kind }) => kind),
    branches: conversation.branches,
  }
}

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
