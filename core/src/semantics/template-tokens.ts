/** What the words of Jinja in a prompt mean, for colors. */

import type { JinjaTag } from '../embedded/jinja.ts'
import { isKeyword } from '../embedded/jinja-scope.ts'
import { type JinjaTagTokens, type JinjaToken, jinjaTags } from '../embedded/jinja-tokens.ts'
import { countWhile } from '../text/count-while.ts'
import type { Range, Span } from '../text/range.ts'
import type { TemplateBody } from './template-body.ts'

/** A word of a template, in its segment. */
export interface TemplateToken extends Span {
  readonly type: 'keyword' | 'variable' | 'property' | 'function' | 'string' | 'comment'
}

/** The words of the tags in a template, in order, to go through once: from a place on. Numbers and operators are not among them. */
export class TemplateWords {
  readonly #words: Iterator<TemplateToken>
  /** The next word; undefined after the last one. */
  next: TemplateToken | undefined

  /**
   * Without a template, there are none.
   *
   * @param from offset in the segment; words before it are left out, except in the tag that it is in
   */
  constructor(template: TemplateBody | undefined, from: number) {
    this.#words = template ? wordsOf(template, from) : [].values()
    this.advance()
  }

  /** Moves to the following word. */
  advance(): void {
    this.next = this.#words.next().value
  }
}

const longestTag = 10_000 // UTF-16 code units; of longer tags, only the delimiters have a color

interface Word extends Range {
  readonly type: TemplateToken['type']
}

function* wordsOf({ source, tags }: TemplateBody, at: number): Iterator<TemplateToken> {
  const { from } = source.spanOf({ start: 0, end: 0 })
  const begin = at <= from ? 0 : (source.offsetOf(at) ?? source.text.length)
  // What is known of the tags leads to the first one: words are read for what is shown, not for the whole body.
  const nBefore = countWhile(tags.length, (index) => (tags[index]?.range.end ?? 0) < begin)
  for (let index = nBefore; index < tags.length; index++) {
    for (const { start, end, type } of wordsIn(source.text, tags[index] as JinjaTag))
      if (start < end) yield { ...source.spanOf({ start, end }), type }
  }
  for (const { start, end, type } of wordsAfter(source.text, tags.at(-1)?.range.end ?? 0))
    if (start < end) yield { ...source.spanOf({ start, end }), type }
}

function* wordsIn(text: string, { kind, word, range, inside }: JinjaTag): IterableIterator<Word> {
  if (kind === 'comment' || word === 'raw' || word === 'endraw') {
    yield { ...range, type: kind === 'comment' ? 'comment' : 'keyword' }
    return
  }
  yield { start: range.start, end: inside.start, type: 'keyword' }
  if (range.end - range.start <= longestTag)
    for (const tag of jinjaTags(text, { from: range.start, end: range.end })) yield* wordsOfTag(tag)
  yield { start: inside.end, end: range.end, type: 'keyword' }
}

/** The words of a tag that is being written: it is not closed, and so the last one. */
function* wordsAfter(text: string, from: number): IterableIterator<Word> {
  for (const tag of jinjaTags(text, { from, end: Math.min(text.length, from + longestTag) })) {
    if (tag.kind !== 'output' && tag.kind !== 'statement') continue
    yield { start: tag.range.start, end: tag.inside.start, type: 'keyword' }
    yield* wordsOfTag(tag)
  }
}

function* wordsOfTag({ kind, tokens }: JinjaTagTokens): IterableIterator<Word> {
  for (const [index, { at, end }] of tokens.entries()) {
    const isStatement = kind === 'statement' && index === 0
    const type = isStatement ? 'keyword' : typeOf(tokens, index)
    if (type) yield { start: at, end, type }
  }
}

function typeOf(tokens: readonly JinjaToken[], index: number): TemplateToken['type'] | undefined {
  const { kind, value } = tokens[index] as JinjaToken
  if (kind === 'string') return 'string'
  if (kind !== 'name') return undefined
  const [first, second] = [tokens[index - 2]?.value, tokens[index - 1]?.value]
  if (second === '.') return 'property'
  // A filter, or a test: `name | upper`, `name is defined`, `name is not none`.
  if (second === '|' || (second === 'is' && value !== 'not') || (first === 'is' && second === 'not'))
    return 'function'
  if (isKeyword(value)) return 'keyword'
  return tokens[index + 1]?.value === '(' ? 'function' : 'variable'
}
