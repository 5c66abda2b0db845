/** `ocm mcp`: the tools for agents, over the Model Context Protocol. */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { AgentToolError, runAgentTool } from '../../../client/agent/agent-tool.ts'
import { agentTools } from '../../../client/agent/agent-tools.ts'
import { defineCommand } from '../command.ts'
import { boundedLines } from '../mcp/bounded-lines.ts'
import { folderFiles } from '../mcp/permitted-files.ts'
import { programVersion } from '../version.ts'

const mostBytes = 10 * 2 ** 20 // of a request

/** The command. */
export const mcpCommand = defineCommand({
  name: 'mcp',
  operands: '[FOLDERS...]',
  description: [
    'Runs a server for agents, which speaks the Model Context Protocol on standard input and output. Its tools check, fix, convert, and render conversations, explain rules, and find samples of datasets.',
    'Tools read and write only files in the folders, by default the current directory. Only tools with hidden_text in their names return text that users of a transcript do not see.',
  ],
  options: {
    'read-only': { kind: 'flag', summary: 'Do not offer tools that change files' },
  },
  examples: [['ocm mcp transcripts', 'what an agent runs']],
  async run({ values, operands }, console) {
    const files = await folderFiles(operands.length > 0 ? operands : ['.'])
    const tools = agentTools.filter(({ isReadOnly }) => isReadOnly || !values['read-only'])
    const { Server, StdioServerTransport, CallToolRequestSchema, ListToolsRequestSchema } = await import(
      '#mcp'
    )
    const server = new Server(
      { name: 'openchatml', version: programVersion() },
      { capabilities: { tools: {} } },
    )
    server.setRequestHandler(ListToolsRequestSchema, async () => ({
      tools: tools.map(({ name, title, description, inputSchema, isReadOnly }) => ({
        name,
        title,
        description,
        inputSchema: {
          ...inputSchema,
          required: [...(inputSchema.required ?? [])],
          additionalProperties: false,
        },
        annotations: { title, readOnlyHint: isReadOnly, destructiveHint: false, openWorldHint: false },
      })),
    }))
    const call = async (name: string, input: Readonly<Record<string, unknown>>) => {
      const tool = tools.find((it) => it.name === name)
      if (!tool) return failed('Unknown tool')
      try {
        const texts = await runAgentTool(tool, input, files)
        return { content: texts.map((text) => ({ type: 'text', text }) as const) }
      } catch (error) {
        if (!(error instanceof AgentToolError)) throw error
        const { failure, message } = error
        if (failure !== undefined) console.complain(`internal problem in the tool ${tool.name}: ${failure}`)
        return failed(message)
      }
    }
    // One after the other: each may hold a large file, and what one writes the next one reads.
    let last: Promise<unknown> = Promise.resolve()
    server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
      const answer = last.then(() =>
        signal.aborted ? failed('The request was canceled') : call(params.name, params.arguments ?? {}),
      )
      last = answer.catch(() => undefined) // reported to the caller
      return answer
    })
    const read = boundedLines(process.stdin, mostBytes, () =>
      console.complain(`a request is longer than ${mostBytes >> 20} MB, and is not read`),
    )
    const input = Readable.from(read)
    const transport = new StdioServerTransport(input, undefined, { maxBufferSize: 2 * mostBytes })
    const closed = new Promise<void>((done, fail) => {
      server.onclose = done
      input.once('end', done)
      // The library reports lines that are not messages, and answers nothing. Its errors quote them.
      transport.onerror = (problem) => {
        const [code, message] =
          problem instanceof SyntaxError ? [-32700, 'Parse error'] : [-32600, 'Invalid Request']
        const answer = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } })
        console.output.writeBytes(Buffer.from(`${answer}\n`)).catch(fail)
      }
    })
    console.output.release()
    await server.connect(transport)
    await closed
    await setImmediate() // the last requests begin
    await last
    await setImmediate() // their answers are written
    await server.close()
    return 0
  },
})

function failed(text: string) {
  return { content: [{ type: 'text', text } as const], isError: true }
}
