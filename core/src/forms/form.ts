/** What a form of conversations is: how it is recognized, read, and written. */

import type { Conversation } from '../conversation/conversation.ts'
import type { LossList } from '../conversation/loss.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import type { DialectName } from '../vocabulary/framing.ts'
import type { Rest } from './chat/chat-tools.ts'
import type { RenderPurpose } from './harmony/harmony-message.ts'
import type { JsonSample } from './json-sample.ts'
import type { HeaderStyle } from './transcript/header-style.ts'

/** A form: of text, or of JSON. */
export type Form = TextForm | JsonForm

/** A form of that name. */
export type Named<Name extends string> = Form & { readonly name: Name }

/** What all forms have. */
interface NamedForm {
  /** What programs call it, as in `--from NAME`. */
  readonly name: string
  /** True if it says all that a transcript says. Between two such forms, nothing is added (D23). */
  readonly isExact?: boolean
  /** True if messages of the user and of the assistant alternate in it. */
  readonly alternates?: boolean
  /** True if the branches of a sample are answers to one prompt, of which one is better. */
  readonly comparesBranches?: boolean
  /** True if it says how messages end. Samples of other forms are not judged by that (S17). */
  readonly hasEndings?: boolean
  /** The options of writing that it has a use for; it ignores the others. */
  readonly options?: readonly WriteOption[]
}

/** A form whose conversations are text. */
export interface TextForm extends NamedForm {
  readonly holds: 'text'
  /** The dialect that a transcript of its messages is parsed as, if it is always the same one. */
  readonly dialect?: DialectName
  /** How it is recognized: one function for each clue, which gets the text and where it begins after white space. */
  readonly recognizedBy?: Readonly<Record<string, (text: string, start: number) => boolean>>
  /** The conversation in `text`. What it does not say goes to `losses`. @throws ConversionError if `text` is not of the form */
  read?(text: string, context: ReadContext): Conversation
  /** The text of `conversation`. What it does not say goes to `losses`. @throws ConversionError if it can't be written safely */
  write?(conversation: Conversation, context: WriteContext): string
}

/** A form whose conversations are JSON. */
export interface JsonForm extends NamedForm {
  readonly holds: 'json'
  /** True if samples of it are shown and converted, but not edited (F19). */
  readonly isReadOnly?: boolean
  /** True if a file of it is one conversation in JSON lines, read as the list of their values (F22). */
  readonly readsLines?: boolean
  /** How it is recognized: one function for each clue. */
  readonly recognizedBy?: Readonly<Record<string, (sample: JsonSample) => boolean>>
  /** The keys of an object that hold the list of messages or items. */
  readonly lists?: readonly string[]
  /** Other keys of an object that only conversations of this form have. */
  readonly ownKeys?: readonly string[]
  /** Keys of an object whose text is read as a message of its own, besides the list. */
  readonly messageKeys?: readonly string[]
  /** True if one item holds what the assistant thinks, says, and calls in a row. */
  readonly joinsAnswers?: boolean
  /**
   * True if edits of samples are written where the words are, and new messages as those of `messages` or `sharegpt`: the writer
   * knows one branch of an edited sample only.
   */
  readonly editsTurns?: true
  /** The one item that says the same as `items`, which it writes for messages in a row; undefined if there is none. */
  joined?(items: readonly JsonObject[]): JsonObject | undefined
  /** The conversation in `value`. What it does not say goes to `losses`. @throws ConversionError if `value` is not of the form */
  read?(value: JsonValue, context: ReadContext): Conversation
  /** The JSON of `conversation`. What it does not say goes to `losses`. @throws ConversionError if it can't be written safely */
  write?(conversation: Conversation, context: WriteContext): JsonValue
}

/** What a reader is given besides the text or the value. */
export interface ReadContext {
  /** Takes what can't be read. */
  readonly losses: LossList
  /** Where what a transcript can't say stays: in the header of the conversation, or only in the source. */
  readonly rest: Rest
  readonly dialect: DialectName | 'auto'
  /** True to refuse what the reference implementation of the form refuses. */
  readonly isStrict: boolean
  /** Who speaks first in text that begins after its prompt. */
  readonly role: string
  /** The branch to read, of a sample that has several; by default the first one. */
  readonly branch?: string | undefined
  /** True to note where in the value each message comes from. */
  readonly isTraced?: boolean | undefined
}

/** How a conversation is written, besides its form. */
export interface WriteChoices {
  /**
   * What the result is for; by default nothing is changed. Harmony text loses what the reference drops, and ends as that
   * purpose needs; OpenChatML ends so, and its header says what it is for.
   */
  readonly purpose?: RenderPurpose | undefined
  /** For OpenChatML: true to leave out the reasoning of turns that have come to an answer. */
  readonly dropsReasoning?: boolean | undefined
  /** For OpenChatML: how headers of messages are written; by default in the canonical way. */
  readonly headers?: HeaderStyle | undefined
}

/** A choice that not all forms have a use for. */
export type WriteOption = keyof WriteChoices

/** What a writer is given besides the conversation. */
export interface WriteContext extends WriteChoices {
  /** Takes what can't be written. */
  readonly losses: LossList
  /** The form that the conversation was read from. */
  readonly from: Form
  /** All branches of the conversation, if there are several: each with the prompt, the first one first. */
  readonly branches?: readonly Conversation[] | undefined
}

/** What menus, help, and documentation say of a form. */
export interface FormDescription {
  /** What people call it: a proper name, which is not translated. */
  readonly title: string
  /** What it is, for menus: a few words without full stop. `localized` translates it. */
  readonly summary: string
  /** What it is, for the table in the documentation: Markdown without full stop. */
  readonly documentation: string
  /** The language of documents of this form in editors: an identifier of VS Code. */
  readonly language: string
}

/** `form`, a form of the registry, with the types of its name and its clues. */
export function defineForm<const Listed extends Form & FormDescription>(form: Listed): Listed {
  return form
}
