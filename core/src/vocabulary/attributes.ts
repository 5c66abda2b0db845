/** The attributes of message headers and their values (2.2 §6, D6, D25). */

/** The name of a known attribute. */
export type AttributeName = 'to' | 'call_id' | 'name' | 'intent' | 'content_type' | 'allow'

/** An attribute with what a reader wants to know about it. */
export interface AttributeWord {
  readonly name: AttributeName
  readonly summary: string
  readonly documentation: string
  /** True if it may also be after the channel; elsewhere its place is the start of the header (D6). */
  readonly mayFollowChannel: boolean
  readonly section: string
}

/** The attributes in their canonical order (2.2 §6). */
export const attributes: readonly AttributeWord[] = [
  {
    name: 'to',
    summary: 'The recipient',
    documentation:
      'Names the tool that an assistant message calls (`functions.NAME`, `browser.search`, `python`), or `assistant` on a reply.\nA message with a tool as recipient is a call and never shown to users.',
    mayFollowChannel: true,
    section: '2.2 §6',
  },
  {
    name: 'call_id',
    summary: 'The identifier that links a call and its reply',
    documentation: 'Unique in the transcript.\nIt is in the header of the call, and the reply repeats it.',
    mayFollowChannel: false,
    section: '2.2 §8.1',
  },
  {
    name: 'name',
    summary: "A display name; on `tool`, the tool's name",
    documentation:
      "Required on a `tool` message, where it is the tool's name.\nElsewhere, an alias for display.",
    mayFollowChannel: false,
    section: '2.2 §6',
  },
  {
    name: 'intent',
    summary: 'What a commentary message is for',
    documentation:
      '`preamble` makes a commentary message of the assistant visible to users; `status` and `debug` do not.',
    mayFollowChannel: true,
    section: '2.2 §6',
  },
  {
    name: 'content_type',
    summary: 'A hint about the type of the body',
    documentation:
      'For example `json`, `text`, or `markdown`.\nThis is only a hint: only `<|constrain|>` is enforced.',
    mayFollowChannel: true,
    section: '2.2 §6',
  },
  {
    name: 'allow',
    summary: 'Rules that do not report problems in this message',
    documentation:
      'Names of rules or codes, separated by commas, then a colon and the reason, with `_` for spaces: `allow=token-in-body:quotes_the_log`.\nOther readers ignore it, as they ignore every unknown attribute.',
    mayFollowChannel: false,
    section: '2.2 §6, D6',
  },
]

/** Their names in that order. */
export const attributeOrder: readonly AttributeName[] = attributes.map(({ name }) => name)

/** The order in replies of tools, as the specification writes them (2.2 §8.2). */
export const replyAttributeOrder: readonly AttributeName[] = [
  'name',
  'call_id',
  'to',
  'intent',
  'content_type',
  'allow',
]

const attributeByName: ReadonlyMap<string, AttributeWord> = new Map(attributes.map((it) => [it.name, it]))

/** The known attribute called `name`, or undefined. */
export function attributeOf(name: string): AttributeWord | undefined {
  return attributeByName.get(name)
}

/** Known values of `intent=` (D6) with their meaning. */
export const intents: readonly { readonly name: string; readonly summary: string }[] = [
  { name: 'preamble', summary: 'A plan or announcement that users see before the answer' },
  { name: 'status', summary: 'A status line; not displayed' },
  { name: 'debug', summary: 'Debug output; not displayed' },
]

/** The intent that makes commentary visible (2.2 §5). */
export const preambleIntent = 'preamble'

/** Known types of `<|constrain|>` and `content_type=` (D7). */
export const contentTypes: readonly { readonly name: string; readonly summary: string }[] = [
  { name: 'json', summary: 'One JSON value; checked when constrained' },
  { name: 'text', summary: 'Plain text' },
  { name: 'markdown', summary: 'Markdown' },
  { name: 'code', summary: 'Source code' },
  { name: 'python', summary: 'Python source code' },
  { name: 'yaml', summary: 'One YAML document; checked when constrained' },
]

/** True for a known content type; anything with a `/` is taken as a media type (D7). */
export function isContentType(word: string): boolean {
  return word.includes('/') || contentTypes.some(({ name }) => name === word)
}

/** Harmony's recipient of what is for everyone, which it does not write. */
export const everyone = 'all'

/** Recipients that are not tools: every role, and Harmony's `all`. */
const personRecipients: ReadonlySet<string> = new Set([
  'system',
  'developer',
  'user',
  'assistant',
  'tool',
  everyone,
])

/** True if a message to `recipient` goes to a tool, which makes it a call when the assistant writes it. */
export function isToolRecipient(recipient: string): boolean {
  return !personRecipients.has(recipient)
}
