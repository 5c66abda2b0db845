/**
 * Markup in the text of the assistant: reasoning, calls, and replies that models write as tags (F20), and the private channels of
 * Harmony, which servers leave in a text that they do not parse.
 */

import { openBlockOf, privateBlocksIn } from '../../conversation/message-visibility.ts'
import { decodedHeaders } from '../../rules/tokenless-output.ts'
import { isFinal, isPrivate } from '../../semantics/message-kind.ts'
import type { Span } from '../../text/range.ts'
import { thoughtEnd, thoughtName, thoughtStart, unsureThoughtNames } from '../../vocabulary/thought-marks.ts'

/** What a piece of a text is. `doubt` is hidden because nothing better is known of it. */
export type MarkupKind = 'text' | 'analysis' | 'calls' | 'reply' | 'doubt'

/** A piece of a text: `from` and `to` without the tags and the line breaks next to them. UTF-16 code units. */
export interface MarkupPiece extends Span {
  readonly kind: MarkupKind
  /** The piece with its tags. */
  readonly whole: Span
}

/** A text in pieces, and what is wrong with its tags. */
export interface Markup {
  readonly pieces: readonly MarkupPiece[]
  /** What it is recognized by: the first tag, or the first header of messages that have lost their tokens. */
  readonly sign: Span
  /** True for a tag that is never closed, or that has no place in the text of the assistant. */
  readonly isBroken: boolean
  /** True if a tag of reasoning is never closed. */
  readonly isUnclosed: boolean
  /** The tag that is never closed, so that what follows the text belongs to it; undefined if there is none. */
  readonly open?: string | undefined
  /** True if reasoning ends that has begun before the text. */
  readonly hasBegunBefore?: boolean
}

/** What other models put around reasoning: at its beginning, and at its end. */
const thoughtMarks: readonly (readonly [begin: string, end: string])[] = [
  ['◁think▷', '◁/think▷'], // Kimi
  ['<|inner_prefix|>', '<|inner_suffix|>'], // Apertus
  ['<|channel>thought', '<channel|>'], // Gemma 4
  ['<unused94>thought', '<unused95>'], // Gemma 3, where it was trained to reason
  ['<|im_start|>think', '<|im_start|>answer'], // s1
]
const markNames = new Map<string, Pick<Tag, 'name' | 'isClosing'>>()
for (const [name, end] of thoughtMarks) {
  markNames.set(name.toLowerCase(), { name, isClosing: false })
  markNames.set(end.toLowerCase(), { name, isClosing: true })
}
const anyMark = [...markNames.keys()].map((it) => it.replaceAll('|', '\\|')).join('|')
/** Where reasoning in tokens ends; Solar goes on with the next message. */
const anyThoughtEnd = `${thoughtEnd}|<\\|end\\|><\\|begin\\|>assistant<\\|content\\|>`
/** How Open WebUI keeps reasoning in the text of a message. */
const details = '<details\\s[^<>]{0,200}?type="reasoning"[^<>]{0,200}>'
/** How other programs fold reasoning; only where nothing that users see is before it, because answers fold other things, too. */
const folded =
  '<details(?:\\s[^<>]{0,200})?>\\s{0,20}<summary>[^<>a-z]{0,20}(?:thinking|thoughts?|reasoning|chain of thought)(?: process| for [^<>]{1,40})?[^<>a-z]{0,20}<\\/summary>'
const anyUnsureName = unsureThoughtNames.join('|')
/** Signs of tags that HTML has escaped, or that a model has written with other signs or with a blank. */
const [opens, slashes, closes] = ['(?:<|＜|&lt;)', '[/／]', '(?:>|＞|&gt;)']

// Linear: each alternative has a bounded length.
const sign = new RegExp(
  [
    `${opens}\\s{0,2}${slashes}?\\s{0,2}${thoughtName}`,
    '<\\/?tool_(?:call|response)',
    '\\[\\/?THINK\\]',
    anyMark,
    thoughtStart,
    anyThoughtEnd,
    details,
    folded,
    '<\\|channel\\|>(?:analysis|commentary)',
  ].join('|'),
  'i',
)
// Linear: as above, at the beginning only.
const unsureSign = new RegExp(`^\\s*${opens}\\s{0,2}(?:${anyUnsureName})`, 'i')

/** True if `text` may have markup: quick for nearly all texts. */
export function mayHaveMarkup(text: string): boolean {
  return (
    (signs.some((it) => text.includes(it)) && (sign.test(text) || unsureSign.test(text))) ||
    beginsDecoded(text) ||
    beginsAnnounced(text)
  )
}

