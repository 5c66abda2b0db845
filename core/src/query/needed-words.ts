/** Which words the bytes of a sample must have for a query to match: what a search can find out before it parses anything. */
import type { Query, QueryTerm, TermValue } from './query.ts'

/** Words of which a sample has at least one if it matches; undefined if nothing is known. In lower case. */
export type NeededWords = readonly string[] | undefined

const shortest = 3 // letters; shorter words are nearly everywhere
const longest = 24 // letters of a word that are looked for, so that the search stays linear
const most = 16 // words at once

/** Words that readers write into texts: of names that are missing, of numbers, and of tools as a model sees them. */
const writtenByReaders = (
  'unknown agent infinity true false null tools functions namespace type any freeform array number string boolean object ' +
  'default examples instructions'
).split(' ')

/** Letters that case folding leaves alone, and those of ASCII, are bytes that can be compared. */
const comparable = /[a-z]|\p{Lo}/u

/** The words that `query` needs, given those that each of its terms needs. */
export function neededWords(query: Query, ofTerm: (term: QueryTerm) => NeededWords): NeededWords {
  switch (query.kind) {
    case 'term':
      return ofTerm(query)
    case 'not':
      return undefined
    case 'all': {
      const needs = query.of.flatMap((it) => {
        const words = neededWords(it, ofTerm)
        return words ? [words] : []
      })
      return needs.reduce<NeededWords>((one, it) => (one && rarity(one) >= rarity(it) ? one : it), undefined)
    }
    case 'any': {
      const needs = query.of.map((it) => neededWords(it, ofTerm))
      const words = needs.flatMap((it) => it ?? [])
      return words.length === 0 || words.length > most || needs.includes(undefined) ? undefined : words
    }
  }
}

/** The longest word that each text needs in which `value` is found. */
export function wordsNeededFor(value: TermValue): NeededWords {
  const texts = value.kind === 'text' ? [value.text] : value.kind === 'regex' ? literalsIn(value.source) : []
  const words = texts.flatMap(wordsIn).filter((word) => {
    return word.length >= shortest && !writtenByReaders.some((it) => it.includes(word))
  })
  if (words.length === 0) return undefined
  const [first = ''] = words.sort((one, other) => other.length - one.length)
  return [first.slice(0, longest)]
}

/** The shortest word decides how many samples a search rejects. */
function rarity(words: readonly string[]): number {
  return Math.min(...words.map(({ length }) => length)) - words.length / most
}

function wordsIn(text: string): readonly string[] {
  const words: string[] = []
  let word = ''
  for (const character of text) {
    const lower = character.toLowerCase()
    const isComparable =
      character.length === 1 &&
      (/[A-Za-z]/.test(character) || (comparable.test(lower) && lower === character))
    if (isComparable) word += lower
    else {
      words.push(word)
      word = ''
    }
  }
  return [...words, word]
}

/** Texts that must be in whatever a regular expression matches: plain characters outside of brackets, classes, and alternatives. */
function literalsIn(source: string): readonly string[] {
  if (/\\[^bBdDsSwWnrt.*+?^${}()|[\]\\/-]/.test(source)) return [] // an escape that may be a letter
  const texts: string[] = []
  let text = ''
  let depth = 0
  for (let at = 0; at < source.length; at++) {
    const character = source[at] ?? ''
    if (character === '|' && depth === 0) return []
    const isLetter = depth === 0 && /[\p{L}]/u.test(character)
    if (isLetter) {
      text += character
      continue
    }
    // A letter before one of these may be missing.
    texts.push(/[*?{]/.test(character) ? text.slice(0, -1) : text)
    text = ''
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === '[') at = classEnd(source, at)
    else if (character === '{') at = Math.max(at, source.indexOf('}', at))
  }
  return [...texts, text]
}

function classEnd(source: string, start: number): number {
  for (let at = start + 1; at < source.length; at++) {
    if (source[at] === '\\') at++
    else if (source[at] === ']') return at
  }
  return source.length
}
