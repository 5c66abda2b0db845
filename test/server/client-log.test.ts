/** No log line of the client in VS Code holds a value of a document or of a file, whatever fails. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BaseLanguageClient, ErrorHandler, LanguageClientOptions } from 'vscode-languageclient'
import { ResponseError } from 'vscode-languageserver-protocol/node'
import { countingBy } from '../../client/src/preview/context-token-counts.ts'
import { quietly } from '../../client/src/quiet-client.ts'
import { canary, failures, value } from '../helpers/canary.ts'

/** What the library makes of a message and the data beside it. */
function line(message: string, data: unknown): string {
  if (data === undefined || data === null) return message
  return `${message}\n${data instanceof Error ? data.stack : String(data)}`
}

/** A client that logs as the library does, and the log. */
function loggingClient() {
  const lines: string[] = []
  let handler: ErrorHandler | undefined
  const log = (message: string, data?: unknown) => {
    lines.push(line(message, data))
  }
  const standard: ErrorHandler = {
    error: () => ({ action: 1 }),
    closed: () => ({ action: 1 }),
  }
  const made = {
    debug: log,
    info: log,
    warn: log,
    error: log,
    createDefaultErrorHandler: () => standard,
    isRunning: () => true,
    sendRequest: () => Promise.resolve(),
  } as unknown as BaseLanguageClient
  const client = quietly((_, options: LanguageClientOptions) => {
    handler = options.errorHandler
    return made
  }, 3)(undefined as never, {})
  assert.ok(handler)
  return { client, lines, handler }
}

/** What {@link failures} throw in this engine. */
const errors = failures.flatMap((fail) => {
  try {
    fail()
    return []
  } catch (error) {
    return [error]
  }
})

test('errors are logged by name and place at every level', async () => {
  const { client, lines, handler } = loggingClient()
  for (const error of errors) {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) client[level]('It failed', error)
    const { message } = await handler.error(error as Error, undefined, 1)
    lines.push(message ?? String((error as Error).message)) // as the library does
    client.sendRequest = () => Promise.reject(error)
    assert.equal(await countingBy(client)([value]), undefined)
  }
  assert.ok(errors.length > 5 && lines.length === 6 * errors.length, `${lines.length} lines`)
  assert.deepEqual(
    lines.filter((it) => it.includes(canary)),
    [],
  )
  assert.ok(lines.some((it) => /^It failed\nSyntaxError\n {4}at /.test(it)))
})

test('what the server answers and says is logged as it is', () => {
  const { client, lines } = loggingClient()
  client.error('Request failed', new ResponseError(-32603, 'hover failed; the log of the server tells where'))
  client.warn('A line of the server')
  assert.match(lines[0] ?? '', /hover failed/)
  assert.equal(lines[1], 'A line of the server')
})