/** True if a message in `text`, whose frames are part of it, may have markup; quick, too. */
export function mayHoldMarkup(text: string): boolean {
  return wordsAtBeginnings.test(text) || mayHaveMarkup(text)
}

/** What counts at the beginning of a message only: unsure names, decoded messages, and announcements. */
// Linear: one of a few words.
const wordsAtBeginnings = new RegExp(`commentary|Here(?:'s| is) my |${anyUnsureName}`, 'i')

const signs = ['<', '[', '◁', '＜', '&lt;']

// Linear: runs of back-ticks and tildes are taken whole, and tags have a bounded length.
const token = new RegExp(
  [
    '(?<ticks>`+|~~~+)',
    `<(?<slash>\\/?)(?<name>${thoughtName}|tool_call|tool_response)(?:\\s[^<>]{0,200})?>`,
    '\\[(?<bracketSlash>\\/?)(?<bracketName>THINK)\\]',
    `(?<mark>${anyMark})`,
    `(?<tokenStart>${thoughtStart})`,
    `(?<tokenEnd>${anyThoughtEnd})`,
    `(?<details>${details})|(?<folded>${folded})|<\\/?details(?:\\s[^<>]{0,200})?>`,
    `${opens}\\s{0,2}(?<softSlash>${slashes}?)\\s{0,2}(?<softName>${thoughtName}|${anyUnsureName})(?:\\s[^<>]{0,200}?)?${closes}`,
    // Where a private message of Harmony begins, and where it ends, with the header of the answer after it.
    '(?:<\\|start\\|>assistant)?<\\|channel\\|>(?<channel>analysis|commentary)(?:[^<]{0,200}(?:<\\|constrain\\|>[^<]{0,40})?<\\|message\\|>)?',
    '(?<ending><\\|(?:end|call|return)\\|>)(?<answer>(?:<\\|start\\|>assistant)?<\\|channel\\|>final<\\|message\\|>)?',
  ].join('|'),
  'gi',
)

/** A tag in a text. */
interface Tag extends Span {
  readonly name: string
  readonly isClosing: boolean
  /**
   * True for one that ordinary text has as well. At its beginning it counts where nothing that users see is before it; at its end,
   * only after such a beginning.
   */
  readonly isUnsure?: boolean
  /** True for one in other signs than those of tags, which doesn't end what began with a tag. */
  readonly isOdd?: boolean
  /** True for one that marks nothing, but counts where tags of its name are in each other. */
  readonly isPlain?: boolean
  /** For one of Harmony: it begins a message, ends one, or ends one and begins an answer. */
  readonly harmony?: 'begins' | 'ends' | 'answers'
}

/** The pieces of `text`, which the assistant wrote; undefined if it has no markup. Linear. */
export function markupIn(text: string): Markup | undefined {
  if (!mayHaveMarkup(text)) return undefined
  const decoded = decodedMessages(text) ?? announcedParts(text)
  const markup = decoded ? withTags(decoded, text) : taggedParts(text)
  return markup && withWholeBlocks(withOuterBlocks(markup, text), text)
}

/**
 * `markup` with visible pieces hidden that are in a private block of `text` which begins in a hidden piece: its beginning is cut out with
 * that. A block without an end, which reasoning may quote, hides nothing beyond the piece.
 */
function withOuterBlocks(markup: Markup, text: string): Markup {
  const said = markup.pieces.filter(({ kind }) => kind === 'text')
  let at = 0
  const blocks = privateBlocksIn(text).filter(({ from, to }) => {
    while ((said[at]?.to ?? text.length) <= from) at++
    const isCutOut = from < (said[at]?.from ?? text.length)
    return isCutOut && (to < text.length || openBlockOf(text) === '')
  })
  if (blocks.length === 0) return markup
  let nth = 0
  const pieces = markup.pieces.flatMap((piece): readonly MarkupPiece[] => {
    while ((blocks[nth]?.to ?? text.length) <= piece.from) nth++
    const block = blocks[nth]
    if (piece.kind !== 'text' || !block || piece.from <= block.from) return [piece]
    return hiddenUpTo(Math.min(piece.to, block.to), piece, text)
  })
  return { ...markup, pieces }
}

