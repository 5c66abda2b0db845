/** Which token ends which message (D11): asked by rules and their fixes, by proposals, and by conversions. */
import type { Intent } from '../vocabulary/intents.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import { isCall, type MessageFacts } from './message-facts.ts'

/** What decides how a message ends. */
export interface EndedMessage {
  /** Undefined for an unknown one. */
  readonly role: string | undefined
  /** The effective one: `final` where none is given. */
  readonly channel: string | undefined
  /** True if the assistant addresses a tool. */
  readonly isCall: boolean
  /** How it ends; `none` if it is cut off. */
  readonly terminator: ControlKind
}

/** What `facts` say about how their message ends. */
export function endedMessage(facts: MessageFacts): EndedMessage {
  const { role, channel, terminator } = facts
  return { role, channel, isCall: isCall(facts), terminator }
}

/** The token that usually ends a message: what is inserted where there is none. */
export function usualTerminator({ isCall }: Pick<EndedMessage, 'isCall'>): ControlKind {
  return isCall ? ControlKind.call : ControlKind.end
}

/**
 * The token that is to end a message: its own unless that belongs to another kind of message. One that is cut off stays so,
 * and whether the assistant meant a call where it names nobody, no rule of writing can tell.
 */
export function rightTerminator(message: EndedMessage): ControlKind {
  const { role, isCall, terminator } = message
  switch (terminator) {
    case ControlKind.end:
      return usualTerminator(message)
    case ControlKind.return:
      return isAnswer(message) ? terminator : usualTerminator(message)
    case ControlKind.call:
      return isCall || role === 'assistant' ? terminator : ControlKind.end
    default:
      return terminator
  }
}

/** True for a final answer of the assistant, which may end with the stop of the model. */
export function isAnswer({ role, channel, isCall }: Omit<EndedMessage, 'terminator'>): boolean {
  return role === 'assistant' && channel === 'final' && !isCall
}

/**
 * The token that is to end an answer in a transcript that is for `intent`: only the last one of a training sample ends with
 * the stop, and in stored history, none does. Undefined where both tokens may stand.
 */
export function answerTerminator(intent: Intent | undefined, isLast: boolean): ControlKind | undefined {
  if (intent === 'history') return ControlKind.end
  if (intent !== 'training') return undefined
  return isLast ? ControlKind.return : ControlKind.end
}

/** True for the two tokens of which an answer has either. */
export function endsAnswers(terminator: ControlKind): boolean {
  return terminator === ControlKind.end || terminator === ControlKind.return
}
