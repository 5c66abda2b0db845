/** `ocm lsp`: a language server that an editor can start, and that ends when it is told to. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { environment, program } from './run-ocm.ts'

function message(content: object): string {
  const json = JSON.stringify({ jsonrpc: '2.0', ...content })
  return `Content-Length: ${Buffer.byteLength(json)}\r\n\r\n${json}`
}

for (const args of [['lsp', '--stdio'], ['lsp']]) {
  test(`a session with ocm ${args.join(' ')}`, { timeout: 60_000 }, async (t) => {
    const child = spawn(process.execPath, [program, ...args], { env: environment(), stdio: 'pipe' })
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
    child.stdin.write(message({ id: 2, method: 'shutdown' }))
    const [status] = await once(child, 'close')
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' })
    assert.match(stdout, /^Content-Length: \d+\r\n/)
    assert.match(stdout, /"id":1,"result":\{"capabilities":/)
  })
}
