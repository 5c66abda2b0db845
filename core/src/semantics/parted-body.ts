/** A body apart from its private blocks: what decides about it, wherever the body is read (D3, D15). */
import { type BodyPiece, isPrivatePiece } from '../syntax/body.ts'
import type { Role } from '../vocabulary/roles.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import type { ContentPart, DecidingFacts } from './message.ts'

/** What a body shows and hides if its message is shown. */
export interface PartedBody {
  readonly shown: readonly ContentPart[]
  /** The private blocks as one text, their markers included. */
  readonly hidden: string
  readonly hasThoughts: boolean
  /** True if there are private blocks, and nothing else but white space. */
  readonly isPrivateOnly: boolean
}

/** The body that consists of `pieces`, in a message of `role`. */
export function partedBody(pieces: readonly BodyPiece[], role: Role | undefined): PartedBody {
  const hidden: string[] = []
  const shown: ContentPart[] = []
  for (const { kind, text } of pieces) {
    if (isPrivatePiece(kind, role)) hidden.push(text)
    else shown.push({ kind: kind === 'literal' ? kind : 'text', text })
  }
  return {
    shown,
    hidden: hidden.join(''),
    hasThoughts: pieces.some(({ kind }) => kind === 'thought'),
    isPrivateOnly: hidden.length > 0 && shown.every(({ text }) => text.trim() === ''),
  }
}

/**
 * True if an assistant message ends in `<|call|>` and what it says begins as the arguments of a call do, with an object (D19).
 * Such a message is a call, also where its header names no recipient.
 */
export function isArguments(
  { role, terminator }: Pick<DecidingFacts, 'role' | 'terminator'>,
  shown: string,
): boolean {
  return role === 'assistant' && terminator === ControlKind.call && beginsAsArguments(shown)
}

/** True if `text`, private blocks left out, begins as the arguments of a call do. */
export function beginsAsArguments(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/** The text of `parts` as one. */
export function textOf({ content }: { readonly content: readonly ContentPart[] }): string {
  return content.length === 1 ? (content[0]?.text ?? '') : content.map(({ text }) => text).join('')
}
