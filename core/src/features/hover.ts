/** Explains what is under the cursor: tokens, roles, channels, attributes, values, header keys, and the message itself. */

import { headerHover } from '../embedded/header-hover.ts'
import { allowanceOf } from '../rules/allowed-findings.ts'
import { fullHeaderSchema } from '../rules/full-header-schema.ts'
import { ruleNamed } from '../rules/rule-registry.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { argumentAt } from '../semantics/argument-place.ts'
import { builtinDefinition, builtinDocumentation } from '../semantics/builtin-definitions.ts'
import { withCaseSchema } from '../semantics/case-schema.ts'
import { whyHidden } from '../semantics/hidden-text.ts'
import { declaredInputs, inputPlaceAt } from '../semantics/input-places.ts'
import { aboutInput } from '../semantics/input-text.ts'
import { factsOf, type MessageFacts, toolNameOf } from '../semantics/message-facts.ts'
import { type Place, rangeIn, tokensTouching } from '../semantics/place.ts'
import { type DeclaredTool, fullName } from '../semantics/tool-index.ts'
import { callCount, definitionOf, type ToolPlace, toolPlaceAt } from '../semantics/tool-places.ts'
import { memberMarkdown, plain, toolMarkdown } from '../semantics/tool-text.ts'
import { messageView } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { type Token, TokenKind } from '../syntax/token-run.ts'
import { markdownBlock, markdownCode } from '../text/backticks.ts'
import { localize, localized } from '../text/localize.ts'
import type { Range, Span } from '../text/range.ts'
import { attributeOf, contentTypes, intents } from '../vocabulary/attributes.ts'
import { channels } from '../vocabulary/channels.ts'
import { isBuiltin, isReplyRole, roles } from '../vocabulary/roles.ts'

/** An explanation. */
export interface Hover {
  /** What is explained. */
  readonly range: Range
  /** Markdown; one paragraph per entry of the explanation. */
  readonly markdown: string
}

/** The explanation of what is at `offset`; undefined for text that needs none. */
export function hover(analysis: Analysis, offset: number): Hover | undefined {
  const input = inputPlaceAt(analysis, offset)
  const declared = input && declaredInputs(analysis)?.find(({ name }) => name === input.name)
  if (input && declared) return { range: input.range, markdown: aboutInput(declared) }
  const argument = argumentAt(analysis, offset)
  if (argument) {
    const { range, property, aboutValue } = argument
    const about = aboutValue === undefined ? [] : [plain(aboutValue)]
    return { range, markdown: [memberMarkdown(property), ...about].join('\n\n') }
  }
  const tool = toolPlaceAt(analysis, offset)
  if (tool?.kind === 'definition') return { range: tool.range, markdown: aboutDefinition(analysis, tool) }
  for (const place of tokensTouching(analysis, offset)) {
    const found = place.segment.kind === 'preamble' ? inPreamble(analysis, place) : inSegment(analysis, place)
    if (found) return found
  }
  return undefined
}

type TokenPlace = Place & { readonly token: Token }

function inPreamble(analysis: Analysis, place: TokenPlace): Hover | undefined {
  if (place.token.kind !== TokenKind.yaml) return inSegment(analysis, place)
  const { yaml, offset } = analysis.header
  const found = headerHover(
    yaml,
    place.offset - offset,
    withCaseSchema(fullHeaderSchema(), declaredInputs(analysis)),
  )
  if (!found) return undefined
  const { range, documentation } = found
  return {
    range: { start: place.start + offset + range.start, end: place.start + offset + range.end },
    markdown: documentation,
  }
}

function inSegment(analysis: Analysis, place: TokenPlace): Hover | undefined {
  const { segment, token } = place
  const text = segment.text.slice(token.from, token.to)
  const paragraphs = explain(analysis, { segment, token, text })
  if (paragraphs.length === 0) return undefined
  return { range: rangeIn(place, spanOfExplained(segment, token)), markdown: paragraphs.join('\n\n') }
}

interface Word {
  readonly segment: Segment
  readonly token: Token
  readonly text: string
}

/** An attribute is explained as a whole. */
function spanOfExplained(segment: Segment, token: Token): Span {
  if (segment.kind !== 'message') return token
  for (const { name, value } of messageView(segment).attributes) {
    const whole = { from: name.span.from, to: value?.span.to ?? name.span.to + 1 }
    if (whole.from <= token.from && token.to <= whole.to) return whole
  }
  return token
}

