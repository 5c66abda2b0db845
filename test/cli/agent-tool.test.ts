/** What goes to a model, and into logs, if a tool for agents fails: nothing of a file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AgentFiles,
  type AgentTool,
  AgentToolError,
  runAgentTool,
} from '../../client/agent/agent-tool.ts'
import { agentTools } from '../../client/agent/agent-tools.ts'
import { canary, failures } from '../helpers/canary.ts'

test('a tool that fails quotes nothing of a file, whatever fails', async () => {
  for (const fail of failures) {
    const tool = {
      name: 'check',
      inputSchema: { type: 'object', properties: {} },
      run: () => {
        fail()
        throw new AgentToolError('This engine does not mind') // such an engine has nothing to quote
      },
    } as unknown as AgentTool
    await assert.rejects(runAgentTool(tool, {}, {} as AgentFiles), (error) => {
      assert.ok(error instanceof AgentToolError)
      assert.ok(!`${error.stack}\n${JSON.stringify(error)}\n${error.failure}`.includes(canary), error.stack)
      return true
    })
  }
})

/** What `check` says about the first sample of a file that holds `text`. */
async function checked(text: string): Promise<string> {
  const check = agentTools.find(({ name }) => name === 'check')
  assert.ok(check)
  const files = { read: async () => new TextEncoder().encode(text), settingsFor: async () => ({}) }
  const result = await runAgentTool(check, { path: 'a.jsonl', sample: 1 }, files as unknown as AgentFiles)
  return result.join('')
}

test('`check` quotes no type of content from messages that users do not see', async () => {
  const hidden = { type: canary, text: 'x' }
  const result = { type: 'tool_result', tool_use_id: 'c', content: [hidden] }
  for (const sample of [
    { messages: [{ role: 'system', content: [hidden] }] },
    { messages: [{ role: 'user', content: [result] }] },
  ]) {
    const said = await checked(JSON.stringify(sample))
    assert.match(said, /of the type `…`/)
    assert.ok(!said.includes(canary), said)
  }
})

test('a type that is a list of any depth is none', async () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  for (const item of [`{"type":${deep}}`, `{"role":"user","content":[{"type":${deep}}]}`])
    assert.ok(Array.isArray(JSON.parse(await checked(`{"input":[${item}]}`))))
})