/** A visible piece whose beginning, up to `to`, is hidden. */
function hiddenUpTo(to: number, piece: MarkupPiece, text: string): readonly MarkupPiece[] {
  const rest: MarkupPiece[] = []
  addPiece(rest, text, 'text', { from: to, to: piece.to }, { from: to, to: piece.whole.to })
  const whole = { from: piece.whole.from, to: rest.length === 0 ? piece.whole.to : to }
  return [{ kind: 'analysis', from: piece.from, to, whole }, ...rest]
}

/**
 * `markup` with what is left of private blocks hidden where a piece that is cut out is in them: each visible piece becomes a message of
 * its own, in which the beginning of the block is missing.
 */
function withWholeBlocks(markup: Markup, text: string): Markup {
  const said = markup.pieces.filter(({ kind }) => kind === 'text')
  if (said.length < 2) return markup
  const blocks = privateBlocksIn(said.map(({ from, to }) => text.slice(from, to)).join(''))
  if (blocks.length === 0) return markup
  let at = 0
  let nth = 0
  const pieces = markup.pieces.flatMap((piece): readonly MarkupPiece[] => {
    if (piece.kind !== 'text') return [piece]
    const start = at
    at += piece.to - piece.from
    while ((blocks[nth]?.to ?? at) <= start) nth++
    const block = blocks[nth]
    if (!block || start <= block.from) return [piece]
    return hiddenUpTo(Math.min(piece.to, piece.from + block.to - start), piece, text)
  })
  return { ...markup, pieces }
}

/** `markup` with what is in tags in its visible pieces. */
function withTags({ pieces, sign, ...broken }: Markup, text: string): Markup {
  let { isBroken, isUnclosed, open } = broken
  const all = pieces.flatMap((piece): readonly MarkupPiece[] => {
    const inner = piece.kind === 'text' ? taggedParts(text.slice(piece.from, piece.to)) : undefined
    if (!inner) return [piece]
    isBroken ||= inner.isBroken
    isUnclosed ||= inner.isUnclosed
    open = inner.open
    const moved = ({ from, to }: Span): Span => ({ from: from + piece.from, to: to + piece.from })
    return inner.pieces.map(({ kind, whole, ...span }) => ({ kind, ...moved(span), whole: moved(whole) }))
  })
  return { pieces: all, sign, isBroken, isUnclosed, open }
}

/** The pieces of `text` by its tags; undefined if none counts. */
function taggedParts(text: string): Markup | undefined {
  const tags = tagsIn(text)
  if (tags.length === 0) return undefined
  const closing = closingTags(tags)
  const pieces: MarkupPiece[] = []
  let first: Tag | undefined
  let isBroken = false
  let isUnclosed = false
  let open: string | undefined
  let hasBegunBefore = false
  let nHidden = 0
  let at = 0
  /** The name of the tag that ended last. */
  let ended = ''
  /** True once there is text that users see. */
  let isSaid = false
  /** Where the next word is, from `at` on. */
  let word = wordFrom(text, at)
  const goTo = (next: number) => {
    at = next
    word = wordFrom(text, at)
  }
  for (let index = 0; index < tags.length; index++) {
    const tag = tags[index] as Tag // `index` is one of them
    if (tag.from < at || tag.isPlain) continue
    if (tag.isClosing && isThought(tag)) {
      if (tag.isUnsure) continue
      // Whatever is before it was thought: where that began is unknown.
      first ??= tag
      hasBegunBefore = true
      addText(pieces, text, at, tag.from)
      ended = ''
      for (; nHidden < pieces.length; nHidden++) {
        const it = pieces[nHidden] as MarkupPiece // `nHidden` is one of them
        const whole = nHidden === pieces.length - 1 ? { from: it.whole.from, to: tag.to } : it.whole
        if (it.kind === 'text') pieces[nHidden] = { ...it, kind: 'analysis', whole }
      }
      isSaid = false
      goTo(tag.to)
      continue
    }
    const closer = tag.harmony ? endOfMessage(tags, index) : closing[index]
    const end = tag.isClosing ? undefined : tags[closer ?? -1]
    if (tag.isUnsure && (isSaid || word < tag.from || isAllOf(text, tag, end))) continue
    // What is between two ends of a call belongs to it: it may quote the first one.
    const from = tag.isClosing && tag.name === ended ? at : tag.from
    first ??= tag
    isSaid ||= word < from
    addText(pieces, text, at, from)
    ended = tag.name
    isUnclosed ||= end === undefined && isThought(tag)
    if (end === undefined && !tag.isClosing) open = text.slice(tag.from, tag.to)
    isBroken ||= end === undefined || tag.name === 'tool_response' || tag.name === 'commentary'
    const whole = { from, to: tag.isClosing ? tag.to : (end?.to ?? text.length) }
    if (isThought(tag))
      addPiece(pieces, text, 'analysis', { from: tag.to, to: end?.from ?? text.length }, whole)
    else if (tag.name === 'tool_call' && end)
      addPiece(pieces, text, 'calls', { from: tag.to, to: end.from }, whole)
    else addPiece(pieces, text, 'doubt', whole, whole)
    goTo(whole.to)
  }
  if (!first) return undefined
  addText(pieces, text, at, text.length)
  return { pieces, sign: { from: first.from, to: first.to }, isBroken, isUnclosed, open, hasBegunBefore }
}