function explain(analysis: Analysis, word: Word): readonly string[] {
  const { segment, token, text } = word
  switch (token.kind) {
    case TokenKind.role:
      return before(aboutMessage(analysis, segment), aboutRole(text))
    case TokenKind.start:
      return before(aboutMessage(analysis, segment), aboutToken(word))
    case TokenKind.channelName:
      return before(aboutMessage(analysis, segment), aboutChannel(text))
    case TokenKind.attributeName:
    case TokenKind.equals:
    case TokenKind.attributeValue:
      return before(aboutMessage(analysis, segment), aboutAttribute(analysis, word))
    case TokenKind.constraintName:
      return aboutContentType(text)
    case TokenKind.word:
      return messageView(segment).bareContentType?.span.from === token.from ? aboutContentType(text) : []
    case TokenKind.escape:
    case TokenKind.escapedToken:
      return aboutEscape(word)
    case TokenKind.strayToken:
      return [localize`**Has no effect here: this is plain text.**`, ...aboutToken(word)]
    default:
      return aboutToken(word)
  }
}

/** What holds of this message first, then what holds of every message. */
function before(message: readonly string[], general: readonly string[]): readonly string[] {
  return message.length > 0 && general.length > 0 ? [...message, '---', ...general] : [...message, ...general]
}

function aboutToken({ segment, text }: Word): readonly string[] {
  const token = segment.framing.tokens.find((it) => it.text === text)
  return token
    ? [titled(token.text, localized(token.summary)), localized(token.documentation), section(token.section)]
    : []
}

function aboutRole(word: string): readonly string[] {
  const role = roles.find(({ name }) => name === word)
  if (role) return [titled(word, localized(role.summary)), localized(role.visibility), section(role.section)]
  if (!isReplyRole(word)) return []
  const tool = roles.find(({ name }) => name === 'tool')
  const summary = localize`A tool in place of the role: its reply, in the older form`
  return [titled(word, summary), localized(tool?.visibility ?? ''), section('2.2 §4, D5')]
}

function aboutChannel(word: string): readonly string[] {
  const channel = channels.find(({ name }) => name === word)
  return channel
    ? [titled(word, localized(channel.summary)), localized(channel.visibility), section(channel.section)]
    : []
}

function aboutContentType(word: string): readonly string[] {
  const type = contentTypes.find(({ name }) => name === word)
  if (type) return [titled(word, localized(type.summary)), section('2.2 §6, D7')]
  return word.includes('/') ? [titled(word, localize`A media type`), section('2.2 §6, D7')] : []
}

function aboutAttribute(analysis: Analysis, { segment, token }: Word): readonly string[] {
  const attribute = messageView(segment).attributes.find(
    ({ name, value }) => name.span.from <= token.from && token.to <= (value?.span.to ?? name.span.to + 1),
  )
  const word = attribute && attributeOf(attribute.name.text)
  if (!attribute || !word) return []
  const about = [
    titled(`${word.name}=`, localized(word.summary)),
    localized(word.documentation),
    section(word.section),
  ]
  const value = attribute.value?.text
  if (value === undefined) return about
  return [...aboutValue(analysis, { segment, attribute: word.name, value }), ...about]
}

interface AttributeValue {
  readonly segment: Segment
  readonly attribute: string
  readonly value: string
}

function aboutValue(analysis: Analysis, { segment, attribute, value }: AttributeValue): readonly string[] {
  switch (attribute) {
    case 'intent': {
      const intent = intents.find(({ name }) => name === value)
      return intent ? [titled(value, localized(intent.summary))] : []
    }
    case 'content_type':
      return aboutContentType(value).slice(0, 1)
    case 'to':
    case 'name':
      return aboutTool(analysis, segment, value)
    case 'allow':
      return aboutAllowance(segment)
    default:
      return []
  }
}

function aboutAllowance(segment: Segment): readonly string[] {
  const allowance = allowanceOf(segment)
  const reason = allowance?.reason ? localize`Reason: ${markdownCode(allowance.reason)}` : undefined
  const summaries = (allowance?.names ?? []).flatMap(({ text }) => {
    const rule = ruleNamed(text)
    return rule ? [`- ${markdownCode(text)}: ${rule.summary}`] : []
  })
  return [...(reason ? [reason] : []), ...(summaries.length > 0 ? [summaries.join('\n')] : [])]
}

