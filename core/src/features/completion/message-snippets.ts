/** Whole messages, for the places where one may begin. */

import { mayBreakLines } from '../../document/line-break.ts'
import type { Analysis } from '../../semantics/analysis.ts'
import { freshCallId } from '../../semantics/fresh-call-id.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import type { Framing } from '../../vocabulary/framing.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { openCalls } from './known-names.ts'
import { escapedForSnippet, type Proposal } from './proposal.ts'

/** A message with gaps to fill in. */
interface MessageSnippet {
  readonly label: string
  readonly detail: string
  /** What stands behind the start token, as a snippet. */
  readonly snippet: string
}

/** The spelling of the control token of `kind` in `framing`; empty if it has none. */
export function spelling(framing: Framing, kind: ControlKind): string {
  return framing.tokens.find((it) => it.kind === kind)?.text ?? ''
}

/** True for raw Harmony text, where other attributes than `to=` and other roles of tools than their names are unknown. */
export function isHarmony({ name }: Framing): boolean {
  return name === 'harmony'
}

/** Whole messages in place of `range`; `isTokenTyped` if the beginning of a control token stands there. */
export function messageProposals(
  analysis: Analysis,
  { range, isTokenTyped }: { readonly range: Range; readonly isTokenTyped: boolean },
): readonly Proposal[] {
  const { framing } = analysis.transcript
  const start = spelling(framing, ControlKind.start)
  return snippets(analysis, framing, range.start).map(({ label, detail, snippet }) => ({
    label,
    detail,
    kind: 'message',
    documentation: preview(start + plain(snippet)),
    range,
    text: start + plain(snippet),
    snippet: start + snippet,
    filterText: isTokenTyped ? start + plain(snippet) : label,
  }))
}

/** What may follow a start token: a role with the rest of a message, in place of `range`. */
export function roleSnippets(analysis: Analysis, range: Range): readonly Proposal[] {
  const { framing } = analysis.transcript
  const start = spelling(framing, ControlKind.start)
  return snippets(analysis, framing, range.start).map(({ label, detail, snippet }) => ({
    label: `${label} …`,
    detail,
    kind: 'message',
    documentation: preview(start + plain(snippet)),
    range,
    text: plain(snippet),
    snippet,
    filterText: label,
  }))
}

function snippets(analysis: Analysis, framing: Framing, offset: number): readonly MessageSnippet[] {
  return framing.headerEnd === 'line-break' ? turns(framing) : messages(analysis, offset)
}

function turns(framing: Framing): readonly MessageSnippet[] {
  const end = spelling(framing, ControlKind.end)
  return framing.roles.map((role) => ({
    label: role,
    detail: localize`A message of ${role}`,
    snippet: `${role}\n$0${end}`,
  }))
}

function messages(analysis: Analysis, offset: number): readonly MessageSnippet[] {
  const [open] = openCalls(analysis, offset)
  const tool = open?.tool ?? 'functions.name'
  const replyId = open?.callId ?? 'call_1'
  const callId = freshCallId(analysis, Math.min(offset, analysis.transcript.length))
  const { framing } = analysis.transcript
  const { call, reply, replyToThat, preamble } = (isHarmony(framing) ? harmonyExchange : exchange)({
    tool: escapedForSnippet(tool),
    callId: escapedForSnippet(callId),
    replyId: escapedForSnippet(replyId),
  })
  return [
    { label: 'user', detail: localize`A message of the user`, snippet: 'user<|message|>$0<|end|>' },
    {
      label: 'assistant final',
      detail: localize`The answer that users see`,
      snippet: 'assistant<|channel|>final<|message|>$0<|end|>',
    },
    {
      label: 'assistant analysis',
      detail: localize`Private reasoning`,
      snippet: 'assistant<|channel|>analysis<|message|>$0<|end|>',
    },
    {
      label: 'assistant call',
      detail: localize`A tool call with JSON arguments`,
      snippet: call.replace('$3', '$0'),
    },
    {
      label: 'tool reply',
      detail: open ? localize`The reply to the open call` : localize`The reply of a tool`,
      snippet: reply,
    },
    {
      label: 'assistant preamble',
      detail: localize`An announcement that users see before a tool call`,
      snippet: preamble,
    },
    {
      label: 'developer',
      detail: localize`Instructions and tools`,
      snippet: 'developer<|message|>$0<|end|>',
    },
    { label: 'system', detail: localize`Ground rules`, snippet: 'system<|message|>$0<|end|>' },
    {
      label: 'assistant call and reply',
      detail: localize`A tool call and its reply, with the same id`,
      snippet: `${call}${lineBreakIn(analysis)}<|start|>${replyToThat}`,
    },
    ...(framing.endLiteral === undefined ? [] : [literalSnippet()]),
  ]
}

/** Messages around a call as snippets; the arguments of the call are the third place. */
interface ExchangeSnippets {
  readonly call: string
  readonly reply: string
  /** The reply behind the call, with its tool and its id. */
  readonly replyToThat: string
  readonly preamble: string
}

interface ExchangeNames {
  readonly tool: string
  readonly callId: string
  readonly replyId: string
}

function exchange({ tool, callId, replyId }: ExchangeNames): ExchangeSnippets {
  const content = '<|channel|>commentary<|message|>$0<|end|>'
  return {
    call: `assistant to=\${1:functions.name} call_id=\${2:${callId}}<|channel|>commentary<|constrain|>json<|message|>{$3\\}<|call|>`,
    reply: `tool name=\${1:${tool}} call_id=\${2:${replyId}}${content}`,
    replyToThat: `tool name=$1 call_id=$2 to=assistant${content}`,
    preamble: `assistant intent=preamble${content}`,
  }
}

/** Harmony has neither ids nor intents, and tools reply under their own name. */
function harmonyExchange({ tool }: ExchangeNames): ExchangeSnippets {
  const content = '<|channel|>commentary<|message|>$0<|end|>'
  return {
    call: `assistant to=\${1:functions.name}<|channel|>commentary <|constrain|>json<|message|>{$3\\}<|call|>`,
    reply: `\${1:${tool}} to=assistant${content}`,
    replyToThat: `$1 to=assistant${content}`,
    preamble: `assistant${content}`,
  }
}

function literalSnippet(): MessageSnippet {
  return {
    label: 'user literal block',
    detail: localize`A message whose text is taken as it is, control tokens too`,
    snippet: 'user<|message|><|literal|>$0<|endliteral|><|end|>',
  }
}

/** What stands between two messages; nothing in Harmony, and where a message that begins a line would end the header earlier (D1). */
function lineBreakIn({ transcript }: Analysis): string {
  return mayBreakLines(transcript) && !isHarmony(transcript.framing) ? '\n' : ''
}

/** What will be written, as Markdown. */
function preview(text: string): string {
  return `\`\`\`openchatml\n${text}\n\`\`\``
}

/** A snippet as plain text: a placeholder becomes its default, wherever it stands. */
function plain(snippet: string): string {
  const defaults = new Map<string, string>()
  const placeholder = /\$\{(\d+):((?:\\.|[^}\\])*)\}/g
  for (const [, number = '', text = ''] of snippet.matchAll(placeholder)) defaults.set(number, text)
  return snippet
    .replace(placeholder, '$2')
    .replace(/\$(\d)/g, (_, number) => defaults.get(number) ?? '')
    .replace(/\\(.)/g, '$1')
}
