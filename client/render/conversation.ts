/** A conversation outside of the editor, as data: what the files that are exported are made of. */
import type { VisibleMessage } from '../../core/src/index.ts'

/** A message that users see. */
export interface SeenItem {
  readonly kind: 'seen'
  readonly message: VisibleMessage
}

/** A message that users do not see; only in the debug variant. */
export interface HiddenItem {
  readonly kind: 'hidden'
  /** The role, and what else the header says. */
  readonly label: string
  /** Why users do not see it; the end of a sentence. */
  readonly reason: string
  readonly text: string
}

/** A message of a file. */
export type ConversationItem = SeenItem | HiddenItem

/** What a file is called, and whether it has hidden messages. */
export interface DocumentOptions {
  readonly title: string
  /** True for the debug variant: the file says above everything else that it shows what is hidden. */
  readonly isDebug: boolean
  /** False for TeX as it is written; default true. */
  readonly hasMath?: boolean
}

/** What the debug variant says of itself. */
export const debugNotice = 'Debug view: messages that are marked as hidden are not shown to users.'

/** Who speaks, for people: `Ada (user)`, `Assistant`. */
export function speakerOf({ role, name }: VisibleMessage): string {
  const speaker = role === 'user' ? 'User' : 'Assistant'
  return name === undefined ? speaker : `${name} (${speaker.toLowerCase()})`
}

/** What there is to say about a message: that it is a preamble, or has not ended. */
export function remarksOf({ intent, truncated }: VisibleMessage): readonly string[] {
  return [...(intent === undefined ? [] : ['preamble']), ...(truncated ? ['still streaming'] : [])]
}
