/** Texts with frames around messages, as chat templates of models write them (F23). */

import type { LossList } from '../../conversation/loss.ts'
import { localize } from '../../text/localize.ts'
import { spokenRole } from '../../vocabulary/role-words.ts'
import type { SampleReader } from './sample-reader.ts'

/** A message of a framed text. */
export interface FramedMessage {
  /** One of our roles, or the word as it is written. */
  readonly role: string
  readonly text: string
}

/** A way to frame messages: where the next one begins, and where it ends. */
interface Framing {
  /** What the first frame begins with; texts that do not have it have none. */
  readonly sign: RegExp
  /** Begins a message; the first group is the role. */
  readonly open: RegExp
  /** Ends one before the next begins. */
  readonly close: RegExp | undefined
}

/** Begins a message of Phi, Zephyr, and GLM. */
const namedFrame = /<\|(?:system|user|assistant)\|>/

/** True if the first frame of `text`, from `start` on, is one that has the role as its name, which no transcript begins with. */
export function beginsWithNamedFrame(text: string, start: number): boolean {
  const begin = text.slice(start, start + 40).replace(/^<s>\s*/, '')
  return begin.search(namedFrame) === 0
}

// Linear: each begins with a fixed text, and roles are short.
const framings: readonly Framing[] = [
  {
    sign: /<\|start_header_id\|>/,
    open: /<\|start_header_id\|>([^<\n]{1,40})<\|end_header_id\|>/g,
    close: /<\|eo[tm]_id\|>/,
  },
  { sign: /<start_of_turn>/, open: /<start_of_turn>([a-z_]{1,40})\n/g, close: /<end_of_turn>/ },
  {
    sign: /<\|im_start\|>/,
    open: /<\|im_start\|>(?!(?:think|answer)\n)([a-z_]{1,40})\n/g, // those two divide an answer of s1
    close: /<\|im_end\|>/,
  },
  {
    sign: namedFrame,
    open: /<\|(system|user|assistant|observation|tool)\|>/g,
    close: /<\|end\|>|<\|endoftext\|>|<\/s>/,
  },
  {
    sign: /<｜(?:User|Assistant)｜>/,
    open: /<｜(User|Assistant)｜>/g,
    close: /<｜end▁of▁sentence｜>/,
  },
  { sign: /### (?:Human|Assistant):/, open: /### (Human|Assistant):/g, close: undefined },
  { sign: /(?:^|\n\n)(?:Human|Assistant):/, open: /(?:^|\n\n)(Human|Assistant):/g, close: undefined },
]

const instruction = /\[INST\]/

/** The messages of `text`; undefined if it has no frames. The first kind of frame that occurs counts. Linear. */
export function framedMessages(text: string): readonly FramedMessage[] | undefined {
  let first = text.search(instruction)
  let framing: Framing | undefined
  for (const it of framings) {
    const at = text.search(it.sign)
    if (at === -1 || (first !== -1 && at >= first)) continue
    first = at
    framing = it
  }
  if (first === -1) return undefined
  const messages = framing ? inFrames(text, framing) : inInstructions(text)
  if (messages.length === 0) return undefined
  const last = messages.at(-1)
  // An empty last message of the assistant is where a model goes on.
  return last?.role === 'assistant' && last.text === '' ? messages.slice(0, -1) : messages
}

function inFrames(text: string, { open, close }: Framing): readonly FramedMessage[] {
  const opens = [...text.matchAll(open)]
  const messages = wordsBefore(text.slice(0, opens[0]?.index ?? 0))
  for (const [index, match] of opens.entries()) {
    const from = match.index + match[0].length
    const until = text.slice(from, opens[index + 1]?.index ?? text.length)
    const end = close ? until.search(close) : -1
    const word = (match[1] ?? '').trim()
    messages.push({ role: roleOfWord(word), text: bodyOf(end === -1 ? until : until.slice(0, end)) })
  }
  return messages
}

/** `[INST] <<SYS>>…<</SYS>> … [/INST] …` */
function inInstructions(text: string): readonly FramedMessage[] {
  const pieces = text.split('[INST]')
  const messages = wordsBefore(pieces[0] ?? '')
  for (const piece of pieces.slice(1)) {
    const end = piece.indexOf('[/INST]')
    const said = end === -1 ? piece : piece.slice(0, end)
    const [from, to] = [said.indexOf('<<SYS>>'), said.indexOf('<</SYS>>')]
    const hasSystem = from !== -1 && to > from
    if (hasSystem) messages.push({ role: 'system', text: bodyOf(said.slice(from + 7, to)) })
    messages.push({ role: 'user', text: bodyOf(hasSystem ? said.slice(to + 8) : said) })
    if (end !== -1) messages.push({ role: 'assistant', text: bodyOf(piece.slice(end + 7)) })
  }
  return messages
}

function wordsBefore(text: string): FramedMessage[] {
  const words = bodyOf(text)
  return words === '' ? [] : [{ role: 'system', text: words }]
}

/** What is said, without the tokens that begin and end a text. */
function bodyOf(text: string): string {
  return text
    .replaceAll(
      /<\|begin_of_text\|>|<\|end_of_text\|>|<bos>|<eos>|<\/?s>|<｜begin▁of▁sentence｜>|\[gMASK\]<sop>/g,
      '',
    )
    .trim()
}

function roleOfWord(word: string): string {
  const role = spokenRole(word)
  return role === undefined || role === 'call' ? word : role
}

/** Reads framed messages into `reader`. Their places are not kept: framed texts are read only (F19). */
export function readFramed(messages: readonly FramedMessage[], reader: SampleReader): void {
  reader.isFramed = true
  for (const { role, text } of messages) {
    if (text === '' && role !== 'assistant') continue
    if (role === 'tool') reader.item({ role, content: text }, localize`The message`, undefined)
    else reader.say(role, text === '' ? [] : reader.text(text, { parent: messages, key: '' }, role))
  }
}

/** Reads a text that should have frames; one without them is hidden, and reported (F24). */
export function readTextOfFrames(text: string, reader: SampleReader, losses: LossList): void {
  const messages = framedMessages(text)
  if (messages) readFramed(messages, reader)
  else {
    reader.isFramed = true
    losses.add('unframed', localize`The text has no frames around messages, and is hidden`)
    reader.say('assistant', text === '' ? [] : [{ kind: 'analysis', text, words: [] }])
  }
}
