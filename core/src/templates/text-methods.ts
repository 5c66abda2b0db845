/** The methods of text that templates call. */
import { lastPlaceOfText, placeOfText } from '../text/text-place.ts'
import { pythonSpace, repr, str, stripped } from './python-text.ts'
import {
  areEqual,
  charactersOf,
  isFloat,
  isList,
  isTrue,
  iterated,
  nCharacters,
  numberOf,
  type PythonValue,
  plain,
  Tuple,
  typeName,
} from './python-value.ts'
import type { TemplateBudget } from './template-budget.ts'
import { typeFault } from './template-problem.ts'
import { formatted } from './text-format.ts'

type Method = (
  text: string,
  args: readonly PythonValue[],
  named: ReadonlyMap<string, PythonValue>,
  budget: TemplateBudget,
) => PythonValue

/** The method `name` of text, if there is one. */
export function textMethod(name: string): Method | undefined {
  return Object.hasOwn(methods, name) ? methods[name] : undefined
}

const methods: Readonly<Record<string, Method>> = {
  upper: (text) => text.toUpperCase(),
  lower: (text) => lowerCase(text),
  casefold: (text) => lowerCase(text).replaceAll('ß', 'ss'),
  swapcase: (text, _, __, budget) =>
    mapped(text, budget, (it) => (it === it.toUpperCase() ? it.toLowerCase() : it.toUpperCase())),
  capitalize: (text) => capitalized(text),
  title: (text, _, __, budget) => titled(text, budget),
  strip: (text, [removed]) => stripped(text, optionalText(removed), 'both'),
  lstrip: (text, [removed]) => stripped(text, optionalText(removed), 'left'),
  rstrip: (text, [removed]) => stripped(text, optionalText(removed), 'right'),
  split: (text, args, named, budget) => split(text, args, named, { side: 'left', budget }),
  rsplit: (text, args, named, budget) => split(text, args, named, { side: 'right', budget }),
  splitlines: (text, [keeps], named, budget) =>
    linesOf(text, isTrue(keeps ?? named.get('keepends') ?? false), budget),
  join: (text, [items = null], _, budget) => {
    const parts = iterated(items, budget)
    for (const [index, item] of parts.entries()) {
      const part = plain(item)
      if (typeof part !== 'string')
        throw typeFault(`sequence item ${index}: expected str instance, ${typeName(part)} found`)
      budget.spendText(part.length + text.length)
    }
    return parts.map((it) => str(it, budget)).join(text)
  },
  replace: (text, [from, to, limit], named, budget) => {
    return replaced(text, textOf(from), textOf(to), limit ?? named.get('count') ?? null, budget)
  },
  startswith: (text, [prefix, ...bounds], _, budget) =>
    begins(stretch(text, bounds, budget)?.text, prefix, budget, (whole, part) => whole.startsWith(part)),
  endswith: (text, [suffix, ...bounds], _, budget) =>
    begins(stretch(text, bounds, budget)?.text, suffix, budget, (whole, part) => whole.endsWith(part)),
  find: (text, args, _, budget) => found(text, args, placeOfText, budget),
  rfind: (text, args, _, budget) => found(text, args, lastPlaceOfText, budget),
  index: (text, args, _, budget) => known(found(text, args, placeOfText, budget)),
  rindex: (text, args, _, budget) => known(found(text, args, lastPlaceOfText, budget)),
  count: (text, [part, ...bounds], _, budget) => {
    const [sought, within] = [textOf(part), stretch(text, bounds, budget)]
    if (!within) return 0
    return sought === '' ? nCharacters(within.text) + 1 : partsOf(within.text, sought, budget).length - 1
  },
  removeprefix: (text, [part]) => (text.startsWith(textOf(part)) ? text.slice(textOf(part).length) : text),
  removesuffix: (text, [part]) => {
    const suffix = textOf(part)
    return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
  },
  partition: (text, [part]) => {
    const at = placeOfText(text, textOf(part))
    return new Tuple(
      at === -1 ? [text, '', ''] : [text.slice(0, at), textOf(part), text.slice(at + textOf(part).length)],
    )
  },
  rpartition: (text, [part]) => {
    const at = lastPlaceOfText(text, textOf(part))
    return new Tuple(
      at === -1 ? ['', '', text] : [text.slice(0, at), textOf(part), text.slice(at + textOf(part).length)],
    )
  },
  isdigit: (text) => /^\p{Nd}+$/u.test(text),
  isdecimal: (text) => /^\p{Nd}+$/u.test(text),
  isnumeric: (text) => /^\p{N}+$/u.test(text),
  isalpha: (text) => /^\p{L}+$/u.test(text),
  isalnum: (text) => /^[\p{L}\p{N}]+$/u.test(text),
  isspace: (text) => text !== '' && stripped(text, undefined, 'left') === '',
  isupper: (text) => text !== text.toLowerCase() && text === text.toUpperCase(),
  islower: (text) => text !== text.toUpperCase() && text === text.toLowerCase(),
  istitle: (text, _, __, budget) => text !== text.toLowerCase() && text === titled(text, budget),
  zfill: (text, [width = 0], _, budget) => {
    const sign = text.startsWith('-') || text.startsWith('+') ? (text[0] ?? '') : ''
    return sign + '0'.repeat(missing(text, width, budget)) + text.slice(sign.length)
  },
  ljust: (text, [width = 0, fill = ' '], _, budget) => text + padding(fill, missing(text, width, budget)),
  rjust: (text, [width = 0, fill = ' '], _, budget) => padding(fill, missing(text, width, budget)) + text,
  center: (text, [width = 0, fill = ' '], _, budget) =>
    centred(text, missing(text, width, budget), padding(fill, 1)),
  expandtabs: (text, _, __, budget) => {
    budget.spendText(tabWidth * text.length)
    return text.replace(/[^\n\r]+/g, (line) => withoutTabs(line))
  },
  format: (text, args, named, budget) => formatted(text, args, named, budget),
}

