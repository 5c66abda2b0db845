/** Recognizes the raw text of gpt-oss models. */
import { LossList } from '../../conversation/loss.ts'
import { shownTextOf } from '../../conversation/message-visibility.ts'
import { spelled } from '../../conversation/spelling.ts'
import { Transcript } from '../../document/transcript.ts'
import { visibleTexts } from '../../preview/visible-messages.ts'
import { beginsAsHeader, rawOutput } from '../../rules/preamble-text.ts'
import { headerOf } from '../../semantics/document-settings.ts'
import { factsOfMessage } from '../../semantics/message.ts'
import { kindOf } from '../../semantics/message-kind.ts'
import { preambleEnd } from '../../syntax/preamble-end.ts'
import { openchatml } from '../../vocabulary/openchatml-framing.ts'
import { ControlKind, isTerminator } from '../../vocabulary/tokens.ts'
import { beginsWithNamedFrame } from '../samples/framed-text.ts'
import { fromHarmonyText } from './read-harmony.ts'

/** True for text, which begins at `start` after white space, that is Harmony and hides what a transcript hides. */
export function isHarmonyText(text: string, start: number): boolean {
  return (
    !beginsWithNamedFrame(text, start) && looksLikeHarmony(text, start) && showsNoMoreAsHarmony(text, start)
  )
}

/**
 * True if reading `text` as Harmony shows users nothing that a transcript hides: Harmony has no escapes and no blocks, and
 * shows commentary (D21). Where the two differ, the form is a guess, and the text is a transcript for all commands.
 */
function showsNoMoreAsHarmony(text: string, start: number): boolean {
  // The rest of a message whose header is in the prompt is not text of a transcript, as long as it is one message.
  const isCompletion = !text.startsWith(spelled.start, start)
  const first = isCompletion ? text.indexOf(spelled.start) : 0
  const seen = new Set(first === -1 ? [] : textsSeenIn(text.slice(first)))
  const { messages } = fromHarmonyText(text, { isStrict: false, role: 'assistant' }, new LossList())
  return messages.every((message, index) => {
    const shown = shownTextOf(message)
    if (shown === undefined || seen.has(shown)) return true
    if (!isCompletion || index > 0 || shown.includes(spelled.start)) return false
    return kindOf(factsOfMessage(message)) !== 'preamble' // which its own header would have to say in a transcript
  })
}

/** What users see of `text` as a transcript. */
function textsSeenIn(text: string): readonly string[] {
  const transcript = Transcript.parse(text)
  const { lastSegment } = transcript
  return visibleTexts({ transcript, lastSegment })
}

/** Without header, message upon message without a break, and nothing that only OpenChatML has. */
export function looksLikeHarmony(text: string, start: number): boolean {
  if (start === -1) return false
  if (!text.startsWith(spelled.start, start)) return isCompletion(text, start)
  const { matcher } = openchatml
  let isTight = false
  let lastEndLiteral: number | undefined
  for (let at = start; at !== -1; at = text.indexOf('<|', at + 2)) {
    const { kind, length } = matcher.tokenAtOpening(text, at)
    const end = at + length
    if (kind === ControlKind.literal) {
      // A block that nothing closes is a word of text, in OpenChatML too (D9).
      lastEndLiteral ??= text.lastIndexOf(spelled.endLiteral)
      if (end <= lastEndLiteral) return false
    }
    if (kind === ControlKind.start) {
      if (text[at - 1] === '<' || matchesAt(ownAttribute, text, end)) return false
    } else if (isTerminator(kind)) {
      if (text.startsWith(spelled.start, end)) isTight = true
      else if (matchesAt(breakBeforeStart, text, end)) return false
    }
  }
  return isTight || text.includes(` ${spelled.constrain}`) || text.includes('# Valid channels:')
}

/** What a model writes after a prompt: output that begins before the first start token, where a header would be. */
function isCompletion(text: string, start: number): boolean {
  const { matcher } = openchatml
  const first = matcher.tokenAt(text, start).kind
  if (first === ControlKind.channel) return true
  if (isTerminator(first)) return false // of a message that is not there
  if (beginsAsHeader(text, start)) return false // which nearly every transcript does
  const { end } = preambleEnd(text)
  const head = text.slice(0, end)
  if (!head.includes('<|')) return false
  const preamble = Transcript.parse(head).segment(0).segment
  const output = rawOutput({ preamble, header: headerOf(preamble) })
  return output?.from === start && !matchesAt(ownAttribute, text, start)
}

const ownAttribute = /[^<]*\s(?:call_id|name|intent|content_type)=/y
const breakBeforeStart = /\s+<\|start\|>/y

function matchesAt(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}
