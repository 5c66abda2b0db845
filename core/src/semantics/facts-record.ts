/** The form in which facts are kept: every message of a large document has one, so it is small. */
import { onRelease } from '../text/memo.ts'
import type { Channel } from '../vocabulary/channels.ts'
import type { Role } from '../vocabulary/roles.ts'
import { ControlKind } from '../vocabulary/tokens.ts'

/** The facts that are words, as written; undefined means not present in the text. */
export interface FactWords {
  /** The role; legacy reply roles are `tool`. */
  readonly role: Role | undefined
  readonly roleWord: string | undefined
  /** The effective channel: final where none is given, undefined where it is unknown or empty (D16). */
  readonly channel: Channel | undefined
  /** The recipient, wherever it is. */
  readonly to: string | undefined
  readonly callId: string | undefined
  /** The alias, or the tool's name on a reply. */
  readonly name: string | undefined
  readonly intent: string | undefined
  /** The attribute, or the bare word after the channel (D7). */
  readonly contentType: string | undefined
  /** The value of `<|constrain|>`. */
  readonly constraint: string | undefined
  /** How the message ends; `none` if it does not. */
  readonly terminator: ControlKind
}

/** Facts of one message segment. */
export interface MessageFacts extends FactWords {
  /** False for a header without body: a generation prompt, or a header that the next start token cuts (D16). */
  readonly isMessage: boolean
  /** True for a bare start token and role, which asks for the next message (D18). Only meaningful at the end. */
  readonly isPrompt: boolean
  /** True if the header has `<|channel|>`. */
  readonly hasChannel: boolean
  /** True if a word of the header says otherwise than the parts that count, so that who may see it is in doubt (D16). */
  readonly isDoubtful: boolean
  /** True if there is `to=`, even without a value. */
  readonly hasRecipient: boolean
  /** True if the header is malformed, so that nothing that follows from it is reported as well (D16). */
  readonly isMalformed: boolean
  /** True if the parser recorded problems; the view has them. */
  readonly hasProblems: boolean
  /** True if the body is one piece of text without escapes, literals or markers. */
  readonly isPlainBody: boolean
  /** True if markers of private thought are in the body. */
  readonly hasThoughts: boolean
  /** True if nothing but private blocks and white space is in the body. */
  readonly isPrivateOnly: boolean
  /**
   * True if an assistant message ends in `<|call|>` and what it says begins as arguments of a call do, with a brace.
   * Such a message is a call, also where its header names no recipient.
   */
  readonly isArguments: boolean
  /** True if the header says which problems are not reported, with `allow=`. */
  readonly hasAllow: boolean
  /** True if the message uses what only OpenChatML 2.x has (D2). */
  readonly usesVersion2: boolean
}

/** The yes-or-no facts as bits of one number. */
export const FactFlag = {
  isMessage: 1,
  isPrompt: 2,
  hasChannel: 4,
  isDoubtful: 8,
  hasRecipient: 16,
  isMalformed: 32,
  hasProblems: 64,
  isPlainBody: 128,
  hasThoughts: 256,
  isPrivateOnly: 512,
  usesVersion2: 1024,
  isArguments: 2048,
  hasAllow: 4096,
} as const

/** The words of a header that says nothing. */
export const noWords: FactWords = {
  role: undefined,
  roleWord: undefined,
  channel: undefined,
  to: undefined,
  callId: undefined,
  name: undefined,
  intent: undefined,
  contentType: undefined,
  constraint: undefined,
  terminator: ControlKind.none,
}

const remembered = 64 // a document has a handful of headers, but for the IDs in them
const records: (FactsRecord | undefined)[] = []
onRelease(() => records.splice(0))

/**
 * A record of facts: one that was made before if it is the same, because a large document has many messages with equal headers.
 * Without it, the rows "Memory held" of `npm run bench` are 36 % larger at 10 MB.
 */
export function factsRecord(words: FactWords, flags: number): FactsRecord {
  const lengths =
    lengthOf(words.roleWord) + 2 * lengthOf(words.to) + 3 * lengthOf(words.callId) + 5 * lengthOf(words.name)
  const place = (flags + words.terminator + lengths) % remembered
  const known = records[place]
  if (known && known.flags === flags && isSame(known, words)) return known
  const record = new FactsRecord(words, flags)
  records[place] = record
  return record
}

function lengthOf(word: string | undefined): number {
  return word === undefined ? 0 : word.length
}

function isSame(one: FactWords, other: FactWords): boolean {
  return (
    one.callId === other.callId &&
    one.to === other.to &&
    one.name === other.name &&
    one.role === other.role &&
    one.roleWord === other.roleWord &&
    one.channel === other.channel &&
    one.intent === other.intent &&
    one.contentType === other.contentType &&
    one.constraint === other.constraint &&
    one.terminator === other.terminator
  )
}

/** Facts with their flags packed. */
export class FactsRecord implements MessageFacts {
  readonly role: Role | undefined
  readonly roleWord: string | undefined
  readonly channel: Channel | undefined
  readonly to: string | undefined
  readonly callId: string | undefined
  readonly name: string | undefined
  readonly intent: string | undefined
  readonly contentType: string | undefined
  readonly constraint: string | undefined
  readonly terminator: ControlKind
  readonly flags: number

  constructor(words: FactWords, flags: number) {
    this.role = words.role
    this.roleWord = words.roleWord
    this.channel = words.channel
    this.to = words.to
    this.callId = words.callId
    this.name = words.name
    this.intent = words.intent
    this.contentType = words.contentType
    this.constraint = words.constraint
    this.terminator = words.terminator
    this.flags = flags
  }

  get isMessage(): boolean {
    return (this.flags & FactFlag.isMessage) !== 0
  }
  get isPrompt(): boolean {
    return (this.flags & FactFlag.isPrompt) !== 0
  }
  get hasChannel(): boolean {
    return (this.flags & FactFlag.hasChannel) !== 0
  }
  get isDoubtful(): boolean {
    return (this.flags & FactFlag.isDoubtful) !== 0
  }
  get hasRecipient(): boolean {
    return (this.flags & FactFlag.hasRecipient) !== 0
  }
  get isMalformed(): boolean {
    return (this.flags & FactFlag.isMalformed) !== 0
  }
  get hasProblems(): boolean {
    return (this.flags & FactFlag.hasProblems) !== 0
  }
  get isPlainBody(): boolean {
    return (this.flags & FactFlag.isPlainBody) !== 0
  }
  get hasThoughts(): boolean {
    return (this.flags & FactFlag.hasThoughts) !== 0
  }
  get isPrivateOnly(): boolean {
    return (this.flags & FactFlag.isPrivateOnly) !== 0
  }
  get usesVersion2(): boolean {
    return (this.flags & FactFlag.usesVersion2) !== 0
  }
  get isArguments(): boolean {
    return (this.flags & FactFlag.isArguments) !== 0
  }
  get hasAllow(): boolean {
    return (this.flags & FactFlag.hasAllow) !== 0
  }
}
