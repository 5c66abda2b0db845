/** Reasoning in tags of another format where a user would see it. */

import { isVisible } from '../../semantics/visibility.ts'
import { localize } from '../../text/localize.ts'
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
  summary: 'A reasoning tag of another format appears in visible text',
  why: 'Models of other families write `<think>` around private reasoning.\nIn OpenChatML, it is ordinary text that users see.',
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
      if (!isMarkup(match, lastClosers)) continue
      return {
        span,
        message: localize`${quoted(match[0])} shows reasoning to the user; it belongs on \`analysis\``,
        fixes: fixesOf(context, span.from, match[1] ?? ''),
      }
    }
    return undefined
  },
}

const opener = /<\/?(?:think|thinking|reasoning|scratchpad)>/
const tags = /<\/?(think|thinking|reasoning|scratchpad)>/g
const lineStart = /(?:^|[\r\n])[ \t]{0,3}$/ // what is indented further is code

/**
 * False for a tag that is only talked about: one between words. Models open a thought at the start of a line, and close
 * it after its last word, or on a line of its own. `lastClosers` remembers, by name, where the last closing tag is.
 */
function isMarkup(
  { 0: tag, 1: name = '', index, input }: RegExpExecArray,
  lastClosers: Map<string, number>,
): boolean {
  const behind = input.charAt(index + tag.length)
  const isOnLineStart = lineStart.test(input.slice(Math.max(0, index - 5), index))
  if (!tag.startsWith('</')) {
    if (!isOnLineStart) return false
    if (behind !== ' ') return true
    const last = lastClosers.get(name) ?? input.lastIndexOf(`</${name}>`)
    lastClosers.set(name, last)
    return last > index
  }
  return isOnLineStart || !/\s/.test(input.charAt(index - 1)) || behind === '\n' || behind === '\r'
}

/** Templates put the opening tag into the prompt, so the closing one may stand alone. */
function fixesOf({ view, segment, facts }: MessageContext, at: number, name: string): readonly Fix[] {
  const { body } = view
  if (!body || !facts.isPlainBody) return []
  const closer = `</${name}>`
  const end = segment.text.indexOf(closer, at)
  if (end === -1 || end >= body.to) return []
  const from = segment.text.startsWith(closer, at) ? body.from : at
  const edits = [{ span: { from, to: end + closer.length }, text: '' }]
  return [{ title: localize`Remove the reasoning`, edits, isSafe: false }]
}
