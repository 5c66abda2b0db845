/**
 * Words of a message header that say something else than the parts that count (D16): a misspelt or misplaced channel, a
 * recipient in the wrong place. What such a message was meant to be is unknown, so no user sees it. Only headers that are
 * irregular are looked at; {@link regularFacts} leaves no doubt.
 */
import type { MessageView, WordView } from '../syntax/message-view.ts'
import { isBlank } from '../syntax/role-word.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Span } from '../text/range.ts'
import { attributeOf, isContentType, isToolRecipient, preambleIntent } from '../vocabulary/attributes.ts'
import { type Channel, channelOf } from '../vocabulary/channels.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import {
  hasForeignPrivateWord,
  hasPrivateWord,
  isDenial,
  isEffort,
  isHiding,
  isNameOfKind,
  isNameOfRecipient,
  isNameOfSubject,
  isNameOfTool,
  isNearRecipient,
  isPrivateWord,
  isRecipientLike,
  mayNameTool,
} from './header-vocabulary.ts'
import { isNearTo, readableForm } from './look-alikes.ts'

/** A word of a header that puts in doubt who may see the message. */
export interface HeaderDoubt {
  /** The word, or `key=value`, relative to the segment. */
  readonly span: Span
  /** The private channel that it resembles. */
  readonly channel?: Channel
  /** The recipient that it seems to name. */
  readonly recipient?: string
}

/** The first doubt about the message in `segment`; undefined where there is none, or where users see nothing of it anyway. */
export function headerDoubt(segment: Segment, view: MessageView): HeaderDoubt | undefined {
  if (!view.body || (view.role !== 'user' && view.role !== 'assistant') || !mayBeShown(view)) return undefined
  const reader = {
    isAssistant: view.role === 'assistant',
    channel: channelOf(view.channel?.value?.text ?? ''),
  }
  return (
    attributeDoubt(view, reader) ??
    wordDoubt(view, reader) ??
    (view.isCut ? leftOverDoubt(segment, view, reader) : undefined)
  )
}

/** What the words of a header are compared with. */
interface Reader {
  readonly isAssistant: boolean
  /** The channel that counts: naming it again contradicts nothing. */
  readonly channel: Channel | undefined
}

/** True if the parts that count would show the message. */
function mayBeShown({ channel, attributes }: MessageView): boolean {
  if (channel === undefined || channel.value?.text === 'final') return true
  return channelOf(channel.value?.text ?? '') !== undefined && attributes.some(isPreamble)
}

function isPreamble({ value }: MessageView['attributes'][number]): boolean {
  return value?.text === preambleIntent
}

const mostWords = 50 // of a header that is looked at word by word; with more of them, it is none
const longestWord = 200 // code units of a word that is compared

function attributeDoubt({ attributes }: MessageView, reader: Reader): HeaderDoubt | undefined {
  let recipients = 0
  for (let index = 0; index < attributes.length; index++) {
    const { name, value } = attributes[index] as MessageView['attributes'][number] // the index is one of the list
    const span = { from: name.span.from, to: value?.span.to ?? name.span.to + 1 }
    if (index >= mostWords) return { span }
    const words = value?.text ?? ''
    if (attributeOf(name.text)) {
      if (name.text === 'to') recipients++
      if (value && hasTokenPart(words)) return tokenDoubt(value)
      if (recipients > 1 && words !== '' && reader.isAssistant && isToolRecipient(words))
        return { span, recipient: words }
      const channel = isNameOfKind(name.text) ? privateChannelNear(words) : undefined
      if (channel && channel !== reader.channel) return { span, channel }
      continue
    }
    const doubt = pairDoubt(name.text, words, reader)
    if (doubt) return { span, ...doubt }
  }
  return undefined
}

/** What a misspelt token begins within a value. */
function tokenDoubt({ text, span }: WordView): HeaderDoubt {
  const at = text.search(/<?\|/)
  const channel = privateChannelNear(text.slice(at, at + longestWord))
  return { span: { from: span.from + at, to: span.to }, ...(channel && { channel }) }
}

type Meaning = Omit<HeaderDoubt, 'span'>

function wordDoubt({ otherWords, constraint }: MessageView, reader: Reader): HeaderDoubt | undefined {
  for (let index = 0; index < otherWords.length; index++) {
    const { text, span } = otherWords[index] as WordView // the index is one of the list
    if (index >= mostWords) return { span }
    const doubt = oneWordDoubt(text, reader)
    if (doubt) return { span, ...doubt }
  }
  const spaced = spacedChannel(otherWords)
  if (spaced && spaced.channel !== reader.channel) return spaced
  const type = constraint?.value
  if (!type || isContentType(type.text)) return undefined
  const doubt = oneWordDoubt(type.text, reader)
  return doubt && { span: { from: constraint.marker.from, to: type.span.to }, ...doubt }
}

/** The private channel that several words are when put together: `ana lysis`. */
function spacedChannel(
  words: readonly WordView[],
): (HeaderDoubt & { readonly channel: Channel }) | undefined {
  const [first, last] = [words[0], words.at(-1)]
  if (!first || !last || first === last) return undefined
  const joined = words.map(({ text }) => readableForm(text)).join('')
  const channel = privateChannels.find((it) => joined.includes(it))
  return channel && { span: { from: first.span.from, to: last.span.to }, channel }
}