/** Where the first word of `text` is, from `at` on. */
function wordFrom(text: string, at: number): number {
  let from = at
  while (from < text.length && isBlank(text, from, from + 1)) from++
  return from
}

/** True if a tag with the name of data is around all of `text`, which is data then, and no reasoning before an answer. */
function isAllOf(text: string, { name }: Tag, end: Tag | undefined): boolean {
  return name.startsWith('<') && end !== undefined && isBlank(text, end.to, text.length)
}

/** True for a text that begins as {@link decodedMessages} do, at the least. */
function beginsDecoded(text: string): boolean {
  return /^\s{0,40}(?:assistant\s{0,4})?(?:analysis|commentary)/.test(text)
}

/**
 * The messages of Harmony in a text that has lost its special tokens, `analysisWe add.assistantfinalFour.`; undefined unless it
 * has an answer after private messages, because prose may begin with such a word.
 */
function decodedMessages(text: string): Markup | undefined {
  if (!beginsDecoded(text)) return undefined
  const headers = decodedHeaders(text)
  if (!headers.some(isFinal) || headers[0] === undefined || isFinal(headers[0])) return undefined
  const pieces: MarkupPiece[] = []
  let isBroken = false
  for (const [index, header] of headers.entries()) {
    const next = headers[index + 1]
    const body = { from: header.end, to: next?.start ?? text.length }
    const kind = isFinal(header) ? 'text' : isPrivate(header) ? 'analysis' : 'doubt'
    isBroken ||= kind === 'doubt'
    // The words of a header end what is before it.
    const whole = { from: index === 0 ? header.start : header.end, to: next?.end ?? text.length }
    addPiece(pieces, text, kind, body, kind === 'text' ? body : whole)
  }
  return { pieces, sign: { from: headers[0].start, to: headers[0].end }, isBroken, isUnclosed: false }
}

