/** Names that a transcript knows already: its tools and its open calls. */

import type { Analysis } from '../../semantics/analysis.ts'
import { factsOf, toolNameOf } from '../../semantics/message-facts.ts'
import { fullName } from '../../semantics/tool-index.ts'
import type { Segment } from '../../syntax/segment.ts'
import { localize } from '../../text/localize.ts'
import { builtinTools, functionPrefix, isBuiltin } from '../../vocabulary/roles.ts'

/** A call that waits for its reply. */
export interface OpenCall {
  readonly tool: string | undefined
  readonly callId: string | undefined
}

/** A tool that calls may name. */
export interface KnownTool {
  readonly name: string
  /** One line. */
  readonly detail: string
  /** True for a built-in tool that the transcript neither declares nor uses. */
  readonly isBuiltin: boolean
}

const toolsAtMost = 500 // a list that no one reads to its end

/**
 * The tools that calls may name: declared ones, those in use, those that the header lists, then the built-in ones.
 *
 * @param asking the message that is written: what it alone names is not a name yet
 */
export function knownTools(analysis: Analysis, asking: Segment): readonly KnownTool[] {
  const tools = new Map<string, string>()
  for (const { definition } of analysis.tools.tools()) {
    if (tools.size >= toolsAtMost) break
    tools.set(fullName(definition), firstLine(definition.description) || localize`A declared tool`)
  }
  for (const tool of analysis.exchanges.tools()) {
    if (tools.size >= toolsAtMost) break
    const users = analysis.exchanges.withTool(tool)
    if (users.length === 1 && users[0] === asking) continue
    const name = asCalled(tool, analysis.settings.builtinTools)
    if (!tools.has(name)) tools.set(name, localize`In use in this transcript`)
  }
  const known: KnownTool[] = [...tools]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, detail]) => ({ name, detail, isBuiltin: false }))
  const builtins = analysis.settings.builtinTools ?? builtinTools.keys()
  for (const namespace of builtins) {
    const methods = builtinTools.get(namespace) ?? []
    const names = methods.length > 0 ? methods.map((method) => `${namespace}.${method}`) : [namespace]
    const detail = localize`A built-in tool`
    for (const name of names) if (!tools.has(name)) known.push({ name, detail, isBuiltin: true })
  }
  return known
}

/** The index knows tools without the prefix of functions; what has a namespace of its own keeps it. */
function asCalled(tool: string, builtins: ReadonlySet<string> | undefined): string {
  return tool.includes('.') || isBuiltin(tool, builtins) ? tool : `${functionPrefix}${tool}`
}

function firstLine(text: string): string {
  return text.trim().split(/\r\n|\n|\r/, 1)[0] ?? ''
}

const openCallsAtMost = 50

/**
 * The calls before `offset` that no reply answers, the latest first.
 *
 * @param asking the reply that is written, which may be paired with one of them already
 */
export function openCalls(analysis: Analysis, offset: number, asking?: Segment): readonly OpenCall[] {
  const places = []
  const partner = asking && analysis.exchanges.exchange(asking)?.partner
  for (const segment of [...(partner ? [partner] : []), ...analysis.exchanges.unanswered]) {
    const located = analysis.transcript.locate(segment)
    if (located && located.start < offset) places.push(located)
  }
  places.sort((one, other) => other.index - one.index)
  return places.slice(0, openCallsAtMost).flatMap(({ segment }) => {
    const facts = factsOf(segment)
    return facts ? [{ tool: toolNameOf(facts), callId: facts.callId }] : []
  })
}
