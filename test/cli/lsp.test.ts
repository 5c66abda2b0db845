/** `ocm lsp`: a language server that an editor can start, and that ends when it is told to. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { environment, noise, program } from './run-ocm.ts'

function message(content: object): string {
  const json = JSON.stringify({ jsonrpc: '2.0', ...content })
  return `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
}

/** Fails if there is anything but messages in `output`. */
function assertMessages(output: string): void {
  let rest = output
  while (rest !== '') {
    const [head, length] = /^Content-Length: (\d+)\r\n\r\n/.exec(rest) ?? []
    assert.ok(head, rest.slice(0, 200))
    const end = head.length + Number(length)
    JSON.parse(rest.slice(head.length, end))
    rest = rest.slice(end)
  }
}

for (const [args, isNoisy] of [
  [['lsp', '--stdio'], false],
  [['lsp'], false],
  [['lsp'], true],
] as const) {
  const beside = isNoisy ? ' beside libraries that print' : ''
  test(`a session with ocm ${args.join(' ')}${beside}`, { timeout: 60_000 }, async (t) => {
    const env = environment(isNoisy ? noise(t) : {})
    const child = spawn(process.execPath, [program, ...args], { env, stdio: 'pipe' })
    t.after(() => child.kill())
    let stdout = ''
    let stderr = ''
    child.stderr.on('data', (chunk) => {
      stderr += String(chunk)
    })
    child.stdout.on('data', (chunk) => {
      const hadShutDown = stdout.includes('"id":2')
      stdout += String(chunk)
      if (!hadShutDown && stdout.includes('"id":2')) child.stdin.write(message({ method: 'exit' }))
    })
    const params = { processId: null, rootUri: null, capabilities: {} }
    child.stdin.write(message({ id: 1, method: 'initialize', params }))
    child.stdin.write(message({ method: 'initialized', params: {} }))
    child.stdin.write(message({ id: 3, method: 'textDocument/hover', params: [] }))
    child.stdin.write(message({ id: 2, method: 'shutdown' }))
    const [status] = await once(child, 'close')
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
    assertMessages(stdout)
    assert.match(stdout, /"id":1,"result":\{"capabilities":/)
    assert.match(stdout, /"id":3,"error":\{"code":-32602,/) // parameters in a list
  })
}
