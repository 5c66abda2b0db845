/** Places in message headers, and the edits that rules make there. Everything is relative to the segment. */
import type { AttributeView, MessageView } from '../syntax/message-view.ts'
import { isBlank } from '../syntax/role-word.ts'
import type { Segment } from '../syntax/segment.ts'
import { TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import { perValue } from '../text/memo.ts'
import type { Span } from '../text/range.ts'
import type { AttributeName } from '../vocabulary/attributes.ts'
import type { Framing } from '../vocabulary/framing.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import type { SpanEdit } from './rule.ts'

/** The spelling of the `kind` token in `framing`; undefined if it has none. */
export function tokenText(framing: Framing, kind: ControlKind): string | undefined {
  return framing.tokens.find((token) => token.kind === kind)?.text
}

/** The first attribute called `name`. */
export function attributeNamed(view: MessageView, name: AttributeName): AttributeView | undefined {
  return firstAttribute(view, name)
}

/** The first attribute called `name`, known or not. */
export function firstAttribute(view: MessageView, name: string | undefined): AttributeView | undefined {
  return name === undefined ? undefined : attributeIndex(view).byName.get(name)
}

/** The attribute that begins at `at`. */
export function attributeAt(view: MessageView, at: number): AttributeView | undefined {
  return attributeIndex(view).byStart.get(at)
}

/** A header with thousands of attributes has thousands of problems: each finds its own without a search. */
const attributeIndex = perValue((view: MessageView) => {
  const byName = new Map<string, AttributeView>()
  const byStart = new Map<number, AttributeView>()
  for (const attribute of view.attributes) {
    const { text, span } = attribute.name
    byStart.set(span.from, attribute)
    if (!byName.has(text)) byName.set(text, attribute)
  }
  return { byName, byStart }
})

/** `key=value` as a whole. */
export function attributeSpan({ name, value }: AttributeView): Span {
  return { from: name.span.from, to: value?.span.to ?? name.span.to + 1 }
}

/** The attribute called `name` as a whole, or where there is none, the role word, or the start token. */
export function attributeOrRole(view: MessageView, name: AttributeName): Span {
  const attribute = attributeNamed(view, name)
  return attribute ? attributeSpan(attribute) : roleSpan(view)
}

/** The role word, or where there is none, the start token. */
export function roleSpan(view: MessageView): Span {
  return view.roleWord?.span ?? view.start
}

/** The channel's name, or where there is none, `fallback`. */
export function channelSpan(view: MessageView, fallback: Span): Span {
  return view.channel?.value?.span ?? fallback
}

/** `at`, moved back over white space. */
export function beforeBlanks(text: string, at: number): number {
  let from = at
  while (from > 0 && isBlank(text.charCodeAt(from - 1))) from--
  return from
}

/** `span` with the white space before it. */
export function withBlanksBefore(text: string, span: Span): Span {
  return { from: beforeBlanks(text, span.from), to: span.to }
}

/** Removes `words`, which are in order, with the white space before them; neighbours in one edit. */
export function removals(segment: Segment, words: readonly Span[]): readonly SpanEdit[] {
  const edits: SpanEdit[] = []
  for (const word of words) {
    const span = withBlanksBefore(segment.text, word)
    const last = edits.at(-1)
    if (last?.span.to === span.from)
      edits[edits.length - 1] = { span: { from: last.span.from, to: span.to }, text: '' }
    else edits.push({ span, text: '' })
  }
  return edits
}

/** Removes a part of a header with the white space before it, unless that would join what is around it. */
export function removal({ text }: Segment, span: Span): SpanEdit {
  const whole = withBlanksBefore(text, span)
  const joins = text.charAt(whole.from - 1) !== '>' && goesOn(text, span.to)
  return { span: whole, text: joins ? ' ' : '' }
}

/** Inserts `word` where a token of the header wants one. */
export function wordInsertion({ text }: Segment, at: number, word: string): SpanEdit {
  return insertion(at, goesOn(text, at) ? `${word} ` : word)
}

/** True if a word is directly at `at`. */
function goesOn(text: string, at: number): boolean {
  return at < text.length && text.charAt(at) !== '<' && !isBlank(text.charCodeAt(at))
}

/** Inserts `token` at `at` into a body: a `<` before it goes into a literal block, because it would escape the token (D8). */
export function tokenInsertion(segment: Segment, at: number, token: string): SpanEdit {
  const { text, framing } = segment
  const literal = tokenText(framing, ControlKind.literal)
  if (!framing.hasEscapes || !literal || segment.hasOpenLiteral || text.charAt(at - 1) !== '<')
    return insertion(at, token)
  let from = at
  while (text.charAt(from - 1) === '<') from--
  return {
    span: { from, to: at },
    text: `${literal}${text.slice(from, at)}${framing.endLiteral}${token}`,
  }
}

/** Inserts `text` at `at`. */
export function insertion(at: number, text: string): SpanEdit {
  return { span: { from: at, to: at }, text }
}

/** Where the part of the header that is before the channel ends. */
export function startHeaderEnd(view: MessageView): number {
  let end = roleSpan(view).to
  for (const attribute of view.attributes) {
    if (!attribute.isBehindChannel) end = Math.max(end, attributeSpan(attribute).to)
  }
  return end
}

/** Inserts ` name=value` in its canonical place, after the recipient or the role (2.2 §6). */
export function attributeInsertion(view: MessageView, name: AttributeName, value: string): SpanEdit {
  const recipient = attributeNamed(view, 'to')
  const isRecipientBefore = name !== 'to' && recipient !== undefined && !recipient.isBehindChannel
  const at = isRecipientBefore ? attributeSpan(recipient).to : roleSpan(view).to
  return insertion(at, ` ${name}=${value}`)
}

/** The words in the header of `segment` that are not a role, attribute, channel, or constraint. */
export function bareWords(segment: Segment): {
  readonly beforeChannel: Span[]
  readonly behindChannel: Span[]
} {
  const beforeChannel: Span[] = []
  const behindChannel: Span[] = []
  const run = tokensOf(segment)
  let words = beforeChannel
  let from = 0
  for (let index = 0; index < run.count; index++) {
    const kind = run.kinds[index]
    const to = run.ends[index] ?? from
    if (kind === TokenKind.message || kind === TokenKind.headerEnd) break
    if (kind === TokenKind.channel || kind === TokenKind.constrain) words = behindChannel
    if (kind === TokenKind.word) words.push({ from, to })
    from = to
  }
  return { beforeChannel, behindChannel }
}
