/** What the words of Jinja in a prompt mean, for colors. */
import { isKeyword } from '../embedded/jinja-scope.ts'
import { type JinjaTagTokens, type JinjaToken, jinjaTags } from '../embedded/jinja-tokens.ts'
import type { Span } from '../text/range.ts'
import type { TemplateBody } from './template-body.ts'

/** A word of a template, in its segment. */
export interface TemplateToken extends Span {
  readonly type: 'keyword' | 'variable' | 'property' | 'function' | 'string' | 'comment'
}

/** The words of the tags in a template, in order, to go through once. Numbers and operators are not among them. */
export class TemplateWords {
  readonly #words: Iterator<TemplateToken>
  /** The next word; undefined behind the last one. */
  next: TemplateToken | undefined

  /** Without a template, there are none. */
  constructor(template: TemplateBody | undefined) {
    this.#words = template ? wordsOf(template) : [].values()
    this.advance()
  }

  /** Goes on to the word behind the next one. */
  advance(): void {
    this.next = this.#words.next().value
  }
}

function* wordsOf({ source }: TemplateBody): Iterator<TemplateToken> {
  for (const tag of jinjaTags(source.text)) {
    for (const { start, end, type } of tokensOf(tag)) {
      if (start < end) yield { ...source.spanOf({ start, end }), type }
    }
  }
}

function* tokensOf({ kind, range, inside, tokens, isClosed }: JinjaTagTokens) {
  if (kind === 'comment' || kind === 'raw' || kind === 'endraw') {
    yield { ...range, type: kind === 'comment' ? 'comment' : 'keyword' } as const
    return
  }
  yield { start: range.start, end: inside.start, type: 'keyword' } as const
  for (const [index, { at, end }] of tokens.entries()) {
    const isStatement = kind === 'statement' && index === 0
    const type = isStatement ? 'keyword' : typeOf(tokens, index)
    if (type) yield { start: at, end, type } as const
  }
  if (isClosed) yield { start: inside.end, end: range.end, type: 'keyword' } as const
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
