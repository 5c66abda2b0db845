/** A fill-in-the-middle task that lacks a part. */

import type { Segment } from '../../syntax/segment.ts'
import { TokenKind } from '../../syntax/token-run.ts'
import { tokensOf } from '../../syntax/tokenize.ts'
import { localize } from '../../text/localize.ts'
import type { Span } from '../../text/range.ts'
import type { ControlKind } from '../../vocabulary/tokens.ts'
import { example } from '../example.ts'
import { beforeBlanks, insertion, tokenText } from '../message-header-places.ts'
import { listed } from '../quoted.ts'
import type { Finding, SequenceRule } from '../rule.ts'

/** A task has prefix, middle and suffix, in either order of the last two (0.1 §6, D3). */
export const incompleteFim: SequenceRule = {
  name: 'incomplete-fim',
  code: 'E-FIM-INCOMPLETE',
  severity: 'error',
  scope: 'sequence',
  section: '0.1 §6, D3',
  summary: 'A fill-in-the-middle task is missing one of its three tokens',
  why: 'A model is trained on all three: the text before the gap, the text after it, and the place where it starts to write.\nBoth orders, prefix-suffix-middle and prefix-middle-suffix, are fine.',
  bad: example`
    <|fim_prefix|>def add(a, b):<|fim_suffix|>    return c
  `,
  good: example`
    <|fim_prefix|>def add(a, b):<|fim_suffix|>    return c<|fim_middle|>
  `,
  check(segment) {
    for (const task of tasksIn(segment)) {
      const missing = parts.filter((kind) => !task.kinds.has(kind))
      if (missing.length > 0) return findingOf(segment, task, missing)
    }
    return undefined
  },
}

const parts: readonly ControlKind[] = [TokenKind.fimPrefix, TokenKind.fimMiddle, TokenKind.fimSuffix]

interface Task {
  readonly kinds: Set<number>
  readonly first: Span
  isLast: boolean
}

/** A part that occurs a second time begins another task. */
function tasksIn(segment: Segment): readonly Task[] {
  const tasks: Task[] = []
  const run = tokensOf(segment)
  let from = 0
  for (let index = 0; index < run.count; index++) {
    const kind = run.kinds[index] ?? 0
    const to = run.ends[index] ?? from
    if (kind === TokenKind.fimPrefix || kind === TokenKind.fimMiddle || kind === TokenKind.fimSuffix) {
      const current = tasks.at(-1)
      if (current && !current.kinds.has(kind)) {
        current.kinds.add(kind)
      } else {
        if (current) current.isLast = false
        tasks.push({ kinds: new Set([kind]), first: { from, to }, isLast: true })
      }
    }
    from = to
  }
  return tasks
}

function findingOf(segment: Segment, { first, isLast }: Task, missing: readonly ControlKind[]): Finding {
  const { text, framing } = segment
  const names = missing.map((kind) => tokenText(framing, kind) ?? '')
  const at = endOfContent(segment)
  const canAppend = isLast && missing.length === 1 && missing[0] !== TokenKind.fimPrefix
  const edits = [insertion(at, names[0] ?? '')]
  return {
    span: first,
    message: localize`The fill-in-the-middle task is missing ${listed(names)}`,
    fixes:
      canAppend && at <= text.length
        ? [{ title: localize`Append \`${names[0]}\``, edits, isSafe: false }]
        : [],
  }
}

/** Before the white space at the end, and before the mark that ends the sequence. */
function endOfContent(segment: Segment): number {
  const run = tokensOf(segment)
  let from = 0
  for (let index = 0; index < run.count; index++) {
    if (run.kinds[index] === TokenKind.sequenceEnd) return from
    from = run.ends[index] ?? from
  }
  return beforeBlanks(segment.text, segment.length)
}
