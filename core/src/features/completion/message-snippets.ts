/** Whole messages, for the places where one may begin. */

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
    documentation: '',
    range,
    text: start + plain(snippet),
    snippet: start + snippet,
    filterText: isTokenTyped ? start + plain(snippet) : label,
  }))
}

/** What may follow a start token: a role with the rest of a message, in place of `range`. */
export function roleSnippets(analysis: Analysis, range: Range): readonly Proposal[] {
  const { framing } = analysis.transcript
  return snippets(analysis, framing, range.start).map(({ label, detail, snippet }) => ({
    label: `${label} …`,
    detail,
    kind: 'message',
    documentation: '',
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
      snippet: `assistant to=\${1:${escapedForSnippet('functions.name')}} call_id=\${2:${escapedForSnippet(callId)}}<|channel|>commentary<|constrain|>json<|message|>{$0\\}<|call|>`,
    },
    {
      label: 'tool reply',
      detail: open ? localize`The reply to the open call` : localize`The reply of a tool`,
      snippet: `tool name=\${1:${escapedForSnippet(tool)}} call_id=\${2:${escapedForSnippet(replyId)}}<|channel|>commentary<|message|>$0<|end|>`,
    },
    {
      label: 'assistant preamble',
      detail: localize`An announcement that users see before a tool call`,
      snippet: 'assistant intent=preamble<|channel|>commentary<|message|>$0<|end|>',
    },
    {
      label: 'developer',
      detail: localize`Instructions and tools`,
      snippet: 'developer<|message|>$0<|end|>',
    },
    { label: 'system', detail: localize`Ground rules`, snippet: 'system<|message|>$0<|end|>' },
  ]
}

/** A snippet as plain text: placeholders become their default. */
function plain(snippet: string): string {
  return snippet
    .replace(/\$\{\d+:((?:\\.|[^}\\])*)\}/g, '$1')
    .replace(/\$\d/g, '')
    .replace(/\\(.)/g, '$1')
}
