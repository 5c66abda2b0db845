/** From a call to its reply and back, and from the name of a tool, an argument, or an input to its declaration. */

import type { Analysis } from '../semantics/analysis.ts'
import { argumentAt } from '../semantics/argument-place.ts'
import { callIdAt, callIdIn } from '../semantics/call-id.ts'
import { declaredInputs, type InputPlace, inputPlaceAt } from '../semantics/input-places.ts'
import { factsOf, toolNameOf } from '../semantics/message-facts.ts'
import { rangeIn, tokensTouching } from '../semantics/place.ts'
import { messageView } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Range } from '../text/range.ts'

/** The way to another place. */
export interface Definition {
  /** What leads there. */
  readonly origin: Range
  /** The whole of the other message, or of the declaration. */
  readonly target: Range
  /** What to select in it: the call id, else its head; the name that is declared. */
  readonly selection: Range
}

/**
 * On a call id, the other end of the exchange; on the name of a tool, its declaration, or without one the other end as well.
 * Undefined elsewhere, and where there is nothing to lead to.
 */
export function definition(analysis: Analysis, offset: number): Definition | undefined {
  const input = inputPlaceAt(analysis, offset)
  if (input) return declarationOfInput(analysis, input)
  const callId = callIdAt(analysis, offset)
  if (callId) {
    const { segment, range, whole } = callId
    return partnerOf(analysis, { segment, range: offset < range.start ? whole : range })
  }
  const tool = toolNameAt(analysis, offset)
  if (!tool) return declarationOfArgument(analysis, offset)
  return declarationOf(analysis, tool) ?? partnerOf(analysis, tool)
}

function declarationOfInput(analysis: Analysis, { name, range }: InputPlace): Definition | undefined {
  const declared = declaredInputs(analysis)?.find((it) => it.name === name)?.entry
  if (!declared?.keyRange) return undefined
  const { offset } = analysis.header
  const place = ({ start, end }: Range) => ({ start: offset + start, end: offset + end })
  return { origin: range, target: place(declared.range), selection: place(declared.keyRange) }
}

function declarationOfArgument(analysis: Analysis, offset: number): Definition | undefined {
  const { declared, property, range, isKey } = argumentAt(analysis, offset) ?? {}
  const located = declared && isKey ? analysis.transcript.locate(declared.segment) : undefined
  if (!declared || !property || !range || !located) return undefined
  const place = (inBody: Range) => rangeIn(located, declared.source.spanOf(inBody))
  return { origin: range, target: place(property.range), selection: place(property.nameRange) }
}

interface Origin {
  readonly segment: Segment
  readonly range: Range
}

function partnerOf(analysis: Analysis, origin: Origin): Definition | undefined {
  const partner = analysis.exchanges.exchange(origin.segment)?.partner
  const located = partner && analysis.transcript.locate(partner)
  if (!located) return undefined
  const { segment, start } = located
  const { roleWord, start: startToken, end } = messageView(segment)
  const target = { start, end: start + end }
  const head = { start, end: start + (roleWord?.span.to ?? startToken.to) }
  return { origin: origin.range, target, selection: callIdIn(analysis, segment)?.range ?? head }
}

function declarationOf(analysis: Analysis, origin: Origin): Definition | undefined {
  const facts = factsOf(origin.segment)
  const name = facts && toolNameOf(facts)
  const tool = name === undefined ? undefined : analysis.tools.tool(name, origin.segment)
  const located = tool && analysis.transcript.locate(tool.segment)
  if (!tool || !located) return undefined
  const { definition: declared, source } = tool
  return {
    origin: origin.range,
    target: rangeIn(located, source.spanOf(declared.range)),
    selection: rangeIn(located, source.spanOf(declared.nameRange)),
  }
}

/** The tool's name in the header of a call or reply: the value of `to=` or `name=`, or the role of an older reply. */
function toolNameAt(analysis: Analysis, offset: number): Origin | undefined {
  for (const { segment, start, token } of tokensTouching(analysis, offset)) {
    const facts = factsOf(segment)
    if (!facts) continue
    const { attributes, roleWord } = messageView(segment)
    const words = [roleWord, ...attributes.map(({ value }) => value)]
    const word = words.find((it) => it?.span.from === token.from)
    if (!word || (word.text !== facts.to && word.text !== facts.name)) continue
    return { segment, range: { start: start + word.span.from, end: start + word.span.to } }
  }
  return undefined
}
