/** A header that a terminator ends before the body begins. */

import type { MessageView } from '../../syntax/message-view.ts'
import type { Segment } from '../../syntax/segment.ts'
import { localize } from '../../text/localize.ts'
import type { Span } from '../../text/range.ts'
import { isContentType, isToolRecipient } from '../../vocabulary/attributes.ts'
import { channelOf } from '../../vocabulary/channels.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { doubtIn } from '../doubt-fixes.ts'
import { example } from '../example.ts'
import { attributeNamed, beforeBlanks, tokenText } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { Fix, SyntaxRule } from '../rule.ts'

/** `<|message|>` always separates header and body (2.2 §6, D16). */
export const cutHeader: SyntaxRule = {
  name: 'cut-header',
  code: 'E-PARSE-HEADER',
  severity: 'error',
  scope: 'syntax',
  kind: 'cut-header',
  section: '2.2 §6, D16',
  summary: 'A terminator ends a header that has no `<|message|>`',
  why: 'The text after the header is kept as the body; without a channel, it is hidden, because in practice it is raw reasoning.\nA strict reader keeps looking for the token, and loses this message and the following ones.',
  bad: example`
    version: 2.2
    <|start|>assistant<|channel|>analysis We must refuse.<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>analysis<|message|>We must refuse.<|end|>
  `,
  explain({ span }, { segment, view }) {
    const isEmpty = isBlankSpan(segment.text, view.body)
    const fix = isEmpty && view.channel && !view.channel.value ? undefined : fixOf(segment, view)
    const fixes = [isEmpty ? removal(view) : undefined, fix].filter((it) => it !== undefined)
    return { span, message: messageOf(segment, view), fixes }
  },
}

function messageOf(segment: Segment, view: MessageView): string {
  const { text, framing } = segment
  const terminator = view.terminator ? quoted(textOf(text, view.terminator.span)) : localize`the terminator`
  const separator = tokenText(framing, ControlKind.message)
  if (separator === undefined)
    return localize`Missing line break before ${terminator}; the header must be on its own line`
  const missing = localize`Missing \`${separator}\` before ${terminator}`
  const channel = view.channel?.value
  if (channel && channelOf(channel.text) === undefined)
    return localize`${missing}, and ${quoted(channel.text)} is not a channel`
  const type = view.constraint?.value
  if (type && !isContentType(type.text))
    return localize`${missing}, and ${quoted(type.text)} is not a content type`
  if (view.channel && doubtIn(segment, view))
    return localize`\`${separator}\` is missing after ${quoted(headerOf(text, view))}; the text after it may say who the message is for, so the message is hidden`
  if (view.channel)
    return localize`\`${separator}\` is missing after ${quoted(headerOf(text, view))}; it ends the header`
  if (isBlankSpan(text, view.body)) return missing
  if (view.role === undefined) return localize`${missing}; the text was generated without a header`
  const isGlued = view.body?.from === view.roleWord?.span.to
  return isGlued
    ? localize`${missing}; the text after \`${view.role}\` was generated without a header`
    : localize`${missing}, which ends the header`
}

function headerOf(text: string, { channel, constraint }: MessageView): string {
  const last = constraint ?? channel
  return last ? text.slice(last.marker.from, last.value?.span.to ?? last.marker.to) : ''
}

/** Nothing is lost with a message that says nothing. */
function removal({ end }: MessageView): Fix {
  return {
    title: localize`Remove the empty message`,
    edits: [{ span: { from: 0, to: end }, text: '' }],
    isSafe: false,
  }
}

function fixOf({ text, framing }: Segment, view: MessageView): Fix | undefined {
  const { body, channel, constraint } = view
  const separator = tokenText(framing, ControlKind.message)
  if (!body) return undefined
  if (channel?.value && channelOf(channel.value.text) === undefined) {
    if (separator === undefined || view.role !== 'assistant') return undefined
    // Text in the place of the channel is the beginning of what was said.
    const at = channel.value.span.from
    return insertText({ from: at, to: at }, `analysis${separator}`)
  }
  if (separator !== undefined && constraint && !isContentType(constraint.value?.text ?? '')) {
    const edits = [{ span: constraint.marker, text: separator }]
    return { title: localize`Write \`${separator}\` instead of \`<|constrain|>\``, edits, isSafe: false }
  }
  if (view.role === undefined) {
    const at = view.start.to
    const header = separator === undefined ? undefined : `assistant<|channel|>analysis${separator}`
    if (header === undefined || text.slice(at, body.to).trim() === '') return undefined
    return insertText({ from: at, to: at }, header)
  }
  const gap = { from: beforeBlanks(text, body.from), to: body.from }
  if (separator === undefined)
    return { title: localize`Insert a line break`, edits: [{ span: gap, text: '\n' }], isSafe: false }
  return insertText(gap, channelToInsert(view) + separator)
}

/** What the assistant wrote without a channel is not the answer until someone says so. */
function channelToInsert(view: MessageView): string {
  if (view.role !== 'assistant' || view.channel) return ''
  const recipient = attributeNamed(view, 'to')?.value?.text
  const isCall = recipient !== undefined && isToolRecipient(recipient)
  return isCall ? '<|channel|>commentary' : '<|channel|>analysis'
}

function insertText(span: Span, text: string): Fix {
  return { title: localize`Insert \`${text}\``, edits: [{ span, text }], isSafe: false }
}

function textOf(text: string, { from, to }: Span): string {
  return text.slice(from, to)
}

function isBlankSpan(text: string, span: Span | undefined): boolean {
  return span === undefined || textOf(text, span).trim() === ''
}
