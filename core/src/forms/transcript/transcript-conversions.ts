/**
 * Changes to a whole transcript that its purpose asks for: as a training sample it ends in the stop of the model, as stored
 * history it has none; spent reasoning may be dropped; headers are written in one way (2.2 §7, §12, D11, D24).
 * What a conversion does not speak of stays byte for byte.
 */

import { spelled } from '../../conversation/spelling.ts'
import { lineBreakOf } from '../../document/line-break.ts'
import { yamlEdits } from '../../embedded/yaml-edit.ts'
import { valueAt, yamlHeader } from '../../embedded/yaml-header.ts'
import { applyEdits } from '../../rules/apply-fix.ts'
import type { Analysis } from '../../semantics/analysis.ts'
import { factsOf, type MessageFacts } from '../../semantics/message-facts.ts'
import { isAnswer, kindOf } from '../../semantics/message-kind.ts'
import { answerTerminator, endsAnswers } from '../../semantics/terminators.ts'
import { viewMessage } from '../../syntax/message-view.ts'
import type { Segment } from '../../syntax/segment.ts'
import { localizable } from '../../text/localize.ts'
import type { Range, TextEdit } from '../../text/range.ts'
import type { Intent } from '../../vocabulary/intents.ts'
import { ControlKind } from '../../vocabulary/tokens.ts'
import { type HeaderStyle, headerStyler, type StyledHeader, styledHeader } from './header-style.ts'

/** What a transcript can be made to be. */
export type TranscriptConversion =
  | 'training'
  | 'history'
  | 'drop-reasoning'
  | 'canonical-headers'
  | 'harmony-headers'

/** The conversions, each with an imperative without final stop that says what it does; to be shown, it is `localized`. */
export const transcriptConversions: readonly {
  readonly name: TranscriptConversion
  readonly title: string
}[] = [
  { name: 'training', title: localizable`Convert to a training sample` },
  { name: 'history', title: localizable`Convert to stored history` },
  { name: 'drop-reasoning', title: localizable`Drop the reasoning of finished turns` },
  { name: 'canonical-headers', title: localizable`Write all headers in the canonical form` },
  { name: 'harmony-headers', title: localizable`Write all headers as Harmony models do` },
]

/**
 * The edits of a conversion, in order of the text and made one by one; none if there is nothing to do. Only text with
 * channels is converted: OpenChatML 0.1 has none, and raw Harmony text has a conversion of its own.
 */
export function* conversionEdits(analysis: Analysis, name: TranscriptConversion): IterableIterator<TextEdit> {
  if (analysis.transcript.framing.name === 'chatml') return
  switch (name) {
    case 'training':
    case 'history':
      yield* intentEdits(analysis, name)
      yield* terminatorEdits(analysis, name)
      return
    case 'drop-reasoning':
      yield* reasoningEdits(analysis)
      return
    case 'canonical-headers':
    case 'harmony-headers':
      yield* headerStyleEdits(analysis, name)
      return
    default:
      name satisfies never
  }
}

/** The edit that writes the header of the message at `offset` in one of the two ways; undefined if it is written so. */
export function headerStyleEdit(
  analysis: Analysis,
  offset: number,
  name: 'canonical-headers' | 'harmony-headers',
): TextEdit | undefined {
  const { transcript } = analysis
  const { segment, start } = transcript.segmentAt(Math.max(0, Math.min(offset, transcript.length)))
  return styleEdit(styledHeader(segment, styleOf(name)), start)
}

function* headerStyleEdits(
  { transcript }: Analysis,
  name: 'canonical-headers' | 'harmony-headers',
): IterableIterator<TextEdit> {
  const styled = headerStyler(styleOf(name))
  for (const { segment, start } of transcript.segments()) {
    const edit = styleEdit(styled(segment), start)
    if (edit) yield edit
  }
}

function styleOf(name: 'canonical-headers' | 'harmony-headers'): HeaderStyle {
  return name === 'canonical-headers' ? 'canonical' : 'harmony'
}

function styleEdit(styled: StyledHeader | undefined, start: number): TextEdit | undefined {
  return styled && { start: start + styled.span.from, end: start + styled.span.to, text: styled.text }
}

/** A header that is there says afterwards what the transcript is for, so that rules follow. */
function intentEdits({ header, transcript, settings }: Analysis, intent: Intent): readonly TextEdit[] {
  if (!header.isPresent || !header.yaml.value || settings.intent === intent) return []
  if (transcript.framing.name !== 'openchatml') return []
  const edits = yamlEdits(header.yaml, { profiles: { intent } })
  if (!edits) return []
  const lineBreak = lineBreakOf(transcript)
  const written = edits.map((it) => ({ ...it, text: it.text.replaceAll('\n', lineBreak) }))
  const after = yamlHeader(applyEdits(header.yaml.text, written))
  if (!after.value || valueAt(after, ['profiles', 'intent'])?.value !== intent) return []
  return written.map(({ start, end, text }) => ({
    start: header.offset + start,
    end: header.offset + end,
    text,
  }))
}

/** Only the last answer of a training sample ends with the stop; in history, none does (D11). */
function* terminatorEdits(analysis: Analysis, name: 'training' | 'history'): IterableIterator<TextEdit> {
  const { transcript } = analysis
  const last = name === 'training' ? lastMessage(analysis) : undefined
  for (const { segment, start } of transcript.segments()) {
    const facts = factsOf(segment)
    if (!facts || !isAnswerMessage(facts)) continue
    const wanted = answerTerminator(name, segment === last)
    if (wanted === undefined || facts.terminator === wanted || !endsAnswers(facts.terminator)) continue
    const { terminator } = viewMessage(segment)
    if (!terminator) continue
    const text = wanted === ControlKind.return ? spelled.return : spelled.end
    yield { start: start + terminator.span.from, end: start + terminator.span.to, text }
  }
}

/** A prompt for the next message is not part of a sample. */
function lastMessage({ transcript }: Analysis): Segment | undefined {
  return transcript.findLastSegment((segment) => factsOf(segment)?.isMessage === true)
}

/**
 * Reasoning is spent when the turn it stands in has come to an answer (2.2 §7, §12). What leads to a call that is still
 * open is kept, because no answer is after it; so are calls on `analysis`, which have replies.
 */
function* reasoningEdits({ transcript }: Analysis): IterableIterator<TextEdit> {
  let thoughts: Range[] = []
  // After a message that is cut off, the next one may begin only because of the thought between them.
  let isCutOff = false
  for (const { segment, start } of transcript.segments()) {
    const facts = factsOf(segment)
    const isBehindCut = isCutOff
    isCutOff = segment.endsInBody
    if (!facts?.isMessage) continue
    if (facts.role === 'user') thoughts = []
    else if (isAnswerMessage(facts)) {
      for (const thought of thoughts) yield { ...thought, text: '' }
      thoughts = []
    } else if (!isBehindCut && isThought(segment, facts))
      thoughts.push({ start, end: start + segment.length })
  }
}

function isAnswerMessage(facts: MessageFacts): boolean {
  return facts.isMessage && isAnswer(facts)
}

/** With the white space after it, a whole message of reasoning; with other text after it, nothing is cut out. */
function isThought(segment: Segment, facts: MessageFacts): boolean {
  if (kindOf(facts) !== 'reasoning' || facts.hasRecipient) return false
  if (facts.isMalformed || facts.terminator === ControlKind.none) return false
  return viewMessage(segment).stray === undefined
}
