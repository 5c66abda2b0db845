/** What a term of a query looks for in texts: words whatever their case, or a regular expression in linear time. */

import { isTooLargePattern, linearPattern } from '../embedded/linear-pattern.ts'
import { localize } from '../text/localize.ts'
import type { Span } from '../text/range.ts'
import { regexSource } from '../text/regex-source.ts'
import type { TermValue } from './query.ts'

/** Finds something in texts. */
export interface TextPattern {
  test(text: string): boolean
  /** Where it is, from left to right, without overlaps. UTF-16 code units. */
  spans(text: string): Iterable<Span>
}

/** The pattern that `value` is, or why it isn't one. */
export function textPattern(value: TermValue): TextPattern | { readonly problem: string } {
  switch (value.kind) {
    case 'text':
      return literalPattern(value.text)
    case 'regex': {
      const { source, ignoresCase } = value
      const pattern = linearPattern(source, { ignoresCase })
      if (pattern) return pattern
      return {
        problem: isTooLargePattern(source)
          ? localize`This regular expression is too large: it is too long, or has too many repetitions or levels`
          : localize`This is not a regular expression, or it needs lookaround or backreferences, which are not supported`,
      }
    }
    case 'numbers':
      return { problem: localize`Expected text or a regular expression instead of a range of numbers` }
  }
}

/** Matches `words`, whatever their case. */
function literalPattern(words: string): TextPattern {
  const expression = new RegExp(regexSource(words), 'giu') // Linear: characters only, in a row
  return {
    test: (text) => {
      expression.lastIndex = 0
      return expression.test(text)
    },
    *spans(text) {
      if (words === '') return
      expression.lastIndex = 0
      for (let match = expression.exec(text); match; match = expression.exec(text)) {
        const to = match.index + match[0].length
        yield { from: match.index, to }
        expression.lastIndex = to
      }
    },
  }
}

/** Matches a whole value, whatever its case; `*` stands for any characters. Linear in the product of both. */
export function wildcardMatcher(pattern: string): (value: string) => boolean {
  const [first = '', ...rest] = pattern.toLowerCase().split('*')
  const last = rest.pop()
  return (value) => {
    const text = value.toLowerCase()
    if (last === undefined) return text === first
    if (!text.startsWith(first)) return false
    let at = first.length
    for (const piece of rest) {
      const found = text.indexOf(piece, at)
      if (found < 0) return false
      at = found + piece.length
    }
    return text.length - last.length >= at && text.endsWith(last)
  }
}