/** `text` with `missing` characters around it, as `str.center` divides them. */
export function centred(text: string, missing: number, fill = ' ', width = text.length + missing): string {
  const left = Math.floor(missing / 2) + (missing & width & 1)
  return fill.repeat(left) + text + fill.repeat(missing - left)
}

/** Python's `capitalize`. */
export function capitalized(text: string): string {
  const [first = ''] = text
  return titleCase(first) + text.toLowerCase().slice(first.toLowerCase().length)
}

/** A character at the beginning of a word in a title: `ﬁ` becomes `Fi` there, and `ǆ` becomes `ǅ`. */
function titleCase(character: string): string {
  if (/[\u10d0-\u10ff]/.test(character)) return character // Georgian has capitals only in words that are all capitals
  const upper = character.toUpperCase()
  const [first = '', ...rest] = upper
  if (rest.length === 0) return digraphs.get(upper) ?? upper
  if (upper.endsWith('\u0399')) return `${upper.slice(0, -1)}\u0345`.normalize() // an iota below the letter
  return first + rest.join('').toLowerCase()
}

const digraphs: ReadonlyMap<string, string> = new Map([
  ['Ǆ', 'ǅ'],
  ['Ǉ', 'ǈ'],
  ['Ǌ', 'ǋ'],
  ['Ǳ', 'ǲ'],
])

/** `replace` with a count of at most `limit`; all for `None` or less than 0. */
export function replaced(
  text: string,
  from: string,
  to: string,
  limit: PythonValue,
  budget: TemplateBudget,
): string {
  const most = limit === null ? -1 : (numberOf(limit) ?? -1)
  if (from === '') budget.spendCharacters(text.length)
  const parts = from === '' ? ['', ...text, ''] : partsOf(text, from, budget)
  budget.spendText(text.length + parts.length * to.length)
  if (most < 0 || most >= parts.length - 1) return parts.join(to)
  return parts.slice(0, most + 1).join(to) + from + parts.slice(most + 1).join(from)
}

function lowerCase(text: string): string {
  return text.toLowerCase()
}

function titled(text: string, budget: TemplateBudget): string {
  budget.spendCharacters(text.length)
  return text.replace(/\p{Cased}+/gu, (word) => capitalized(word))
}

function mapped(text: string, budget: TemplateBudget, map: (character: string) => string): string {
  budget.spendCharacters(text.length)
  return [...text].map(map).join('')
}

function textOf(value: PythonValue | undefined): string {
  const text = plain(value ?? null)
  if (typeof text === 'string') return text
  throw typeFault(`must be str, not ${typeName(value ?? null)}`)
}

function optionalText(value: PythonValue | undefined): string | undefined {
  return value === undefined || value === null ? undefined : textOf(value)
}

const mostPadding = 10_000

function missing(text: string, width: PythonValue, budget: TemplateBudget): number {
  const wanted = numberOf(width) ?? 0
  const result = Math.min(Math.max(0, wanted - nCharacters(text)), mostPadding)
  budget.spendText(result)
  return result
}

/** `fill`, which is one character, as often as `count` says. */
function padding(fill: PythonValue, count: number): string {
  const text = textOf(fill)
  if (nCharacters(text) !== 1) throw typeFault('The fill character must be exactly one character long')
  return text.repeat(count)
}

function begins(
  whole: string | undefined,
  parts: PythonValue | undefined,
  budget: TemplateBudget,
  test: (whole: string, part: string) => boolean,
): boolean {
  if (parts instanceof Tuple)
    return parts.items.some((it) => {
      const part = textOf(it)
      budget.spendText(part.length)
      return whole !== undefined && test(whole, part)
    })
  if (typeof parts === 'string') return whole !== undefined && test(whole, parts)
  throw typeFault(`first arg must be str or a tuple of str, not ${typeName(parts ?? null)}`)
}

