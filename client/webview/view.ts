/** What the list of messages needs of each of them, whatever it looks like. */

/** What a message is to the menus of VS Code: one that users see, a group of *Everything*, or a part of the context. */
export type MenuKind = 'visible' | 'reasoning' | 'instructions' | 'tools' | 'other' | 'context'

/** What VS Code's context menu gets of the message with this id. */
export function menuContext(messageId: string, messageKind: MenuKind): string {
  return JSON.stringify({ webviewSection: 'openchatml.message', messageId, messageKind })
}

/** A message on the page. */
export interface View {
  readonly element: HTMLElement
  /** The parts that stay while others are edited. */
  readonly content: HTMLElement
  readonly id: string
  /** Another object as soon as the message changes. */
  readonly message: object
  /** Who speaks; messages in a row of one speaker share a byline. `undefined` never shares one. */
  readonly speaker: string | undefined
  /** The text as it is copied. */
  readonly text: string
  /** The text that a reader can edit here; absent where only the source can be edited. */
  readonly editableText?: string | undefined
  /** Lines of the text. */
  readonly lines: number
  /** The blocks that know their line, in order. */
  blocks(): HTMLElement[]
  /** Shows the position of the message, and whether it continues the turn of the one before. */
  place(position: number, total: number, isContinued: boolean): void
  /** Marks the message that contains the text cursor. */
  mark(isMarked: boolean): void
}
