/** The control tokens of every dialect, as data with their documentation. No other folder spells one. */

/**
 * What a control token does, whatever its spelling: `<|start|>` and `<|im_start|>` are both a `start`.
 * Small integers, because token runs store millions of them.
 */
export const ControlKind = {
  none: 0,
  start: 1,
  channel: 2,
  message: 3,
  constrain: 4,
  call: 5,
  return: 6,
  end: 7,
  literal: 8,
  endLiteral: 9,
  thoughtStart: 10,
  thoughtEnd: 11,
  thoughtFlag: 12,
  functionList: 13,
  functionCall: 14,
  functionOutput: 15,
  fimPrefix: 16,
  fimMiddle: 17,
  fimSuffix: 18,
  fileSeparator: 19,
  sequenceStart: 20,
  sequenceEnd: 21,
} as const

/** One of {@link ControlKind}. */
export type ControlKind = (typeof ControlKind)[keyof typeof ControlKind]

/** A control token with what a reader wants to know about it. */
export interface ControlToken {
  /** The exact spelling, ASCII. */
  readonly text: string
  readonly kind: ControlKind
  /** One line: what the token does. */
  readonly summary: string
  /** A few sentences of Markdown: where it may be, who sees what follows, what goes wrong. */
  readonly documentation: string
  /** Section of the specification, for example `2.2 §3`. */
  readonly section: string
}

/** True for the tokens that end a message (D11). */
export function isTerminator(kind: ControlKind): boolean {
  return kind === ControlKind.end || kind === ControlKind.call || kind === ControlKind.return
}

/** The nine control tokens of OpenChatML 2.2, in the order of 2.2 §3. */
export const coreTokens: readonly ControlToken[] = [
  {
    text: '<|start|>',
    kind: ControlKind.start,
    summary: 'Opens a message header',
    documentation:
      'The role follows immediately, then attributes such as `to=` and `call_id=`.\nInside a body, it starts a new message only where a known role follows; elsewhere, it is text.',
    section: '2.2 §3',
  },
  {
    text: '<|channel|>',
    kind: ControlKind.channel,
    summary: 'Declares the channel of the message',
    documentation:
      '`analysis`, `commentary`, or `final` follows immediately, without a space.\nA message has exactly one channel; without the token, it is `final`.',
    section: '2.2 §5',
  },
  {
    text: '<|message|>',
    kind: ControlKind.message,
    summary: 'Ends the header and starts the body',
    documentation:
      'Everything up to the terminator is the body, byte for byte.\nA message header that a terminator cuts off before this token is malformed.',
    section: '2.2 §6',
  },
  {
    text: '<|call|>',
    kind: ControlKind.call,
    summary: 'Ends an outgoing tool call',
    documentation:
      'Stops sampling and passes the body to the tool that `to=` names.\nOnly an assistant message with a recipient ends this way.',
    section: '2.2 §8',
  },
  {
    text: '<|constrain|>',
    kind: ControlKind.constrain,
    summary: 'Declares the type that the body must have',
    documentation:
      'A type such as `json` follows immediately, after the channel and before `<|message|>`.\nA body that does not parse as that type is a violation (`E-BODY-CONSTRAINT-VIOLATION`).',
    section: '2.2 §6',
  },
  {
    text: '<|return|>',
    kind: ControlKind.return,
    summary: 'Ends the final answer: sampling is done',
    documentation:
      'The stop token of the final assistant message.\nStored histories may keep it; an export to Harmony writes `<|end|>` for all but the last.',
    section: '2.2 §3',
  },
  {
    text: '<|end|>',
    kind: ControlKind.end,
    summary: 'Closes the message',
    documentation:
      'The ordinary terminator.\nTo write it as text inside a body, double the first `<` (`<<|end|>`) or use a literal block.',
    section: '2.2 §3',
  },
  {
    text: '<|literal|>',
    kind: ControlKind.literal,
    summary: 'Begins a literal block',
    documentation:
      'Everything up to the next `<|endliteral|>` is verbatim text: no control tokens, no escapes, no nesting.\nWithout a later `<|endliteral|>` the token itself is text (`E-LITERAL-UNTERMINATED`).',
    section: '2.2 §3',
  },
  {
    text: '<|endliteral|>',
    kind: ControlKind.endLiteral,
    summary: 'Ends a literal block',
    documentation:
      'The first one after `<|literal|>` closes the block, even after text that looks like further messages.',
    section: '2.2 §3',
  },
]

/** How OpenChatML 2.2 spells the token of `kind`; empty if it has none. */
export function spellingOf(kind: ControlKind): string {
  return coreTokens.find((it) => it.kind === kind)?.text ?? ''
}

/** Markers of private thought (2.2 §7; 0.1 §4). They have no structural effect; what they enclose is never visible. */
export const thoughtTokens: readonly ControlToken[] = [
  thought('<|start_reflect|>', ControlKind.thoughtStart, 'Opens a block of self-critique'),
  thought('<|end_reflect|>', ControlKind.thoughtEnd, 'Closes a block of self-critique'),
  thought('<|start_introspect|>', ControlKind.thoughtStart, 'Opens a block of introspection'),
  thought('<|end_introspect|>', ControlKind.thoughtEnd, 'Closes a block of introspection'),
  thought('<|start_reason|>', ControlKind.thoughtStart, 'Opens a block of step-by-step reasoning'),
  thought('<|end_reason|>', ControlKind.thoughtEnd, 'Closes a block of step-by-step reasoning'),
]

function thought(text: string, kind: ControlKind, summary: string): ControlToken {
  return {
    text,
    kind,
    summary,
    documentation:
      'Belongs only in analysis; the enclosed text is private and never shown to users.\nIn text that users see, it is an error (`E-PERM-VISIBILITY`).',
    section: '2.2 §7',
  }
}
