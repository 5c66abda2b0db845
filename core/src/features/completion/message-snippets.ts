/** Whole messages, for the places where one may begin. */

import { mayBreakLines } from '../../document/line-break.ts'
import type { Analysis } from '../../semantics/analysis.ts'
import { freshCallId } from '../../semantics/fresh-call-id.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import { escapedForSnippet } from '../../text/snippet-text.ts'
import { type Framing, spelling } from '../../vocabulary/framing.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { type CallPlaces, callPlaces, callsOf, undeclaredTool } from './call-snippet.ts'
import { openCalls } from './known-names.ts'
import type { Proposal } from './proposal.ts'

/** A message with gaps to fill in. */
interface MessageSnippet {
  readonly label: string
  readonly detail: string
  /** What users may type for it as well: the name it has among the snippets of VS Code. */
  readonly alias?: string
  /** The text after the start token, as a snippet. */
  readonly snippet: string
}

/** True for raw Harmony text, where other attributes than `to=` and other roles of tools than their names are unknown. */
export function isHarmony({ name }: Framing): boolean {
  return name === 'harmony'
}

/** Whole messages in place of `range`; `isTokenTyped` if the beginning of a control token is there. */
export function messageProposals(
  analysis: Analysis,
  { range, isTokenTyped }: { readonly range: Range; readonly isTokenTyped: boolean },
): readonly Proposal[] {
  const { framing } = analysis.transcript
  const start = spelling(framing, ControlKind.start)
  return snippets(analysis, framing, range.start).map(({ label, detail, alias, snippet }) => ({
    label,
    detail,
    kind: 'message',
    documentation: preview(start + plain(snippet)),
    range,
    text: start + plain(snippet),
    snippet: start + snippet,
    filterText: isTokenTyped ? start + plain(snippet) : withAlias(label, alias),
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

/** What the typed text is compared with where no token is typed. */
function withAlias(label: string, alias: string | undefined): string {
  return alias === undefined ? label : `${label} ${alias}`
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
  const replyId = open?.callId ?? 'call_1'
  const callId = freshCallId(analysis, Math.min(offset, analysis.transcript.length))
  const { framing } = analysis.transcript
  const called = callPlaces(analysis, offset)
  const { calls, reply, failure, replyToThat, preamble } = (isHarmony(framing) ? harmonyExchange : exchange)({
    called,
    tool: escapedForSnippet(open?.tool ?? called[0]?.name ?? undeclaredTool),
    callId: escapedForSnippet(callId),
    replyId: escapedForSnippet(replyId),
  })
  const [call = ''] = calls
  return [
    {
      label: 'user',
      alias: 'ocmUser',
      detail: localize`A user message`,
      snippet: 'user<|message|>$0<|end|>',
    },
    {
      label: 'assistant final',
      alias: 'ocmFinal',
      detail: localize`The answer that users see`,
      snippet: 'assistant<|channel|>final<|message|>$0<|end|>',
    },
    {
      label: 'assistant analysis',
      alias: 'ocmAnalysis',
      detail: localize`Private reasoning`,
      snippet: 'assistant<|channel|>analysis<|message|>$0<|end|>',
    },
    {
      label: 'assistant call',
      detail: localize`A tool call with JSON arguments`,
      snippet: endingAtLastStop(call),
    },
    ...calls.slice(1).map((snippet, index) => ({
      label: `assistant call ${called[index]?.name}`,
      detail: localize`A tool call with JSON arguments`,
      snippet: endingAtLastStop(snippet),
    })),
    {
      label: 'tool reply',
      detail: open ? localize`The reply to the open call` : localize`The reply of a tool`,
      snippet: reply,
    },
    {
      label: 'assistant preamble',
      alias: 'ocmPreamble',
      detail: localize`An announcement that users see before a tool call`,
      snippet: preamble,
    },
    {
      label: 'developer',
      alias: 'ocmDeveloper',
      detail: localize`Instructions and tools`,
      snippet: 'developer<|message|>$0<|end|>',
    },
    {
      label: 'system',
      alias: 'ocmSystem',
      detail: localize`Ground rules`,
      snippet: 'system<|message|>$0<|end|>',
    },
    {
      label: 'assistant call and reply',
      alias: 'ocmCall',
      detail: localize`A tool call and its reply, with the same ID`,
      snippet: `${call}${lineBreakIn(analysis)}<|start|>${replyToThat}`,
    },
    ...(open
      ? [
          {
            label: 'tool error',
            alias: 'ocmToolError',
            detail: localize`The reply of a tool that failed`,
            snippet: failure,
          },
        ]
      : []),
    ...(framing.endLiteral === undefined ? [] : [literalSnippet()]),
  ]
}

/** The arguments of a call end the snippet where no reply follows. */
function endingAtLastStop(call: string): string {
  return call.replace(/\$\d(?=\\\}<\|call\|>$)/, '$$0')
}

/** Messages around a call as snippets. */
interface ExchangeSnippets {
  /** A call of any known tool, and if there are several, one of each with its arguments. */
  readonly calls: readonly string[]
  readonly reply: string
  readonly failure: string
  /** The reply after the call, with its tool and its id. */
  readonly replyToThat: string
  readonly preamble: string
}

interface ExchangeNames {
  readonly called: readonly CallPlaces[]
  readonly tool: string
  readonly callId: string
  readonly replyId: string
}

const answer = '<|channel|>commentary<|message|>$0<|end|>'
const failed = `<|channel|>commentary<|message|>{"ok":false,"content":null,"error":"\${3:not found}"\\}<|end|>$0`

function exchange({ called, tool, callId, replyId }: ExchangeNames): ExchangeSnippets {
  return {
    calls: callsOf(called).map(
      ({ recipient, content }) =>
        `assistant to=${recipient} call_id=\${2:${callId}}<|channel|>commentary<|constrain|>json<|message|>${content}<|call|>`,
    ),
    reply: `tool name=\${1:${tool}} call_id=\${2:${replyId}}${answer}`,
    failure: `tool name=\${1:${tool}} call_id=\${2:${replyId}} to=assistant${failed}`,
    replyToThat: `tool name=$1 call_id=$2 to=assistant${answer}`,
    preamble: `assistant intent=preamble${answer}`,
  }
}

/** Harmony has neither ids nor intents, and tools reply under their own name. */
function harmonyExchange({ called, tool }: ExchangeNames): ExchangeSnippets {
  return {
    calls: callsOf(called).map(
      ({ recipient, content }) =>
        `assistant to=${recipient}<|channel|>commentary <|constrain|>json<|message|>${content}<|call|>`,
    ),
    reply: `\${1:${tool}} to=assistant${answer}`,
    failure: `\${1:${tool}} to=assistant${failed}`,
    replyToThat: `$1 to=assistant${answer}`,
    preamble: `assistant${answer}`,
  }
}

function literalSnippet(): MessageSnippet {
  return {
    label: 'user literal block',
    alias: 'ocmLiteral',
    detail: localize`A message whose text is taken verbatim, including control tokens`,
    snippet: 'user<|message|><|literal|>$0<|endliteral|><|end|>',
  }
}

/** What is between two messages; nothing in Harmony, and where a message that begins a line would end the header earlier (D1). */
function lineBreakIn({ transcript }: Analysis): string {
  return mayBreakLines(transcript) && !isHarmony(transcript.framing) ? '\n' : ''
}

/** What will be written, as Markdown. */
function preview(text: string): string {
  return `\`\`\`openchatml\n${text}\n\`\`\``
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, '$1')
}

/** A snippet with a choice replaced by a placeholder for its first value. */
function withoutChoices(snippet: string): string {
  return snippet.replace(
    /\\.|\$\{(\d+)\|((?:\\.|[^\\,|])*)(?:,(?:\\.|[^\\|])*)?\|\}/g,
    (part, stop?: string, first = '') => (stop === undefined ? part : `\${${stop}:${first}}`),
  )
}

/** A snippet as plain text: a placeholder becomes its default wherever it is, and a choice its first value. */
function plain(text: string): string {
  const snippet = withoutChoices(text)
  const defaults = new Map<string, string>()
  // Linear: an escape is matched as a whole, so each default is looked at from one place only.
  const part = /\\(.)|\$\{(\d+):((?:\\.|[^$}\\])*)\}|\$(\d)/g
  for (const [, , number, text = ''] of snippet.matchAll(part)) {
    if (number !== undefined) defaults.set(number, unescaped(text))
  }
  return snippet.replace(
    part,
    (_, escaped?: string, number?: string, text = '', stop = '') =>
      escaped ?? (number === undefined ? (defaults.get(stop) ?? '') : unescaped(text)),
  )
}