// Linear: one place, and a bounded length.
const announcement = /^\s{0,40}Here(?:'s| is) my (?:thought|thinking|reasoning)(?: process)?:/
// Linear: a fixed beginning, and a bounded length.
const response = /Here(?:'s| is) my (?:response|answer):/g

/** True for a text that begins as {@link announcedParts} do, at the least. */
function beginsAnnounced(text: string): boolean {
  return announcement.test(text)
}

/** Reasoning and an answer that are announced in words, as Granite writes them; undefined unless both are. */
function announcedParts(text: string): Markup | undefined {
  const begin = announcement.exec(text)?.[0]
  if (begin === undefined) return undefined
  const end = [...text.matchAll(response)].at(-1) // reasoning may quote it
  if (!end) return undefined
  const pieces: MarkupPiece[] = []
  const to = end.index + end[0].length
  const from = begin.length
  addPiece(pieces, text, 'analysis', { from, to: end.index }, { from: 0, to })
  addText(pieces, text, to, text.length)
  return { pieces, sign: { from: begin.search(/\S/), to: from }, isBroken: false, isUnclosed: false }
}

/**
 * The replies in a text of the user or of a tool: one for each block of `<tool_response>`, between them other words. Undefined
 * if the text does not begin with one. Linear.
 */
export function replyBlocks(text: string): readonly MarkupPiece[] | undefined {
  const open = '<tool_response>'
  const close = '</tool_response>'
  const first = text.search(/\S|$/)
  if (!text.startsWith(open, first)) return undefined
  const pieces: MarkupPiece[] = []
  let at = 0
  for (let from = first; from !== -1; from = text.indexOf(open, at)) {
    const to = text.indexOf(close, from)
    if (to === -1) break
    addText(pieces, text, at, from)
    const whole = { from, to: to + close.length }
    pieces.push({ kind: 'reply', ...trimmed(text, { from: from + open.length, to }), whole })
    at = whole.to
  }
  if (pieces.length === 0) return undefined
  addText(pieces, text, at, text.length)
  return pieces
}

function isThought({ name }: Tag): boolean {
  return name !== 'tool_call' && name !== 'tool_response' && name !== 'commentary'
}

/** The tags of `text` outside of Markdown's fences and code spans. */
function tagsIn(text: string): readonly Tag[] {
  const tags: Tag[] = []
  const code = codeIn(text)
  let nth = 0
  for (const { 0: it, index: from, groups = {} } of text.matchAll(token)) {
    if (groups.ticks !== undefined) continue
    while (code[nth] && (code[nth]?.to ?? 0) <= from) nth++
    const span = code[nth]
    if (span && span.from <= from) continue
    const tag = tagOf(groups, text, { from, to: from + it.length })
    if (tag) tags.push(tag)
  }
  return tags
}

/**
 * The index of the tag that ends the message of Harmony that begins at `index`: messages that begin in it end first, unless an
 * answer begins. What it passes belongs to the message, so that each tag is looked at once.
 */
function endOfMessage(tags: readonly Tag[], index: number): number | undefined {
  let depth = 0
  for (let at = index + 1; at < tags.length; at++) {
    const { harmony } = tags[at] as Tag // `at` is one of them
    if (harmony === 'begins') depth++
    else if (harmony === 'answers' || (harmony === 'ends' && depth-- === 0)) return at
  }
  return undefined
}

/** The tag that was found at `span` of `text`; undefined for what only looks like one. */
function tagOf(
  groups: Readonly<Record<string, string | undefined>>,
  text: string,
  span: Span,
): Tag | undefined {
  const { slash, name, channel, ending, answer, bracketSlash, bracketName, mark } = groups
  const { tokenStart, tokenEnd, softSlash, softName } = groups
  if (name !== undefined) return { name: name.toLowerCase(), isClosing: slash !== '', ...span }
  if (channel !== undefined)
    return { name: channel.toLowerCase(), isClosing: false, harmony: 'begins', ...span }
  if (ending !== undefined) {
    const harmony = answer === undefined ? 'ends' : 'answers'
    return { name: ending, isClosing: true, isUnsure: true, harmony, ...span }
  }
  // `[think]` is a word in brackets.
  if (bracketName !== undefined)
    return bracketName === 'THINK' ? { name: 'think', isClosing: bracketSlash !== '', ...span } : undefined
  const marked = mark === undefined ? undefined : markNames.get(mark.toLowerCase())
  if (marked) return { ...marked, ...span }
  if (tokenStart !== undefined || tokenEnd !== undefined)
    return { name: 'token', isClosing: tokenEnd !== undefined, ...span }
  if (softName !== undefined) {
    const isClosing = softSlash !== ''
    const isData = unsureThoughtNames.includes(softName.toLowerCase())
    const isAlone = isClosing && !isData && isOnOwnLine(text, span)
    const own = softName.toLowerCase()
    return { name: isData ? `<${own}>` : own, isClosing, isUnsure: !isAlone, isOdd: true, ...span }
  }
  if (groups.folded !== undefined) return { name: detailsName, isClosing: false, isUnsure: true, ...span }
  const isClosing = text.startsWith('</', span.from)
  if (isClosing) return { name: detailsName, isClosing, isUnsure: true, ...span }
  return { name: detailsName, isClosing, ...(groups.details === undefined && { isPlain: true }), ...span }
}

const detailsName = 'details'

/** True if nothing else is in the lines of `span`, as far as a few blanks. */
function isOnOwnLine(text: string, { from, to }: Span): boolean {
  return (
    /(?:^|[\r\n])[ \t]*$/.test(text.slice(Math.max(0, from - 20), from)) &&
    /^[ \t]*(?:[\r\n]|$)/.test(text.slice(to, to + 20))
  )
}

/** For each opening tag the index of the tag that closes it. */
function closingTags(tags: readonly Tag[]): readonly (number | undefined)[] {
  const closing: (number | undefined)[] = tags.map(() => undefined)
  // One more end of a tag that is sure hides what is before it.
  const next = new Map<string, number>()
  for (let index = tags.length - 1; index >= 0; index--) {
    const tag = tags[index] as Tag // as above
    if (tag.isClosing && !tag.isOdd) next.set(tag.name, index)
    else if (!tag.isClosing && !isNested(tag)) closing[index] = next.get(tag.name)
  }
  // Others end where as many have ended as have begun.
  const open = new Map<string, number[]>()
  for (const [index, tag] of tags.entries()) {
    const outer = open.get(tag.name) ?? []
    const opening = tag.isClosing ? outer.pop() : undefined
    if (opening !== undefined && isNested(tags[opening])) closing[opening] = index
    if (!tag.isClosing) outer.push(index)
    open.set(tag.name, outer)
  }
  return closing
}

function isNested(tag: Tag | undefined): boolean {
  return tag?.isOdd === true || tag?.name === detailsName
}

/** A run of back-ticks or tildes. */
interface Run extends Span {
  readonly character: string | undefined
  readonly line: number
  /** True if only spaces are before it in its line, or after it. */
  readonly isFirst: boolean
  readonly isLast: boolean
}

/**
 * Code: fences that are closed, and spans that end in their line. Code that never ends does not count, because a tag in it could be the
 * end of reasoning.
 */
function codeIn(text: string): readonly Span[] {
  const runs = runsIn(text)
  if (runs.length < 2) return []
  // For each run, the next one of its kind, and the longest one after it that closes a fence.
  const same: number[] = []
  const longest: ReadonlyMap<string | undefined, number>[] = []
  const next = new Map<string, number>()
  let closers: ReadonlyMap<string | undefined, number> = new Map()
  for (let index = runs.length - 1; index >= 0; index--) {
    const run = runs[index] as Run // `index` is one of them
    const key = `${run.character}${run.to - run.from}`
    same[index] = next.get(key) ?? runs.length
    longest[index] = closers
    next.set(key, index)
    if (run.isFirst && run.isLast && run.to - run.from > Math.max(2, closers.get(run.character) ?? 0))
      closers = new Map([...closers, [run.character, run.to - run.from]])
  }
  const code: Span[] = []
  for (let index = 0; index < runs.length; index++) {
    const run = runs[index] as Run // as above
    const length = run.to - run.from
    let end = runs[same[index] ?? runs.length]
    if (run.isFirst && length > 2) {
      if ((longest[index]?.get(run.character) ?? 0) < length) continue
      do end = runs[++index]
      while (
        end &&
        !(end.character === run.character && end.to - end.from >= length && end.isFirst && end.isLast)
      )
    } else if (run.character !== '`' || end?.line !== run.line) continue
    else index = same[index] ?? index
    if (end) code.push({ from: run.from, to: end.to })
  }
  return code
}

function runsIn(text: string): readonly Run[] {
  const runs: Run[] = []
  let [line, lineStart] = [0, 0]
  let lineEnd = -1
  for (const { 0: it, index } of text.matchAll(/`+|~~~+/g)) {
    while (lineEnd < index) {
      if (lineEnd !== -1) line++
      lineStart = lineEnd + 1
      const end = text.indexOf('\n', lineStart)
      lineEnd = end === -1 ? text.length : end
    }
    const to = index + it.length
    const isFirst = index - lineStart <= 3 && text.slice(lineStart, index).trim() === ''
    // A line in which more follows than spaces does not close a fence; long lines are not looked through for that.
    const isLast = lineEnd - to <= 80 && text.slice(to, lineEnd).trim() === ''
    runs.push({ from: index, to, character: it[0], line, isFirst, isLast })
  }
  return runs
}

function addText(pieces: MarkupPiece[], text: string, from: number, to: number): void {
  addPiece(pieces, text, 'text', { from, to }, { from, to })
}

/** Adds a piece without the line breaks next to its tags; blank pieces are nothing. */
function addPiece(pieces: MarkupPiece[], text: string, kind: MarkupKind, inside: Span, whole: Span): void {
  const { from, to } = kind === 'doubt' ? inside : trimmed(text, inside)
  if (isBlank(text, from, to)) return
  pieces.push({ kind, from, to, whole })
}

/** Without the line breaks at both ends, unless an end is that of the text. */
function trimmed(text: string, { from, to }: Span): Span {
  let [start, end] = [from, to]
  if (from > 0) while (start < end && isBreak(text.charCodeAt(start))) start++
  if (to < text.length) while (end > start && isBreak(text.charCodeAt(end - 1))) end--
  return { from: start, to: end }
}

function isBreak(code: number): boolean {
  return code === 10 || code === 13
}

function isBlank(text: string, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!/\s/.test(text[at] ?? '')) return false
  return true
}
