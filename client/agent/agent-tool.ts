/** What a tool for agents is: the same in VS Code and on the command line, which give it files. */
import { failureText, type PathSettings } from '../../core/src/internal.ts'

/** JSON Schema of the input of a tool, as far as the tools need it. */
export interface InputSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, InputProperty>>
  readonly required?: readonly string[]
}

/** A property of an input. */
export interface InputProperty {
  readonly type: 'string' | 'integer'
  readonly description: string
  readonly enum?: readonly string[]
  readonly minimum?: number
  readonly maximum?: number
}

/** The input of a tool: values that its schema names, checked. */
export type AgentInput = Readonly<Record<string, string | number | undefined>>

/** Files that an agent may use. A path that leads out of the folders of the user is refused. */
export interface AgentFiles {
  /** The bytes of a regular file. @throws AgentToolError if there is none, or it may not be read */
  read(path: string, mostBytes: number): Promise<Uint8Array>
  /** Writes `text` to the file, if it still has the bytes `before`. @throws AgentToolError */
  replace(path: string, before: Uint8Array, text: string): Promise<void>
  /** What the project sets for the file. @throws AgentToolError if that is known to have errors */
  settingsFor(path: string): Promise<PathSettings>
}

/** A tool. */
export interface AgentTool {
  /** `check`; a tool whose result has text that users of a transcript do not see has `hidden_text` in its name. */
  readonly name: string
  /** For people: `Check a transcript`. */
  readonly title: string
  /** For models: what it returns, and when to use it. */
  readonly description: string
  readonly inputSchema: InputSchema
  /** False if it changes files. */
  readonly isReadOnly: boolean
  /** The result, in one or more texts. @throws AgentToolError for a reason that the model can act on */
  run(input: AgentInput, files: AgentFiles): Promise<readonly string[]>
}

/** Why a tool has no result; the message is for the model, and quotes nothing of a file. */
export class AgentToolError extends Error {
  override readonly name = 'AgentToolError'
  /** Where the program failed, for a log, if that is why; it quotes nothing either. */
  readonly failure: string | undefined

  constructor(message: string, failure?: string) {
    super(message)
    this.failure = failure
  }
}

/** Runs `tool` with an input that may be anything. @throws AgentToolError */
export async function runAgentTool(
  tool: AgentTool,
  input: unknown,
  files: AgentFiles,
): Promise<readonly string[]> {
  const result = await resultOf(tool, checkedInput(tool, input), files)
  const length = result.reduce((sum, it) => sum + it.length, 0)
  if (length <= longestResult) return result
  throw new AgentToolError(
    `The result has ${length} characters, and at most ${longestResult} are returned; ask for less, or use the command line \`ocm\``,
  )
}

async function resultOf(tool: AgentTool, input: AgentInput, files: AgentFiles): Promise<readonly string[]> {
  try {
    return await tool.run(input, files)
  } catch (error) {
    // Engines put values into messages, and what a tool throws goes to the model and into logs.
    throw error instanceof AgentToolError ? error : new AgentToolError('Internal problem', failureText(error))
  }
}

const longestResult = 200_000 // about 50,000 tokens: more does not help a model

function checkedInput({ inputSchema }: AgentTool, input: unknown): AgentInput {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new AgentToolError('The input must be an object')
  const { properties, required = [] } = inputSchema
  const values: Record<string, string | number> = {}
  for (const [name, value] of Object.entries(input)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (!property) throw new AgentToolError(`Unknown input; expected ${Object.keys(properties).join(', ')}`)
    if (value !== undefined && value !== null) values[name] = checkedValue(name, property, value)
  }
  const missing = required.find((it) => values[it] === undefined)
  if (missing !== undefined) throw new AgentToolError(`\`${missing}\` is missing`)
  return values
}

function checkedValue(name: string, property: InputProperty, value: unknown): string | number {
  const { type, minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = property
  if (type === 'string' && typeof value === 'string') {
    if (property.enum && !property.enum.includes(value))
      throw new AgentToolError(`\`${name}\` must be one of ${property.enum.join(', ')}`)
    return value
  }
  if (type === 'integer' && Number.isInteger(value)) {
    const number = value as number
    if (minimum <= number && number <= maximum) return number
    throw new AgentToolError(`\`${name}\` must be from ${minimum} to ${maximum}`)
  }
  throw new AgentToolError(`\`${name}\` must be ${type === 'string' ? 'a string' : 'a whole number'}`)
}
