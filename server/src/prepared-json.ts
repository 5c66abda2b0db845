/** Answers whose JSON is known, so that nothing has to be made of their objects on the way to the client. */
import type { Message } from 'vscode-languageserver'

/** JSON that is written already, of which the larger part is bytes. */
export interface PreparedJson {
  readonly before: string
  /** In UTF-8. */
  readonly bytes: Uint8Array
  readonly after: string
}

// Known by name, because what answers and what writes are bundles of their own.
const key = Symbol.for('openchatml.json')

/** `value`, of which `json` is the JSON; a transport that takes objects sends `value`. */
export function withJson<Value extends object>(value: Value, json: PreparedJson): Value {
  return Object.defineProperty(value, key, { value: json })
}

/** A message whose result or parameters are written already; undefined for any other. */
export function preparedMessage(message: Message): PreparedJson | undefined {
  const { result, params, ...rest } = message as Message & {
    readonly result?: unknown
    readonly params?: unknown
  }
  const answer = preparedJson(result)
  const json = answer ?? preparedJson(params)
  if (!json) return undefined
  const member = answer ? 'result' : 'params'
  const before = `${JSON.stringify(rest).slice(0, -1)},"${member}":${json.before}`
  return { before, bytes: json.bytes, after: `${json.after}}` }
}

function preparedJson(value: unknown): PreparedJson | undefined {
  if (typeof value !== 'object' || value === null || !(key in value)) return undefined
  return value[key] as PreparedJson // no other code knows the key
}
