/** Arguments of calls in two forms. */
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import type { DatasetRule } from '../rule.ts'

/** A column has one type (S16). */
export const mixedArguments: DatasetRule = {
  name: 'mixed-arguments',
  code: 'W-DATA-ARGUMENT-FORM',
  severity: 'warning',
  scope: 'dataset',
  group: 'data',
  section: '2.2 §10, F5, S16',
  summary: 'Some samples have arguments of calls as text, and some as objects',
  why: 'Libraries that load the file infer one type for the column, and fail or turn objects into text.\nChat templates then write some arguments with quotes around them.',
  bad: example`
    {"messages": [{"role": "user", "content": "Weather in Oslo?"}, {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "weather", "arguments": "{\"city\": \"Oslo\"}"}}]}]}
    {"messages": [{"role": "user", "content": "Weather in Bergen?"}, {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "weather", "arguments": {"city": "Bergen"}}}]}]}
  `,
  good: example`
    {"messages": [{"role": "user", "content": "Weather in Oslo?"}, {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "weather", "arguments": {"city": "Oslo"}}}]}]}
    {"messages": [{"role": "user", "content": "Weather in Bergen?"}, {"role": "assistant", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "weather", "arguments": {"city": "Bergen"}}}]}]}
  `,
  check({ textArguments: text, objectArguments: object }) {
    if (text.count === 0 || object.count === 0) return undefined
    const [nText, nObject] = [text.count.toLocaleString('en'), object.count.toLocaleString('en')]
    return localize`Samples have arguments as text (${nText}: ${text.examples.join(', ')}) and as objects (${nObject}: ${object.examples.join(', ')})`
  },
  compared: ({ textArguments }) => textArguments,
}