/** In a header that a terminator cuts, what follows may be text, but also more header. */
function leftOverDoubt({ text }: Segment, view: MessageView, reader: Reader): HeaderDoubt | undefined {
  const { body, terminator } = view
  if (!body) return undefined
  if (reader.isAssistant && terminator?.kind === ControlKind.call) return { span: body }
  let at = body.from
  for (let nth = 0; nth < wordsOfHeader; nth++) {
    while (at < body.to && isBlank(text.charCodeAt(at))) at++
    const from = at
    while (at < body.to && !isBlank(text.charCodeAt(at))) at++
    if (from === at) break
    const span = { from, to: at }
    const doubt = oneWordDoubt(text.slice(from, at), reader)
    if (doubt) return { span, ...doubt }
  }
  return text.slice(body.from, body.to).includes('<|') ? { span: body } : undefined
}

const wordsOfHeader = 3 // at the beginning of a text that may belong to a header

function oneWordDoubt(word: string, reader: Reader): Meaning | undefined {
  if (word.length > longestWord || hasTokenPart(word)) {
    const channel = privateChannelNear(word.slice(0, longestWord))
    return channel ? { channel } : {}
  }
  const readable = readableForm(word)
  const pair = [word, readable].find((it) => it.search(/[=:]/) > 0) // as it is written, if it has an ASCII sign
  if (pair !== undefined) {
    const split = pair.search(/[=:]/)
    return pairDoubt(pair.slice(0, split), pair.slice(split + 1), reader)
  }
  const channel = privateChannelNear(word)
  if (channel) return channel === reader.channel ? undefined : { channel }
  if (reader.isAssistant) {
    const recipient = bare(word, true)
    // No tool has a name such as `gpt-4.1` or `v1.2`.
    if (isNameOfTool(recipient) || (!/\.\d/.test(word) && isRecipientLike(recipient)))
      return { recipient: word }
  }
  return isNameOfPart(readable, reader) ? {} : undefined
}

/** The doubt about `name=value`, where the format has no such attribute. */
function pairDoubt(name: string, value: string, reader: Reader): Meaning | undefined {
  if (value.length > longestWord || name.length > longestWord) return {}
  const key = bare(name)
  const word = bare(value) || value
  const channel = channelOfPair(key, word) ?? foreignChannelOfPair(name, value)
  if (channel && channel !== reader.channel) return { channel }
  if (hasTokenPart(value)) return {}
  if (isNearTo(key, 'channel')) return word === (reader.channel ?? 'final') ? undefined : {}
  if (isHiding(key, word)) return {}
  if (!reader.isAssistant) return undefined
  const isRecipient = isNameOfTool(word) || isNameOfRecipient(key) || isNearRecipient(key)
  return isRecipient && !isDenial(word) && mayNameTool(value) ? { recipient: value } : undefined
}

/** The private channel that `key=word` seems to name. */
function channelOfPair(key: string, word: string): Channel | undefined {
  if (isNameOfSubject(key)) return undefined
  const channel = namedChannelNear(word)
  if (channel) return channel
  if (isNameOfKind(key) ? hasPrivateWord(word) : isPrivateWord(word)) return 'analysis'
  if (isDenial(word) || isEffort(key, word) || key === 'reason') return undefined // `reason=stop` says why it ended
  return namedChannelNear(key) ?? (isPrivateWord(key) ? 'analysis' : undefined)
}

/** The private channel that the words of `name=value` name in another language; their letters are not those of {@link bare} words. */
function foreignChannelOfPair(name: string, value: string): Channel | undefined {
  const [key, word] = [readableForm(name), readableForm(value)]
  if (isNameOfSubject(key) || isDenial(word)) return undefined
  return hasForeignPrivateWord(word) || hasForeignPrivateWord(key) ? 'analysis' : undefined
}

/** True for a word that begins a part of a header, and no part follows. */
function isNameOfPart(word: string, reader: Reader): boolean {
  if (isNearTo(word, 'channel') || word === 'to' || word === 'recipient') return true
  return reader.isAssistant && isNameOfRecipient(word)
}

/** The private channel that a word of its own seems to name, in the words of other formats too. */
export function privateChannelNear(word: string): Channel | undefined {
  const letters = bare(word)
  const isPrivate = hasPrivateWord(letters) || hasForeignPrivateWord(readableForm(word))
  return namedChannelNear(letters) ?? (isPrivate ? 'analysis' : undefined)
}

/** The private channel that `word` is, contains, or differs from in one or two letters. */
function namedChannelNear(word: string): Channel | undefined {
  return privateChannels.find((channel) => word.includes(channel) || isNearTo(word, channel))
}

const privateChannels: readonly Channel[] = ['analysis', 'commentary']

/** The readable form without quotes and other signs around it; of a name with dots, they stay at its end. */
function bare(word: string, hasDots = false): string {
  return readableForm(word)
    .replace(/^[^a-z0-9]+/, '')
    .replace(hasDots ? /[^a-z0-9.]{1,200}$/ : /[^a-z0-9]{1,200}$/, '')
}

/** True for a token that has lost a letter or its first angle: no word of a header has a bar. */
function hasTokenPart(word: string): boolean {
  return word.includes('|')
}
