/** A conversation outside of the editor, as data: what the files that are exported are made of. */
import type { VisibleMessage } from '../../core/src/internal.ts'
import { localize } from './page-texts.ts'

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
  /** The language that {@link localize} speaks; default `en`. */
  readonly language?: string
  /** False for TeX as it is written; default true. */
  readonly hasMath?: boolean
}

/** What the debug variant says of itself. */
export function debugNotice(): string {
  return localize`Debug view: messages that are marked as hidden are not shown to users.`
}

/** Who speaks, for people: `Ada (user)`, `Assistant`. */
export function speakerOf({ role, name }: VisibleMessage): string {
  if (name === undefined) return role === 'user' ? localize`User` : localize`Assistant`
  return role === 'user' ? localize`${name} (user)` : localize`${name} (assistant)`
}

/** What there is to say about a message: that it is a preamble, or has not ended. */
export function remarksOf({ intent, truncated }: VisibleMessage): readonly string[] {
  return [...(intent === undefined ? [] : [localize`preamble`]), ...(truncated ? [localize`cut off`] : [])]
}

/** What there is to say about a hidden message. */
export function hiddenRemark({ reason }: HiddenItem): string {
  return localize`hidden: ${reason}`
}
