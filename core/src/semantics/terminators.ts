/** Which token ends which message (D11): asked by rules and their fixes, by proposals, and by conversions. */
import type { Intent } from '../vocabulary/intents.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import type { DecidingFacts, Ending } from './message.ts'
import { type Addressed, isCall } from './message-facts.ts'
import { isAnswer, type KindFacts } from './message-kind.ts'

/** What decides how a message ends. */
export type EndedMessage = KindFacts & Pick<DecidingFacts, 'terminator'>

/** The token that usually ends a message: what is inserted where there is none. */
export function usualTerminator(message: Addressed): ControlKind {
  return isCall(message) ? ControlKind.call : ControlKind.end
}

/**
 * The token that is to end a message: its own unless that belongs to another kind of message. One that is cut off stays so,
 * and whether the assistant meant a call where it has no recipient is not decided here.
 */
export function rightTerminator(message: EndedMessage): ControlKind {
  const { role, terminator } = message
  switch (terminator) {
    case ControlKind.end:
      return usualTerminator(message)
    case ControlKind.return:
      return isAnswer(message) ? terminator : usualTerminator(message)
    case ControlKind.call:
      return role === 'assistant' ? terminator : ControlKind.end
    default:
      return terminator
  }
}

/**
 * The token that is to end an answer in a transcript that is for `intent`: only the last one of a training sample ends with
 * the stop, and in stored history, none does. Undefined where both tokens may be.
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

/** The ending that `kind` is; undefined for another token. */
export function endingOf(kind: ControlKind | undefined): Ending | undefined {
  if (kind === ControlKind.end) return 'end'
  if (kind === ControlKind.call) return 'call'
  return kind === ControlKind.return ? 'return' : undefined
}
