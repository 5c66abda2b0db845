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

/** What `check` says about the file that holds `text`; of a dataset, about the first sample. */
async function checked(text: string, path = 'a.jsonl'): Promise<string> {
  const check = agentTools.find(({ name }) => name === 'check')
  assert.ok(check)
  const files = { read: async () => new TextEncoder().encode(text), settingsFor: async () => ({}) }
  const result = await runAgentTool(
    check,
    path === 'a.jsonl' ? { path, sample: 1 } : { path },
    files as unknown as AgentFiles,
  )
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

test('`check` quotes no text outside messages, not even after one that users see', async () => {
  for (const stray of [
    `<|channel|>analysis<|message|>${canary}<|end|>`,
    `analysis<|message|>${canary}<|end|>`,
    `assistant to=${canary}<|message|>x<|end|>`,
    canary,
  ]) {
    for (const before of ['', '<|start|>user<|message|>Hi<|end|>\n', '<|start|>user<|message|>Hi<|end|>']) {
      const text = `version: 2.2\n${before}${stray}\n<|start|>user<|message|>Hi<|end|>\n`
      for (const said of [await checked(text, 'a.ocm'), await checked(JSON.stringify({ text }))]) {
        assert.match(said, /stray-text|"rule"/)
        assert.ok(!said.includes(canary.slice(0, 8)), said)
      }
    }
  }
})

test('a backtick in hidden words does not end what `check` leaves out', async () => {
  const name = `${canary}\`${canary}`
  const tools = `<|start|>developer<|message|># Tools\n\n## functions\n\nnamespace functions {\ntype f = (_: {"${name}"?: string, "${name}"?: string}) => any;\n} // namespace functions<|end|>`
  const call = `<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"x${name}":"1"}<|call|>`
  const said = await checked(`version: 2.2\n${tools}\n${call}\n`, 'a.ocm')
  assert.match(said, /did you mean `…`/)
  assert.ok(!said.includes(canary), said)
})

test('a type that is a list of any depth is none', async () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000)
  for (const item of [`{"type":${deep}}`, `{"role":"user","content":[{"type":${deep}}]}`])
    assert.ok(Array.isArray(JSON.parse(await checked(`{"input":[${item}]}`))))
})
