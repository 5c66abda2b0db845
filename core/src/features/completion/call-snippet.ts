/** The parts of a call that depend on the tools: its recipient and its arguments, as snippets. */

import { argumentsSchema } from '../../embedded/tool-arguments.ts'
import type { Analysis } from '../../semantics/analysis.ts'
import { definitionOf } from '../../semantics/tool-places.ts'
import { choiceSnippet, escapedForSnippet } from '../../text/snippet-text.ts'
import { membersSnippet } from './argument-snippet.ts'
import { knownTools } from './known-names.ts'

/** The name of the tool where none is known. */
export const undeclaredTool = 'functions.name'

/** A tool that a call may name. */
export interface CallPlaces {
  readonly name: string
  /** Its required arguments as a snippet, tab stops counting from 3; empty if there is none. */
  readonly members: string
}

/** The recipient and the body of a call, as snippets; the call id between them is the second tab stop. */
export interface CallSnippet {
  readonly recipient: string
  readonly content: string
}

const toolsAtMost = 30 // of a list inside a snippet

/** The tools that the transcript declares or calls; built-in tools are not among them. */
export function callPlaces(analysis: Analysis, offset: number): readonly CallPlaces[] {
  const { segment } = analysis.transcript.segmentAt(Math.min(offset, analysis.transcript.length))
  const tools = knownTools(analysis, segment).filter(({ isBuiltin }) => !isBuiltin)
  return tools.slice(0, toolsAtMost).map(({ name }) => {
    const definition = definitionOf(analysis, name, segment)?.definition
    const schema = definition && argumentsSchema(definition)
    return { name, members: schema ? membersSnippet(schema, 3) : '' }
  })
}

/** A call of the only tool, or of one that is chosen, then one of each. */
export function callsOf(tools: readonly CallPlaces[]): readonly CallSnippet[] {
  const [first, ...others] = tools
  if (!first) return [{ recipient: `\${1:${undeclaredTool}}`, content: '{$3\\}' }]
  if (others.length === 0) return [callOf(first)]
  const recipient = choiceSnippet(tools.map(({ name }) => name))
  return [{ recipient, content: '{$3\\}' }, ...tools.map(callOf)]
}

function callOf({ name, members }: CallPlaces): CallSnippet {
  const recipient = `\${1:${escapedForSnippet(name)}}`
  return { recipient, content: members === '' ? '{$3\\}' : `{${members}\\}` }
}
