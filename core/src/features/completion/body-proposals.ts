/** What may be written in a body once the beginning of a control token is there. */

import { factsOf, isCall, type MessageFacts } from '../../semantics/message-facts.ts'
import { isAnswer, isPrivate } from '../../semantics/message-kind.ts'
import { usualTerminator } from '../../semantics/terminators.ts'
import type { MessageView } from '../../syntax/message-view.ts'
import type { Segment } from '../../syntax/segment.ts'
import { localized } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import { ControlKind, type ControlToken, isTerminator } from '../../vocabulary/tokens.ts'
import type { Proposal } from './proposal.ts'

/** A place in a body. */
export interface BodyPlace {
  readonly segment: Segment
  readonly view: MessageView
  /** The beginning of a token, relative to the segment. */
  readonly typedFrom: number
  readonly range: Range
}

/** The tokens that may be there: terminators if there is none yet, literal blocks, markers of thought. */
export function bodyProposals({ segment, view, typedFrom, range }: BodyPlace): readonly Proposal[] {
  const { framing, text } = segment
  const facts = factsOf(segment)
  if (!facts) return []
  if (framing.hasEscapes && text.charAt(typedFrom - 1) === '<') {
    return framing.tokens.filter(isEscapable).map((token) => tokenProposal(token, range))
  }
  const tokens = framing.tokens.filter((token) => mayStand(token.kind, { facts, view, typedFrom }))
  return sorted(tokens, facts).map((token) => withPartner(tokenProposal(token, range), token, segment))
}

function isEscapable({ kind }: ControlToken): boolean {
  return kind <= ControlKind.endLiteral
}

interface Circumstances {
  readonly facts: MessageFacts
  readonly view: MessageView
  readonly typedFrom: number
}

function mayStand(kind: ControlKind, { facts, view, typedFrom }: Circumstances): boolean {
  if (isTerminator(kind)) {
    if (view.terminator && view.terminator.span.from !== typedFrom) return false
    if (kind === ControlKind.call) return isCall(facts)
    if (kind === ControlKind.return) return isAnswer(facts)
    return true
  }
  switch (kind) {
    case ControlKind.literal:
      return true
    case ControlKind.endLiteral:
      return view.problems.some(
        ({ kind: problem, span }) => problem === 'open-literal' && span.to <= typedFrom,
      )
    case ControlKind.thoughtStart:
    case ControlKind.thoughtEnd:
      return isPrivate(facts) || (facts.role === 'assistant' && view.isPlainBody && !facts.usesVersion2)
    case ControlKind.thoughtFlag:
    case ControlKind.functionList:
      return facts.role === 'system'
    case ControlKind.functionCall:
      return facts.role === 'assistant'
    case ControlKind.functionOutput:
      return facts.role === 'tool'
    default:
      return false
  }
}

/** The likeliest terminator comes first. */
function sorted(tokens: readonly ControlToken[], facts: MessageFacts): readonly ControlToken[] {
  const rank = ({ kind }: ControlToken) => {
    if (kind === ControlKind.endLiteral) return 0
    if (kind === usualTerminator(facts)) return 1
    return isTerminator(kind) ? 2 : 3
  }
  return [...tokens].sort((one, other) => rank(one) - rank(other))
}

/** A control token as a proposal. */
export function tokenProposal(token: ControlToken, range: Range): Proposal {
  return {
    label: token.text,
    kind: 'token',
    detail: localized(token.summary),
    documentation: `${localized(token.documentation)}\n\n*OpenChatML ${token.section}*`,
    range,
    text: token.text,
  }
}

/** What opens something brings what closes it. */
function withPartner(proposal: Proposal, token: ControlToken, { framing }: Segment): Proposal {
  const closer =
    token.kind === ControlKind.literal ? framing.endLiteral : closerOfThought(token, framing.tokens)
  return closer === undefined ? proposal : { ...proposal, snippet: `${token.text}$0${closer}` }
}

function closerOfThought(token: ControlToken, tokens: readonly ControlToken[]): string | undefined {
  if (token.kind !== ControlKind.thoughtStart) return undefined
  const text = token.text.replace('start_', 'end_')
  return tokens.find((it) => it.text === text)?.text
}
