/** What goes to a model, and into logs, if a tool for agents fails: nothing of a file. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AgentFiles,
  type AgentTool,
  AgentToolError,
  runAgentTool,
} from '../../client/agent/agent-tool.ts'
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
