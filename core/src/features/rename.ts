/** Renames a call id in the call and its replies, a tool in its definitions, calls and replies, and an input everywhere. */

import { isReserved } from '../embedded/jinja-scope.ts'
import { quoted } from '../rules/quoted.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { type CallIdPlace, callIdAt, callIdPlaces } from '../semantics/call-id.ts'
import { type InputPlace, inputPlaceAt, inputPlaces } from '../semantics/input-places.ts'
import { isInputName, nameTaken, usesUnknown } from '../semantics/inputs.ts'
import { templateOf } from '../semantics/template-body.ts'
import { fullName } from '../semantics/tool-index.ts'
import {
  definitionOf,
  type ToolPlace,
  toolMessageCount,
  toolPlaceAt,
  toolPlaces,
} from '../semantics/tool-places.ts'
import { localize } from '../text/localize.ts'
import type { Range, TextEdit } from '../text/range.ts'
import { functionPrefix, isBuiltin } from '../vocabulary/roles.ts'

/** Edits, or a sentence that says why there are none. */
export type Renaming =
  | { readonly kind: 'edits'; readonly edits: readonly TextEdit[] }
  | { readonly kind: 'refused'; readonly reason: string }

/**
 * What can be renamed at `offset`: the value of a call id, the name of an input, or the name of a tool that is not built
 * in, with its namespace where the place is in that; undefined elsewhere.
 */
export function renameRange(analysis: Analysis, offset: number): Range | undefined {
  const input = inputPlaceAt(analysis, offset)
  if (input) return input.range
  const callId = renamableCallId(analysis, offset)
  if (callId) return callId.range
  const tool = renamableTool(analysis, offset)
  return tool && (offset < tool.range.start ? tool.whole : tool.range)
}

const messagesAtMost = 20_000 // that are changed at once; a part of them would be worse than none

/** Gives the call id, tool, or input at `offset` the name `name`, wherever it stands. Refused if that is in too many messages. */
export function rename(analysis: Analysis, offset: number, name: string): Renaming {
  const input = inputPlaceAt(analysis, offset)
  if (input) return renameInput(analysis, input, name)
  const callId = renamableCallId(analysis, offset)
  if (callId) return renameCallId(analysis, callId, name)
  const tool = renamableTool(analysis, offset)
  if (tool) return renameTool(analysis, tool, name)
  return { kind: 'refused', reason: localize`There is no call ID, tool, or input here` }
}

/** The name of the attribute stays. */
function renamableCallId(analysis: Analysis, offset: number): CallIdPlace | undefined {
  const callId = callIdAt(analysis, offset)
  return callId && callId.range.start <= offset ? callId : undefined
}

/** Built-in tools keep the names that the models know. */
function renamableTool(analysis: Analysis, offset: number): ToolPlace | undefined {
  const tool = toolPlaceAt(analysis, offset)
  return tool && tool.range.start < tool.range.end && !isBuiltin(tool.name, analysis.settings.builtinTools)
    ? tool
    : undefined
}

function renameTool(analysis: Analysis, tool: ToolPlace, written: string): Renaming {
  const { tools, exchanges, transcript, settings } = analysis
  const definition = definitionOf(analysis, tool.name, tool.segment)?.definition
  const prefix = tool.name.slice(0, tool.name.length - transcript.text(tool.range).length)
  // The namespace stays; who writes it out means the name after it.
  const namespace = definition ? `${definition.namespace}.` : prefix || functionPrefix
  const name = written.startsWith(namespace) ? written.slice(namespace.length) : written
  if (!/^[\w-]+(?:\.[\w-]+)*$/.test(name)) {
    return {
      kind: 'refused',
      reason: localize`The name of a tool may contain only letters, digits, \`_\`, \`-\`, and \`.\``,
    }
  }
  const renamed = definition ? fullName({ namespace: definition.namespace, name }) : prefix + name
  const isOther = tools.keyOf(renamed) !== tools.keyOf(tool.name)
  if (isOther && (tools.definitionsOf(renamed).length > 0 || isBuiltin(renamed, settings.builtinTools))) {
    return { kind: 'refused', reason: localize`Another tool already has this name` }
  }
  if (isOther && exchanges.withTool(renamed).length > 0) {
    return { kind: 'refused', reason: localize`The transcript already calls a tool with this name` }
  }
  if (toolMessageCount(analysis, tool.name) > messagesAtMost) return tooMany()
  const places = toolPlaces(analysis, tool, messagesAtMost)
  return { kind: 'edits', edits: places.map(({ range }) => ({ ...range, text: name })) }
}

function renameCallId(analysis: Analysis, callId: CallIdPlace, id: string): Renaming {
  if (id === '' || /\s/.test(id))
    return { kind: 'refused', reason: localize`A call ID must not be empty or contain whitespace` }
  const token = analysis.transcript.framing.tokens.find(({ text }) => id.includes(text))
  if (token) return { kind: 'refused', reason: localize`A call ID cannot contain ${token.text}` }
  if (id !== callId.id && analysis.exchanges.withId(id).length > 0) {
    return { kind: 'refused', reason: localize`Another call already has this ID` }
  }
  if (analysis.exchanges.withId(callId.id).length > messagesAtMost) return tooMany()
  const places = callIdPlaces(analysis, callId, messagesAtMost)
  return { kind: 'edits', edits: places.map(({ range }) => ({ ...range, text: id })) }
}

function renameInput(analysis: Analysis, input: InputPlace, name: string): Renaming {
  if (!isInputName(name)) {
    const reason = isReserved(name)
      ? localize`${quoted(name)} cannot be used in a template, because it has a meaning in Jinja`
      : localize`The name of an input may contain only letters, digits, and \`_\``
    return { kind: 'refused', reason }
  }
  const templates = analysis.templates
  if (templates?.hasBroken) return { kind: 'refused', reason: usesUnknown(input.name) }
  const users = [...(templates?.users(input.name) ?? [])]
  // A variable of the template would take the place of the input.
  const isTaken = () =>
    analysis.settings.inputs?.includes(name) ||
    (templates?.users(name).size ?? 0) > 0 ||
    users.some((it) => templateOf(it)?.locals.has(name))
  if (name !== input.name && isTaken()) return { kind: 'refused', reason: nameTaken() }
  if (users.length > messagesAtMost) return tooMany()
  const places = inputPlaces(analysis, input, messagesAtMost)
  return { kind: 'edits', edits: places.map(({ range }) => ({ ...range, text: name })) }
}

function tooMany(): Renaming {
  const reason = localize`More than ${messagesAtMost} messages may have this name; replace it with Find and Replace`
  return { kind: 'refused', reason }
}
