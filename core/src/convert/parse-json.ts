/** The model of a transcript as one JSON object: what `ocm parse --json` prints. */
import type { ParseOptions } from '../document/transcript.ts'
import type { JsonObject } from '../embedded/yaml-header.ts'
import { visibleTexts } from '../preview/visible-messages.ts'
import { Document } from '../rules/document.ts'
import type { Severity } from '../rules/rule.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { factsOf, isDeclaredReply, type MessageFacts } from '../semantics/message-facts.ts'
import { isVisible } from '../semantics/visibility.ts'
import { renderedBody } from '../syntax/body.ts'
import { messageView } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { TokenKind as Kind, type TokenKind } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'
import type { Position } from '../text/range.ts'
import type { DialectName } from '../vocabulary/framing.ts'
import { ControlKind } from '../vocabulary/tokens.ts'

/** A range in lines and UTF-16 characters, both zero-based, half-open. */
export interface JsonRange {
  readonly start: Position
  readonly end: Position
}

/** A message. `null` means that the text does not say. */
export interface ParsedMessage {
  /** Legacy reply roles become `tool` with that text as `name`; an unknown role is given as written. */
  readonly role: string | null
  readonly name: string | null
  /** The effective channel; null only when it is unknown or empty. */
  readonly channel: string | null
  readonly to: string | null
  readonly call_id: string | null
  readonly intent: string | null
  readonly content_type: string | null
  readonly constrain: string | null
  /** The token that ends the message. */
  readonly terminator: string | null
  /** Escapes resolved, literal markers removed, nothing trimmed. */
  readonly body: string
  readonly visible: boolean
  readonly range: JsonRange
}

/** A diagnostic. */
export interface ParsedDiagnostic {
  readonly code: string
  readonly rule: string
  readonly severity: Severity
  readonly message: string
  readonly range: JsonRange
}

/** A transcript. */
export interface ParseJson {
  readonly dialect: DialectName
  /** The YAML mapping; null if there is none or it cannot be read. */
  readonly header: JsonObject | null
  readonly messages: readonly ParsedMessage[]
  readonly diagnostics: readonly ParsedDiagnostic[]
  /** The texts that an end user may see, in order. */
  readonly visible: readonly string[]
  /** The first fill-in-the-middle task (0.1). */
  readonly fim?: { readonly prefix: string; readonly middle: string; readonly suffix: string }
  /** The files of a multi-file sequence (0.1), verbatim. */
  readonly files?: readonly string[]
}

/** Parses `text` and gives everything that is known of it. Never throws. */
export function parseToJson(text: string, options: ParseOptions = {}): ParseJson {
  return toParseJson(new Document(text, options))
}

/** The JSON of `document`. */
export function toParseJson(document: Document): ParseJson {
  const { analysis } = document
  const messages: ParsedMessage[] = []
  const files: string[] = []
  let fim: ParseJson['fim']
  for (const { segment, start } of analysis.transcript.segments()) {
    if (segment.kind === 'file') files.push(contentOf(segment))
    if (segment.kind === 'fim' || segment.kind === 'file') fim ??= fimOf(segment)
    const facts = factsOf(segment)
    if (facts?.isMessage && !(facts.isPrompt && segment === analysis.lastSegment)) {
      messages.push(messageOf(segment, facts, start, analysis))
    }
  }
  return {
    dialect: analysis.dialect,
    header: analysis.header.yaml.value ?? null,
    messages,
    diagnostics: document.problems().problems.map(({ code, rule, severity, message, range }) => ({
      code,
      rule,
      severity,
      message,
      range: rangeOf(analysis, range.start, range.end),
    })),
    visible: visibleTexts(analysis),
    ...(fim && { fim }),
    ...(files.length > 0 && { files }),
  }
}

function messageOf(segment: Segment, facts: MessageFacts, start: number, analysis: Analysis): ParsedMessage {
  const view = messageView(segment)
  const { roleWord } = facts
  const isReply = isDeclaredReply(segment, facts, analysis.settings.builtinTools)
  const role = isReply ? 'tool' : (facts.role ?? roleWord)
  const body = view.body ? segment.text.slice(view.body.from, view.body.to) : ''
  return {
    role: role ?? null,
    name: (isReply ? roleWord : facts.name) ?? null,
    channel: facts.channel ?? null,
    to: facts.to ?? null,
    call_id: facts.callId ?? null,
    intent: facts.intent ?? null,
    content_type: facts.contentType ?? null,
    constrain: facts.constraint ?? null,
    terminator: view.terminator
      ? segment.text.slice(view.terminator.span.from, view.terminator.span.to)
      : null,
    body: facts.isPlainBody ? body : renderedBody(segment),
    visible: isVisible(facts),
    range: rangeOf(analysis, start, start + view.end),
  }
}

function rangeOf({ transcript }: Analysis, start: number, end: number): JsonRange {
  return { start: transcript.positionAt(start), end: transcript.positionAt(end) }
}

/** The content of a file segment: everything but the separator and the marks of the sequence. */
function contentOf(segment: Segment): string {
  return textBetween(segment, (kind) => kind !== ControlKind.fileSeparator && !isMark(kind))
}

/** The parts of a fill-in-the-middle task, if the segment holds a complete one. */
function fimOf(segment: Segment): ParseJson['fim'] {
  const parts = new Map<TokenKind, string>()
  const run = tokensOf(segment)
  let part: TokenKind | undefined
  let from = 0
  for (let index = 0; index < run.count; index++) {
    const kind = run.kinds[index] as TokenKind
    const to = run.ends[index] ?? from
    if (kind === Kind.sequenceEnd) break
    if (kind === Kind.fimPrefix || kind === Kind.fimMiddle || kind === Kind.fimSuffix) {
      if (parts.has(kind)) break
      part = kind
      parts.set(kind, '')
    } else if (part !== undefined && !isMark(kind)) {
      parts.set(part, (parts.get(part) ?? '') + segment.text.slice(from, to))
    }
    from = to
  }
  const prefix = parts.get(Kind.fimPrefix)
  const middle = parts.get(Kind.fimMiddle)
  const suffix = parts.get(Kind.fimSuffix)
  if (prefix === undefined || middle === undefined || suffix === undefined) return undefined
  return { prefix, middle, suffix }
}

function isMark(kind: TokenKind): boolean {
  return kind === Kind.sequenceStart || kind === Kind.byteOrderMark
}

function textBetween(segment: Segment, isContent: (kind: TokenKind) => boolean): string {
  const run = tokensOf(segment)
  let content = ''
  let from = 0
  for (let index = 0; index < run.count; index++) {
    const to = run.ends[index] ?? from
    const kind = run.kinds[index] as TokenKind
    if (kind === Kind.sequenceEnd) break
    if (isContent(kind)) content += segment.text.slice(from, to)
    from = to
  }
  return content
}