function aboutTool(analysis: Analysis, segment: Segment, value: string): readonly string[] {
  const facts = factsOf(segment)
  if (!facts || toolNameOf(facts) !== value) return []
  const declared = analysis.tools.tool(value, segment)
  if (declared) return aboutDeclared(analysis, declared)
  if (!isBuiltin(value, analysis.settings.builtinTools)) return []
  const definition = builtinDefinition(value)
  const documentation = builtinDocumentation(value)
  return [
    titled(value, localize`A built-in tool`),
    ...(definition ? [toolMarkdown(definition)] : []),
    ...(documentation === undefined ? [] : [localized(documentation)]),
  ]
}

function aboutDefinition(analysis: Analysis, { name, segment }: ToolPlace): string {
  const definition = definitionOf(analysis, name, segment)?.definition
  if (!definition) return markdownCode(name)
  const count = callCount(analysis, definition)
  const calls =
    count === 1
      ? localize`Called as ${markdownCode(name)}, once in this transcript.`
      : localize`Called as ${markdownCode(name)}, ${count} times in this transcript.`
  return `${toolMarkdown(definition)}\n\n${calls}`
}

const definitionAtMost = 2000 // code units: a hover shows no book

function aboutDeclared(analysis: Analysis, { definition, segment, source }: DeclaredTool): readonly string[] {
  const located = analysis.transcript.locate(segment)
  if (!located) return []
  const { from } = source.spanOf(definition.nameRange)
  const line = analysis.transcript.positionAt(located.start + from).line + 1
  const language = definition.notation === 'json' ? 'json' : 'typescript'
  const text = definition.text.slice(0, definitionAtMost)
  return [
    titled(fullName(definition), localize`A tool that line ${line} declares`),
    markdownBlock(text, language),
  ]
}

function aboutEscape({ segment, token }: Word): readonly string[] {
  const from = token.kind === TokenKind.escape ? token.to : token.from
  const escaped = segment.framing.tokens.find((it) => segment.text.startsWith(it.text, from))
  if (!escaped) return []
  return [
    localize`**Escaped token**: the first \`<\` is removed when the message is read, and ${markdownCode(escaped.text)} is plain text.`,
    section('2.2 §3, D8'),
  ]
}

/** Who sees the message, the other end of an exchange, and its role, channel, and recipient. */
function aboutMessage(analysis: Analysis, segment: Segment): readonly string[] {
  const facts = factsOf(segment)
  if (!facts) return []
  if (facts.isPrompt && segment === analysis.lastSegment) {
    return [localize`**Generation prompt**: asks the model to write the message that continues here.`]
  }
  return [
    [visibilityOf(facts), ...aboutPartner(analysis, segment)].join(' '),
    localize`This message: ${summaryOf(facts)}.`,
  ]
}

function summaryOf(facts: MessageFacts): string {
  const { role, roleWord, name, channel, hasChannel, to, intent } = facts
  const speaker = role ?? roleWord ?? localize`unknown role`
  const parts = [markdownCode(speaker)]
  if (name !== undefined) parts.push(localize`name ${markdownCode(name)}`)
  if (channel === undefined) parts.push(localize`unknown channel`)
  else if (hasChannel) parts.push(localize`channel \`${channel}\``)
  else parts.push(localize`channel \`${channel}\` (default)`)
  if (to !== undefined) parts.push(localize`recipient ${markdownCode(to)}`)
  if (intent !== undefined) parts.push(localize`intent ${markdownCode(intent)}`)
  return parts.join(', ')
}

function visibilityOf(facts: MessageFacts): string {
  const reason = whyHidden(facts)
  return reason === undefined ? localize`**Visible** to users.` : localize`**Hidden** from users: ${reason}.`
}

function aboutPartner(analysis: Analysis, segment: Segment): readonly string[] {
  const exchange = analysis.exchanges.exchange(segment)
  if (!exchange) return []
  const { transcript } = analysis
  const other = exchange.partner && transcript.locate(exchange.partner)
  if (!other)
    return [
      exchange.kind === 'call' ? localize`A call that has no reply yet.` : localize`A reply without a call.`,
    ]
  const line = transcript.positionAt(other.start).line + 1
  return [exchange.kind === 'call' ? localize`Reply: line ${line}.` : localize`Call: line ${line}.`]
}

function titled(word: string, summary: string): string {
  return `${markdownCode(word)}: **${summary}**`
}

function section(reference: string): string {
  return `*OpenChatML ${reference}*`
}
