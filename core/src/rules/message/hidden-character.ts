/** Characters that no reader sees, but that a model reads, or that reorder what readers see. */

import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { Finding, MessageRule } from '../rule.ts'

/** What is shown is what is meant (2.2 §11). */
export const hiddenCharacter: MessageRule = {
  name: 'hidden-character',
  code: 'H-HIDDEN-CHARACTER',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §11',
  summary: 'Characters are invisible, or reorder the text around them',
  why: 'Unicode tag characters spell text that editors do not show but models read, so they can hide instructions.\nDirectional control characters can make a line look different from what it contains.\nCharacters that ordinary text needs are not reported: joiners in emoji, flags, and marks and balanced controls in right-to-left text.',
  bad: 'version: 2.2\n<|start|>user<|message|>Hello\u{e0068}\u{e0069}<|end|>\n',
  good: example`
    version: 2.2
    <|start|>user<|message|>Hello<|end|>
  `,
  check({ segment, hasUnusualCharacters }) {
    const { text } = segment
    if (!hasUnusualCharacters || !hidden.test(text)) return undefined
    if (text.length > examinedAtMost) return firstFindingsIn(text)
    return isSuspicious(text) ? findingsIn(text) : undefined
  },
}

const examinedAtMost = 2_000_000 // code units of one message: each keystroke in it looks at them all

/** What is in the beginning of a long text, and that the rest was not examined if it has such characters. */
function* firstFindingsIn(text: string): IterableIterator<Finding> {
  const beginning = text.slice(0, examinedAtMost)
  if (isSuspicious(beginning)) yield* findingsIn(beginning)
  if (!hidden.test(text.slice(examinedAtMost))) return
  yield {
    span: { from: examinedAtMost, to: examinedAtMost + 1 },
    message: localize`Only the first ${examinedAtMost} characters of this message are examined for hidden ones; more of them follow`,
    severity: 'information',
  }
}

function* findingsIn(text: string): IterableIterator<Finding> {
  const isHarmless = isBalanced(text) && (rightToLeft.test(text) || !turning.test(text))
  for (const match of text.matchAll(runs)) {
    const [run] = match
    const message = match.groups?.flag === undefined ? messageOf(run, isHarmless) : undefined
    if (message === undefined) continue
    const span = { from: match.index, to: match.index + run.length }
    const edits = [{ span, text: '' }]
    const fixes = [{ title: localize`Remove the hidden characters`, edits, isSafe: false }]
    yield { span, message, fixes }
  }
}

/** A quick look: plain text in any script has none of these. */
const hidden = /[\ufe00-\ufe0f\u200b-\u200d\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff\udb40]/

/**
 * A second one: true if there is a control of direction, half of a tag character, or a run of others that {@link runs} finds.
 * What is common in emoji and in some scripts is not suspicious. Twice as quick as an expression.
 */
function isSuspicious(text: string): boolean {
  let invisible = 0
  let selectors = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x200b) {
      invisible = 0
      selectors = 0
      continue
    }
    if (code === 0xdb40 || isWithin(code, 0x202a, 0x202e) || isWithin(code, 0x2066, 0x2069)) return true
    invisible = isInvisible(code) ? invisible + 1 : 0
    selectors = isWithin(code, 0xfe00, 0xfe0f) ? selectors + 1 : 0
    if (invisible === 8 || selectors === 4) return true
  }
  return false
}

function isInvisible(code: number): boolean {
  return isWithin(code, 0x200b, 0x200d) || isWithin(code, 0x2060, 0x2064) || code === 0xfeff
}

function isWithin(code: number, first: number, last: number): boolean {
  return first <= code && code <= last
}

const runs =
  // A flag of a region is a black flag with the region's name in tags.
  /(?<flag>\u{1f3f4}[\u{e0030}-\u{e007a}]+\u{e007f})|[\u{e0000}-\u{e007f}]+|[\u202a-\u202e\u2066-\u2069]+|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}]{4,}|[\u200b-\u200d\u2060-\u2064\ufeff]{8,}/gu

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

/** The controls that make text run from right to left; the others, which apps put around names and numbers, move nothing. */
const turning = /[\u202b\u202d\u202e\u2067]/

function messageOf(run: string, isHarmless: boolean): string | undefined {
  const code = run.codePointAt(0) ?? 0
  if (0xe0000 <= code && code <= 0xe007f) {
    const said = [...run].map((it) => String.fromCharCode((it.codePointAt(0) ?? 0) - 0xe0000)).join('')
    const readable = said.replace(/[^ -~]/g, '')
    return readable === ''
      ? localize`Invisible tag characters`
      : localize`Invisible tag characters spell ${quoted(readable)}`
  }
  if (/[\u202a-\u202e\u2066-\u2069]/.test(run)) {
    const isOverride = /[\u202d\u202e]/.test(run)
    if (isHarmless && !isOverride) return undefined
    return localize`Bidirectional control characters; the text may be in a different order than it appears`
  }
  const count = [...run].length
  return /[\u200b-\u200d\u2060-\u2064\ufeff]/.test(run)
    ? localize`A run of ${count} invisible characters, which may hide data`
    : localize`A run of ${count} variation selectors, which may hide data`
}

/** True if every embedding and every isolate ends in this message. */
function isBalanced(text: string): boolean {
  const openings = text.match(/[\u202a\u202b\u202d\u202e]/g)?.length ?? 0
  const closings = text.match(/\u202c/g)?.length ?? 0
  const isolates = text.match(/[\u2066-\u2068]/g)?.length ?? 0
  const ends = text.match(/\u2069/g)?.length ?? 0
  return openings === closings && isolates === ends
}
