/** The methods of text that templates call. */
import { isSpace, pythonSpace, str, stripped } from './python-text.ts'
import {
  charactersOf,
  isList,
  iterated,
  nCharacters,
  numberOf,
  type PythonValue,
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
  swapcase: (text) => mapped(text, (it) => (it === it.toUpperCase() ? it.toLowerCase() : it.toUpperCase())),
  capitalize: (text) => capitalized(text),
  title: (text) => titled(text),
  strip: (text, [removed]) => stripped(text, optionalText(removed), 'both'),
  lstrip: (text, [removed]) => stripped(text, optionalText(removed), 'left'),
  rstrip: (text, [removed]) => stripped(text, optionalText(removed), 'right'),
  split: (text, args, named) => split(text, args, named, 'left'),
  rsplit: (text, args, named) => split(text, args, named, 'right'),
  splitlines: (text, [keeps]) => {
    const lines = text.match(
      /[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]*(?:\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029])|[^\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+/g,
    )
    return (lines ?? []).map((it) =>
      keeps === true ? it : it.replace(/[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]{1,2}$/, ''),
    )
  },
  join: (text, [items = null], _, budget) => {
    const parts = iterated(items)
    for (const [index, part] of parts.entries()) {
      if (typeof part !== 'string')
        throw typeFault(`sequence item ${index}: expected str instance, ${typeName(part)} found`)
      budget.spendText(part.length + text.length)
    }
    return parts.join(text)
  },
  replace: (text, [from, to, limit], named, budget) => {
    return replaced(text, textOf(from), textOf(to), limit ?? named.get('count') ?? null, budget)
  },
  startswith: (text, [prefix, from]) => begins(text, prefix, from, (whole, part) => whole.startsWith(part)),
  endswith: (text, [suffix]) => begins(text, suffix, undefined, (whole, part) => whole.endsWith(part)),
  find: (text, [part, from]) => found(text, text.indexOf(textOf(part), unitOf(text, from))),
  rfind: (text, [part]) => found(text, text.lastIndexOf(textOf(part))),
  index: (text, [part, from]) => {
    const at = text.indexOf(textOf(part), unitOf(text, from))
    if (at === -1) throw typeFault('substring not found')
    return found(text, at)
  },
  count: (text, [part]) => {
    const sought = textOf(part)
    return sought === '' ? nCharacters(text) + 1 : text.split(sought).length - 1
  },
  removeprefix: (text, [part]) => (text.startsWith(textOf(part)) ? text.slice(textOf(part).length) : text),
  removesuffix: (text, [part]) => {
    const suffix = textOf(part)
    return suffix !== '' && text.endsWith(suffix) ? text.slice(0, -suffix.length) : text
  },
  partition: (text, [part]) => {
    const at = text.indexOf(textOf(part))
    return new Tuple(
      at === -1 ? [text, '', ''] : [text.slice(0, at), textOf(part), text.slice(at + textOf(part).length)],
    )
  },
  rpartition: (text, [part]) => {
    const at = text.lastIndexOf(textOf(part))
    return new Tuple(
      at === -1 ? ['', '', text] : [text.slice(0, at), textOf(part), text.slice(at + textOf(part).length)],
    )
  },
  isdigit: (text) => /^\p{Nd}+$/u.test(text),
  isdecimal: (text) => /^\p{Nd}+$/u.test(text),
  isnumeric: (text) => /^\p{N}+$/u.test(text),
  isalpha: (text) => /^\p{L}+$/u.test(text),
  isalnum: (text) => /^[\p{L}\p{N}]+$/u.test(text),
  isspace: (text) => text !== '' && [...text].every(isSpace),
  isupper: (text) => text !== text.toLowerCase() && text === text.toUpperCase(),
  islower: (text) => text !== text.toUpperCase() && text === text.toLowerCase(),
  istitle: (text) => text !== text.toLowerCase() && text === titled(text),
  zfill: (text, [width = 0]) => {
    const sign = text.startsWith('-') || text.startsWith('+') ? (text[0] ?? '') : ''
    return sign + '0'.repeat(missing(text, width)) + text.slice(sign.length)
  },
  ljust: (text, [width = 0, fill = ' ']) => text + textOf(fill).repeat(missing(text, width)),
  rjust: (text, [width = 0, fill = ' ']) => textOf(fill).repeat(missing(text, width)) + text,
  center: (text, [width = 0, fill = ' ']) => centred(text, missing(text, width), textOf(fill)),
  expandtabs: (text) => text.replace(/[^\n\r]+/g, (line) => withoutTabs(line)),
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
  return first.toUpperCase() + lowerCase(text.slice(first.length))
}

