/**
 * The control grammar of all dialects (2.2 §6, 0.1 §3): in which state a text can be, and what a control token does there.
 * Splitting, tokenizing and streaming follow this one table. Which tokens there are, the framing of a dialect says.
 */
import { ControlKind } from '../vocabulary/tokens.ts'

/** Where in the text a token is. Literal blocks are not a state: only their end counts, and it is searched for (D9). */
export const State = {
  /** Between messages: white space and stray text. */
  gap: 0,
  /** In a message header, up to the message token or, in 0.1, the end of the line. */
  header: 1,
  /** In the body of a message. */
  body: 2,
  /** In a file of a sequence (0.1 §7). */
  file: 3,
  /** In a fill-in-the-middle task that has its prefix (0.1 §6). */
  task: 4,
  /** In one that begins otherwise, so that its prefix is still to come. */
  taskStart: 5,
} as const

/** One of {@link State}. */
export type State = (typeof State)[keyof typeof State]

/** What a control token does. */
export const Effect = {
  /** Nothing: it is text, or stray. */
  none: 0,
  /** It begins a segment. */
  open: 1,
  /** It begins a segment if a known role follows (D10). */
  openBeforeRole: 2,
  /** It names a part of the message header: the channel or the constraint. */
  part: 3,
  /** It ends the message header, and the body begins. */
  beginBody: 4,
  /** It ends the message; in a header, it cuts it (D16). */
  end: 5,
  /** It begins a literal block, if something ends it (D9). */
  literal: 6,
  /** It ends a literal block, or would end one. */
  endLiteral: 7,
  /** The prefix of a task. */
  prefix: 8,
} as const

/** One of {@link Effect}. */
export type Effect = (typeof Effect)[keyof typeof Effect]

const effects = tableOf([
  [ControlKind.start, Effect.open, [State.gap, State.header]],
  [ControlKind.start, Effect.openBeforeRole, [State.body, State.file, State.task, State.taskStart]],
  [ControlKind.channel, Effect.part, [State.header]],
  [ControlKind.constrain, Effect.part, [State.header]],
  [ControlKind.message, Effect.beginBody, [State.header]],
  [ControlKind.end, Effect.end, [State.header, State.body]],
  [ControlKind.call, Effect.end, [State.header, State.body]],
  [ControlKind.return, Effect.end, [State.header, State.body]],
  [ControlKind.literal, Effect.literal, [State.body]],
  [ControlKind.endLiteral, Effect.endLiteral, [State.gap, State.header, State.body]],
  [ControlKind.fileSeparator, Effect.open, [State.gap, State.file, State.task, State.taskStart]],
  [ControlKind.fimPrefix, Effect.open, [State.gap, State.task]],
  [ControlKind.fimPrefix, Effect.prefix, [State.taskStart]],
  [ControlKind.fimMiddle, Effect.open, [State.gap]],
  [ControlKind.fimSuffix, Effect.open, [State.gap]],
])

type Row = readonly [ControlKind, Effect, readonly State[]]

function tableOf(rows: readonly Row[]): Uint8Array {
  const table = new Uint8Array(Object.keys(State).length << 5) // there are fewer than 32 kinds of control tokens
  for (const [kind, effect, states] of rows) for (const state of states) table[(state << 5) | kind] = effect
  return table
}

/** What a control token of `kind` does in `state`. */
export function effectOf(state: State, kind: ControlKind): Effect {
  return effects[(state << 5) | kind] as Effect
}

/** The state after the token of `kind` that begins a segment. */
export function stateBehind(kind: ControlKind): State {
  if (kind === ControlKind.start) return State.header
  if (kind === ControlKind.fileSeparator) return State.file
  return kind === ControlKind.fimPrefix ? State.task : State.taskStart
}

/** True where a segment that ends in `state` breaks off. */
export function isOpenState(state: State): boolean {
  return state !== State.gap && state !== State.header
}

/** True for the tokens that can be escaped (D8): markers of thoughts, functions and sequences have no effect in a body. */
export function isStructural(kind: ControlKind): boolean {
  return kind <= ControlKind.endLiteral
}
