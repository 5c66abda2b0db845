/** Reasoning in tags of another format where a user would see it. */

import { isNearTo } from '../../semantics/look-alikes.ts'
import { isVisible } from '../../semantics/visibility.ts'
import { localize } from '../../text/localize.ts'
import type { Span } from '../../text/range.ts'
import type { Framing } from '../../vocabulary/framing.ts'
import { thoughtEnd, thoughtName, thoughtStart } from '../../vocabulary/thought-marks.ts'
import { thoughtTokens } from '../../vocabulary/tokens.ts'
import { example } from '../example.ts'
import { bodyHas, proseMatches } from '../prose.ts'
import { quoted } from '../quoted.ts'
import type { Fix, MessageContext, MessageRule } from '../rule.ts'

/** Reasoning belongs on analysis (2.2 §7, §11). */
export const visibleThoughtTag: MessageRule = {
  name: 'visible-thought-tag',
  code: 'H-LEAK-THOUGHT',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §7, §11',
  summary: 'A reasoning tag of another format, or a misspelled one, appears in visible text',
  why: 'Models of other families write `<think>` or `<|start_think|>` around private reasoning.\nIn OpenChatML, these are ordinary text that users see, and so is a misspelled `<|start_reason|>`.',
  bad: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|message|><think>Two and two.</think>Four.<|return|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant<|channel|>final<|message|>Four.<|return|>
  `,
  concerns(facts) {
    return facts.role === 'assistant' && isVisible(facts)
  },
  check(context) {
    if (!bodyHas(context.segment, '<') || !opener.test(context.segment.text)) return undefined
    const lastClosers = new Map<string, number>()
    for (const { span, match } of proseMatches(context, tags)) {
      const tag = tagOf(match, context.segment.framing.tokens)
      if (!tag || !isMarkup(tag, match, lastClosers)) continue
      return {
        span,
        message: localize`${quoted(match[0])} shows reasoning to the user; it belongs on \`analysis\``,
        fixes: fixesOf(context, span, tag),
      }
    }
    return undefined
  },
}

// Linear: each alternative has a bounded length.
const opener = new RegExp(`<\\/?${thoughtName}|${thoughtStart}|${thoughtEnd}|<\\|[a-z]{1,20}_`, 'i')
// Linear: as above.
const tags = new RegExp(
  `<(?<slash>\\/?)(?<name>${thoughtName})(?:\\s[^<>]{0,200})?>|(?<token><(?:\\|\\/|\\/?\\|)[a-z]{1,20}(?:_[a-z_]{1,20})?\\|>)`,
  'gi',
)
const lineStart = /(?:^|[\r\n])[ \t]{0,3}$/ // what is indented further is code

/** A tag, or a token that models write like one. */
interface Tag {
  readonly isClosing: boolean
  /** The name of a tag, as written; undefined for a token. */
  readonly name: string | undefined
}

// Linear: as above.
const startToken = new RegExp(`^${thoughtStart}$`, 'i')
// Linear: as above.
const endToken = new RegExp(`^(?:${thoughtEnd})$`, 'i')
// Linear: as above.
const closing = new RegExp(`${thoughtEnd}|<\\|end_[a-z]{1,20}\\|>`, 'i')
const words = thoughtTokens.map(({ text }) => text.slice(2, -2))

/** The tag that `match` is; undefined for a token of the dialect itself, and of anything else than thought. */
function tagOf({ 0: text, groups = {} }: RegExpExecArray, own: Framing['tokens']): Tag | undefined {
  const { slash, name, token } = groups
  if (name !== undefined) return { isClosing: slash !== '', name }
  if (token === undefined || own.some((it) => it.text === token)) return undefined
  if (endToken.test(text)) return { isClosing: true, name: undefined }
  if (startToken.test(text)) return { isClosing: false, name: undefined }
  const near = words.find((it) => isNearTo(text.slice(2, -2).toLowerCase(), it))
  return near === undefined ? undefined : { isClosing: near.startsWith('end'), name: undefined }
}

/**
 * False for a tag that is only talked about: one between words. Models open a thought at the start of a line, and close
 * it after its last word, or on a line of its own. `lastClosers` remembers, by name, where the last closing tag is.
 */
function isMarkup(
  { name = '', isClosing }: Tag,
  { 0: tag, index, input }: RegExpExecArray,
  lastClosers: Map<string, number>,
): boolean {
  const behind = input.charAt(index + tag.length)
  const isOnLineStart = lineStart.test(input.slice(Math.max(0, index - 5), index))
  if (!isClosing) {
    if (!isOnLineStart) return false
    if (behind !== ' ') return true
    const last = lastClosers.get(name) ?? input.lastIndexOf(`</${name}>`)
    lastClosers.set(name, last)
    return last > index
  }
  return isOnLineStart || !/\s/.test(input.charAt(index - 1)) || behind === '\n' || behind === '\r'
}

/** Templates put the opening tag into the prompt, so the closing one may stand alone. */
function fixesOf(
  { view, segment, facts }: MessageContext,
  at: Span,
  { name, isClosing }: Tag,
): readonly Fix[] {
  const { body } = view
  if (!body || !facts.isPlainBody) return []
  const end = isClosing ? at : closerAfter(segment.text, at.to, name)
  if (!end || end.from >= body.to) return []
  const edits = [{ span: { from: isClosing ? body.from : at.from, to: end.to }, text: '' }]
  return [{ title: localize`Remove the reasoning`, edits, isSafe: false }]
}

function closerAfter(text: string, from: number, name: string | undefined): Span | undefined {
  if (name !== undefined) {
    const closer = `</${name}>`
    const at = text.indexOf(closer, from)
    return at === -1 ? undefined : { from: at, to: at + closer.length }
  }
  const match = closing.exec(text.slice(from))
  return match ? { from: from + match.index, to: from + match.index + match[0].length } : undefined
}