/** `replace` with a count of at most `limit`; all for `None` or less than 0. */
export function replaced(
  text: string,
  from: string,
  to: string,
  limit: PythonValue,
  budget: TemplateBudget,
): string {
  const most = limit === null ? -1 : (numberOf(limit) ?? -1)
  const parts = from === '' ? ['', ...text, ''] : text.split(from)
  budget.spendText(text.length + parts.length * to.length)
  if (most < 0 || most >= parts.length - 1) return parts.join(to)
  return parts.slice(0, most + 1).join(to) + from + parts.slice(most + 1).join(from)
}

function lowerCase(text: string): string {
  return text.toLowerCase()
}

function titled(text: string): string {
  return text.replace(/\p{L}+/gu, (word) => capitalized(word))
}

function mapped(text: string, map: (character: string) => string): string {
  return [...text].map(map).join('')
}

function textOf(value: PythonValue | undefined): string {
  if (typeof value === 'string') return value
  throw typeFault(`must be str, not ${typeName(value ?? null)}`)
}

function optionalText(value: PythonValue | undefined): string | undefined {
  return value === undefined || value === null ? undefined : textOf(value)
}

const mostPadding = 10_000

function missing(text: string, width: PythonValue): number {
  const wanted = numberOf(width) ?? 0
  return Math.min(Math.max(0, wanted - nCharacters(text)), mostPadding)
}

function begins(
  text: string,
  parts: PythonValue | undefined,
  from: PythonValue | undefined,
  test: (whole: string, part: string) => boolean,
): boolean {
  const whole = from === undefined ? text : text.slice(unitOf(text, from))
  if (parts instanceof Tuple) return parts.items.some((it) => test(whole, textOf(it)))
  if (typeof parts === 'string') return test(whole, parts)
  throw typeFault(`first arg must be str or a tuple of str, not ${typeName(parts ?? null)}`)
}

/** The code unit at which a character is. */
function unitOf(text: string, character: PythonValue | undefined): number {
  const index = numberOf(character ?? 0) ?? 0
  const characters = charactersOf(text)
  if (!characters) return index < 0 ? Math.max(0, text.length + index) : index
  const from = index < 0 ? Math.max(0, characters.length + index) : index
  return characters.slice(0, from).join('').length
}

function found(text: string, unit: number): number {
  return unit <= 0 ? unit : nCharacters(text.slice(0, unit))
}

function split(
  text: string,
  [separator = null, limit]: readonly PythonValue[],
  named: ReadonlyMap<string, PythonValue>,
  side: 'left' | 'right',
): PythonValue {
  const between = named.get('sep') ?? separator
  const most = numberOf(limit ?? named.get('maxsplit') ?? -1) ?? -1
  if (between === null) return splitAtSpace(text, most, side)
  const sought = textOf(between)
  if (sought === '') throw typeFault('empty separator')
  const parts = text.split(sought)
  if (most < 0 || parts.length <= most + 1) return parts
  if (side === 'left') return [...parts.slice(0, most), parts.slice(most).join(sought)]
  const kept = parts.length - most
  return [parts.slice(0, kept).join(sought), ...parts.slice(kept)]
}

// Linear: one class, and its complement.
const words = new RegExp(`[^${pythonSpace}]+`, 'g')

function splitAtSpace(text: string, most: number, side: 'left' | 'right'): PythonValue {
  const found = [...text.matchAll(words)]
  if (most < 0 || found.length <= most) return found.map(([word]) => word)
  if (side === 'left') {
    const rest = found[most]
    const tail = rest ? [text.slice(rest.index)] : []
    return [...found.slice(0, most).map(([word]) => word), ...tail]
  }
  const last = found[found.length - most - 1]
  const head = last ? [text.slice(0, last.index + last[0].length)] : []
  return [...head, ...found.slice(found.length - most).map(([word]) => word)]
}

function withoutTabs(line: string): string {
  let result = ''
  for (const character of line)
    result += character === '\t' ? ' '.repeat(8 - (nCharacters(result) % 8)) : character
  return result
}

/** The methods of lists and tuples that change nothing. */
export function listMethod(
  name: string,
  items: readonly PythonValue[],
  isSame: (a: PythonValue, b: PythonValue) => boolean,
) {
  switch (name) {
    case 'index':
      return ([sought = null]: readonly PythonValue[]): PythonValue => {
        const at = items.findIndex((it) => isSame(it, sought))
        if (at === -1) throw typeFault(`${str(sought)} is not in list`)
        return at
      }
    case 'count':
      return ([sought = null]: readonly PythonValue[]): PythonValue =>
        items.filter((it) => isSame(it, sought)).length
    case 'copy':
      return (): PythonValue => (isList(items) ? [...items] : items)
    default:
      return undefined
  }
}