/** The text between two bounds; undefined if the first is after the second, where not even an empty text is found. */
function stretch(
  text: string,
  [from = null, to = null]: readonly PythonValue[],
  budget: TemplateBudget,
): { readonly text: string; readonly start: number } | undefined {
  if (from === null && to === null) return { text, start: 0 }
  const characters = charactersOf(text, budget)
  const { length } = characters ?? text
  const [first, last] = [bound(from, 0), bound(to, length)]
  const [start, end] = [first < 0 ? Math.max(0, first + length) : first, last < 0 ? last + length : last]
  const stop = Math.min(Math.max(0, end), length)
  if (start > stop) return undefined
  return { text: characters?.slice(start, stop).join('') ?? text.slice(start, stop), start }
}

function bound(value: PythonValue, otherwise: number): number {
  if (value === null) return otherwise
  const number = isFloat(value) ? undefined : numberOf(value)
  if (number === undefined)
    throw typeFault('slice indices must be integers or None or have an __index__ method')
  return number
}

/** The character at which a text is that `search` finds by code units, or -1. */
function found(
  text: string,
  [part, ...bounds]: readonly PythonValue[],
  search: (text: string, part: string) => number,
  budget: TemplateBudget,
): number {
  const [sought, within] = [textOf(part), stretch(text, bounds, budget)]
  const unit = within ? search(within.text, sought) : -1
  return within && unit !== -1 ? within.start + nCharacters(within.text.slice(0, unit)) : -1
}

function known(place: number): number {
  if (place === -1) throw typeFault('substring not found')
  return place
}

function split(
  text: string,
  [separator = null, limit]: readonly PythonValue[],
  named: ReadonlyMap<string, PythonValue>,
  { side, budget }: { readonly side: 'left' | 'right'; readonly budget: TemplateBudget },
): PythonValue {
  const between = named.get('sep') ?? separator
  const most = numberOf(limit ?? named.get('maxsplit') ?? -1) ?? -1
  if (between === null) return splitAtSpace(text, most, side, budget)
  const sought = textOf(between)
  if (sought === '') throw typeFault('empty separator')
  const parts = partsOf(text, sought, budget)
  if (most < 0 || parts.length <= most + 1) return parts
  if (side === 'left') return [...parts.slice(0, most), parts.slice(most).join(sought)]
  const kept = parts.length - most
  return [parts.slice(0, kept).join(sought), ...parts.slice(kept)]
}

// Linear: one class, and its complement.
const words = new RegExp(`[^${pythonSpace}]+`, 'g')

function splitAtSpace(
  text: string,
  most: number,
  side: 'left' | 'right',
  budget: TemplateBudget,
): PythonValue {
  const found: { readonly word: string; readonly index: number }[] = []
  for (const { 0: word, index } of text.matchAll(words)) {
    budget.spend(2)
    found.push({ word, index })
  }
  if (most < 0 || found.length <= most) return found.map(({ word }) => word)
  if (side === 'left') {
    const rest = found[most]
    const tail = rest ? [text.slice(rest.index)] : []
    return [...found.slice(0, most).map(({ word }) => word), ...tail]
  }
  const last = found[found.length - most - 1]
  const head = last ? [text.slice(0, last.index + last.word.length)] : []
  return [...head, ...found.slice(found.length - most).map(({ word }) => word)]
}

const tabWidth = 8

function withoutTabs(line: string): string {
  let result = ''
  let column = 0
  for (const character of line) {
    const width = character === '\t' ? tabWidth - (column % tabWidth) : 1
    result += character === '\t' ? ' '.repeat(width) : character
    column += width
  }
  return result
}

/** `text` at every place where `separator` is, which is not empty. */
export function partsOf(text: string, separator: string, budget: TemplateBudget): string[] {
  const parts: string[] = []
  let at = 0
  for (let next = placeOfText(text, separator); next !== -1; next = placeOfText(text, separator, at)) {
    budget.spend(1)
    parts.push(text.slice(at, next))
    at = next + separator.length
  }
  parts.push(text.slice(at))
  return parts
}

/** The lines of `text`, as Python counts them; `isKept` for lines with what ends them. */
export function linesOf(text: string, isKept: boolean, budget: TemplateBudget): string[] {
  const lines: string[] = []
  let from = 0
  for (const { 0: ending, index } of text.matchAll(lineEnding)) {
    budget.spend(1)
    lines.push(text.slice(from, isKept ? index + ending.length : index))
    from = index + ending.length
  }
  if (from < text.length) lines.push(text.slice(from))
  return lines
}

const lineEnding = /\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]/g

/** The methods of lists and tuples that change nothing. */
export function listMethod(name: string, items: readonly PythonValue[], budget: TemplateBudget) {
  switch (name) {
    case 'index':
      return ([sought = null]: readonly PythonValue[]): PythonValue => {
        const at = items.findIndex((it) => areEqual(it, sought, budget))
        if (at === -1) throw typeFault(`${repr(sought, budget)} is not in list`)
        return at
      }
    case 'count':
      return ([sought = null]: readonly PythonValue[]): PythonValue =>
        items.filter((it) => areEqual(it, sought, budget)).length
    case 'copy':
      return (): PythonValue => {
        budget.spend(items.length)
        return isList(items) ? [...items] : items
      }
    default:
      return undefined
  }
}
