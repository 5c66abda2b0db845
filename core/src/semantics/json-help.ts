/** The JSON in a body of which more is known: arguments of a known tool, the envelope of a reply, an answer in a format that is asked for. */
import { argumentsSchema } from '../embedded/tool-arguments.ts'
import type { Schema } from '../embedded/tool-schema.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Analysis } from './analysis.ts'
import type { BodyText } from './body-text.ts'
import { factsOf, isCall } from './message-facts.ts'
import { envelopeIn, envelopeSchema } from './reply-envelope.ts'
import { callAround } from './tool-calls.ts'
import { wholeBody } from './tool-declarations.ts'
import { definitionOf, type KnownTool } from './tool-places.ts'

/** What is known of a JSON text. */
export interface JsonHelp {
  readonly body: BodyText
  /** What the value may be; one of them must hold. */
  readonly schemas: readonly Schema[]
  /** The tool that is called; undefined for replies and answers. */
  readonly tool: KnownTool | undefined
  /** True in 0.1, where the arguments are a member of the text. */
  readonly isWrapped: boolean
}

/** What is known of the JSON around `offset`, which is relative to `segment`; undefined where nothing is. */
export function jsonHelpAt(analysis: Analysis, segment: Segment, offset: number): JsonHelp | undefined {
  const call = callAround(segment, offset)
  if (!call) return replyAt(segment, offset) ?? answerAt(analysis, segment, offset)
  const tool = definitionOf(analysis, call.name, segment)
  const schema = tool && argumentsSchema(tool.definition)
  return schema && { body: call.body, schemas: [schema], tool, isWrapped: call.isWrapped }
}

/** The envelope of a reply. */
function replyAt(segment: Segment, offset: number): JsonHelp | undefined {
  const facts = factsOf(segment)
  const body = facts && envelopeIn(segment, facts)
  if (!body || body.offsetOf(offset) === undefined) return undefined
  return { body, schemas: [envelopeSchema()], tool: undefined, isWrapped: false }
}

/** An answer that is JSON, or is to be, by the formats of the last message that asks for some. */
function answerAt(analysis: Analysis, segment: Segment, offset: number): JsonHelp | undefined {
  if (analysis.tools.isEmpty) return undefined
  const facts = factsOf(segment)
  if (!facts?.isMessage || facts.role !== 'assistant' || facts.channel !== 'final' || isCall(facts)) {
    return undefined
  }
  const formats = analysis.tools.formats(segment)
  const body = formats.length > 0 ? wholeBody(segment, facts) : undefined
  if (!body || body.offsetOf(offset) === undefined) return undefined
  const isMeant = facts.constraint === 'json' && body.text.trim() === ''
  if (!isMeant && !/^\s*[[{]/.test(body.text)) return undefined
  return { body, schemas: formats.map(({ format }) => format.schema), tool: undefined, isWrapped: false }
}

/** The part of `path` after the arguments; undefined outside of them. */
export function pathInside(
  { isWrapped }: JsonHelp,
  path: readonly (string | number)[],
): readonly (string | number)[] | undefined {
  if (!isWrapped) return path
  return path[0] === 'arguments' ? path.slice(1) : undefined
}
