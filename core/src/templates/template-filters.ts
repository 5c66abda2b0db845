/** The filters and tests that templates use. */
import { placeOfText } from '../text/text-place.ts'
import { type JsonStyle, pythonJson } from './python-json.ts'
import { parsedFloat, parsedInteger, rounded } from './python-number.ts'
import { escaped, pythonSpace, repr, str, stripped } from './python-text.ts'
import {
  areEqual,
  Callable,
  charactersOf,
  compared,
  Escaped,
  Fields,
  float,
  Group,
  isFloat,
  isList,
  isTrue,
  iterated,
  keyIn,
  lengthOf,
  Missing,
  nCharacters,
  numberOf,
  type PythonValue,
  plain,
  Stream,
  Tuple,
  typeName,
} from './python-value.ts'
import type { TemplateBudget } from './template-budget.ts'
import { itemOf } from './template-members.ts'
import { typeFault } from './template-problem.ts'
import { escapedFormatted, percentFormatted } from './text-format.ts'
import { capitalized, centred, linesOf, partsOf, replaced, textMethod } from './text-methods.ts'

/** The arguments of a call, by position and by name. */
export interface CallArguments {
  readonly positional: readonly PythonValue[]
  readonly named: ReadonlyMap<string, PythonValue>
}

type Filter = (value: PythonValue, args: FilterArguments, budget: TemplateBudget) => PythonValue
type Test = (value: PythonValue, args: readonly PythonValue[], budget: TemplateBudget) => boolean

/** Arguments by the name or the place of their parameter. */
class FilterArguments {
  readonly #given: CallArguments
  readonly #budget: TemplateBudget
  constructor(given: CallArguments, budget: TemplateBudget) {
    this.#given = given
    this.#budget = budget
  }
  get positional(): readonly PythonValue[] {
    return this.#given.positional
  }
  get named(): ReadonlyMap<string, PythonValue> {
    return this.#given.named
  }
  get(index: number, name: string): PythonValue | undefined {
    const { positional, named } = this.#given
    return index < positional.length ? positional[index] : named.get(name)
  }
  flag(index: number, name: string): boolean {
    return isTrue(this.get(index, name) ?? false)
  }
  number(index: number, name: string, fallback: number): number {
    return numberOf(this.get(index, name) ?? fallback) ?? fallback
  }
  text(index: number, name: string, fallback: string): string {
    return str(this.get(index, name) ?? fallback, this.#budget)
  }
}

/** `value | name(…)`. @throws TemplateFault */
export function applyFilter(
  name: string,
  value: PythonValue,
  args: CallArguments,
  budget: TemplateBudget,
): PythonValue {
  const filter = Object.hasOwn(filters, name) ? filters[name] : undefined
  if (!filter) throw typeFault(`No filter named '${name}'.`)
  const own = escapedFilters.has(name) ? value : plain(value)
  const text = plain(value)
  if (typeof text === 'string') budget.spendText(text.length)
  for (const it of [...args.positional, ...args.named.values()])
    if (typeof it === 'string') budget.spendText(it.length)
  const result = filter(own, new FilterArguments(args, budget), budget)
  if (typeof result === 'string') budget.spendText(result.length)
  const isEscaped = value instanceof Escaped && keepingFilters.has(name) && typeof result === 'string'
  return isEscaped ? new Escaped(result) : result
}

/** Filters that tell escaped text from other text. */
const escapedFilters: ReadonlySet<string> = new Set([
  'safe',
  'string',
  'escape',
  'e',
  'default',
  'd',
  'format',
  'pprint',
])
/** Filters that give escaped text for escaped text. */
const keepingFilters: ReadonlySet<string> = new Set([
  'upper',
  'lower',
  'capitalize',
  'trim',
  'indent',
  'truncate',
  'center',
  'reverse',
])

/** `value is name(…)`. @throws TemplateFault */
export function applyTest(
  name: string,
  value: PythonValue,
  args: readonly PythonValue[],
  budget: TemplateBudget,
): boolean {
  const test = Object.hasOwn(tests, name) ? tests[name] : undefined
  if (!test) throw typeFault(`No test named '${name}'.`)
  return test(name === 'escaped' ? value : plain(value), args, budget)
}

const method =
  (name: string): Filter =>
  (value, args, budget) =>
    (textMethod(name) as NonNullable<ReturnType<typeof textMethod>>)(
      str(value, budget),
      args.positional,
      args.named,
      budget,
    ) // it exists

const fallback: Filter = (value, args) => {
  if (!(value instanceof Missing) && !(args.flag(1, 'boolean') && !isTrue(value))) return value
  const otherwise = args.get(0, 'default_value')
  return otherwise === undefined ? '' : otherwise
}

const length: Filter = (value) => lengthOf(value)

// Linear: one class, and its complement.
const titleWord = new RegExp(`[^-${pythonSpace}({\\[<]+`, 'gu')

const filters: Readonly<Record<string, Filter>> = {
  safe: (value, _, budget) => (value instanceof Escaped ? value : new Escaped(str(value, budget))),
  string: (value, _, budget) => (value instanceof Escaped ? value : str(value, budget)),
  escape: (value, _, budget) => escaped(value, budget),
  e: (value, _, budget) => escaped(value, budget),
  forceescape: (value, _, budget) => escaped(str(value, budget), budget),
  upper: method('upper'),
  lower: method('lower'),
  title: (value, _, budget) => {
    const text = str(value, budget)
    budget.spendCharacters(text.length)
    return text.replace(
      titleWord,
      ([first = '', ...rest]) => first.toUpperCase() + rest.join('').toLowerCase(),
    )
  },
  capitalize: (value, _, budget) => capitalized(str(value, budget)),
  trim: (value, args, budget) =>
    stripped(str(value, budget), args.get(0, 'chars') as string | undefined, 'both'),
  replace: (value, args, budget) =>
    replaced(
      str(value, budget),
      args.text(0, 'old', ''),
      args.text(1, 'new', ''),
      args.get(2, 'count') ?? null,
      budget,
    ),
  center: (value, args, budget) => {
    const text = str(value, budget)
    const width = Math.min(args.number(0, 'width', 80), 10_000)
    return centred(text, Math.max(0, width - nCharacters(text)), ' ', width)
  },
  format: (value, args, budget) => {
    const values = args.named.size > 0 ? new Map(args.named) : new Tuple(args.positional)
    if (value instanceof Escaped) return escapedFormatted(value, values, budget)
    return percentFormatted(str(value, budget), values, budget)
  },
  indent: (value, args, budget) => {
    const width = args.get(0, 'width') ?? 4
    const indent =
      typeof width === 'string' ? width : ' '.repeat(Math.max(0, Math.min(numberOf(width) ?? 4, 10_000)))
    const isBlank = args.flag(2, 'blank')
    const text = str(value, budget)
    const lines = linesOf(`${text}\n`, false, budget)
    budget.spendText(text.length + lines.length * indent.length)
    return lines
      .map((line, index) => {
        if (index === 0) return args.flag(1, 'first') ? indent + line : line
        return line === '' && !isBlank ? line : indent + line
      })
      .join('\n')
  },
  truncate: (value, args, budget) => {
    const [most, end] = [args.number(0, 'length', 255), args.text(2, 'end', '...')]
    const [least, leeway] = [nCharacters(end), args.number(3, 'leeway', 5)]
    if (most < least) throw typeFault(`expected length >= ${least}, got ${most}`)
    if (leeway < 0) throw typeFault(`expected leeway >= 0, got ${leeway}`)
    if (lengthOf(value) <= most + leeway) return value instanceof Missing ? '' : value
    if (typeof value !== 'string') throw typeFault(`'${typeName(value)}' object has no attribute 'rsplit'`)
    budget.spendCharacters(value.length)
    const cut = [...value].slice(0, most - least).join('')
    if (args.flag(1, 'killwords')) return cut + end
    const space = cut.lastIndexOf(' ')
    return (space === -1 ? cut : cut.slice(0, space)) + end
  },
  wordcount: (value, _, budget) => {
    const text = str(value, budget)
    budget.spendCharacters(text.length)
    return text.match(/[\p{L}\p{N}_]+/gu)?.length ?? 0
  },
  urlencode: (value, _, budget) => {
    if (typeof value === 'string' || !isIterable(value))
      return urlEncoded(value, budget).replaceAll('%2F', '/')
    const pairs = value instanceof Map ? [...value] : iterated(value, budget).map((it) => pairOf(it, budget))
    const encoded = (it: PythonValue) => urlEncoded(it, budget).replaceAll('%20', '+')
    return pairs.map(([key, it]) => `${encoded(key)}=${encoded(it)}`).join('&')
  },
  length,
  count: length,
  default: fallback,
  d: fallback,
  abs: (value) => {
    const number = numberOf(value)
    if (number === undefined) throw typeFault(`bad operand type for abs(): '${typeName(value)}'`)
    return isFloat(value) ? float(Math.abs(number)) : Math.abs(number)
  },
  int: (value, args) => {
    if (value instanceof Missing) throw value.fault()
    const number =
      typeof value === 'string' ? parsedInteger(value, args.number(1, 'base', 10)) : numberOf(value)
    return number === undefined || !Number.isFinite(number) ? defaultOf(args, 0) : Math.trunc(number)
  },
  float: (value, args) => {
    if (value instanceof Missing) throw value.fault()
    const number = typeof value === 'string' ? parsedFloat(value) : numberOf(value)
    return number === undefined ? defaultOf(args, float(0)) : float(number)
  },
  round: (value, args, budget) =>
    rounded(value, args.get(0, 'precision') ?? 0, args.text(1, 'method', 'common'), budget),
  list: (value, _, budget) => [...iterated(value, budget)],
  items: (value, _, budget) => {
    if (value instanceof Missing) return new Stream([])
    if (value instanceof Map) {
      budget.spend(value.size)
      return new Stream([...value].map((it) => new Tuple(it)))
    }
    throw typeFault('Can only get item pairs from a mapping.')
  },
  first: (value, _, budget) => {
    const items = iterated(value, budget)
    return items.length > 0 ? (items[0] as PythonValue) : new Missing('No first item, sequence was empty.')
  },
  last: (value, _, budget) => {
    const items = iterated(value, budget)
    return items.length > 0
      ? (items[items.length - 1] as PythonValue)
      : new Missing('No last item, sequence was empty.')
  },
  join: (value, args, budget) => {
    const attribute = args.get(1, 'attribute')
    const between = args.text(0, 'd', '')
    const parts = iterated(value, budget).map((it) =>
      str(attribute === undefined ? it : member(it, attribute, budget), budget),
    )
    for (const part of parts) budget.spendText(part.length + between.length)
    return parts.join(between)
  },
  reverse: (value, _, budget) => {
    const items = [...iterated(value, budget)].reverse()
    return typeof value === 'string' ? items.join('') : new Stream(items)
  },
  sort: (value, args, budget) => {
    const sign = args.flag(0, 'reverse') ? -1 : 1
    const key = keysOf(args.get(2, 'attribute'), args.flag(1, 'case_sensitive'), budget)
    return iterated(value, budget)
      .map((it) => [key(it), it] as const)
      .sort(([a], [b]) => sign * compared(a, b, budget))
      .map(([, it]) => it)
  },
  unique: (value, args, budget) => {
    const key = keyOf(args.get(1, 'attribute'), args.flag(0, 'case_sensitive'), budget)
    const seen = new Set<PythonValue>()
    return new Stream(
      iterated(value, budget).filter((it) => {
        const own = key(it)
        return !seen.has(own) && seen.add(own)
      }),
    )
  },
  min: (value, args, budget) => extreme(value, args, budget, -1),
  max: (value, args, budget) => extreme(value, args, budget, 1),
  sum: (value, args, budget) => {
    const attribute = args.get(0, 'attribute')
    let [total, isFloating] = [args.number(1, 'start', 0), false]
    for (const it of iterated(value, budget)) {
      const part = attribute === undefined || attribute === null ? it : member(it, attribute, budget)
      const number = numberOf(part)
      if (number === undefined)
        throw typeFault(`unsupported operand type(s) for +: 'int' and '${typeName(part)}'`)
      total += number
      isFloating ||= isFloat(part)
    }
    return isFloating ? float(total) : total
  },
  dictsort: (value, args, budget) => {
    if (!(value instanceof Map)) throw typeFault(`'${typeName(value)}' object has no attribute 'items'`)
    const place = args.text(1, 'by', 'key') === 'value' ? 1 : 0
    const sign = args.flag(2, 'reverse') ? -1 : 1
    const key = keyOf(undefined, args.flag(0, 'case_sensitive'), budget)
    budget.spend(value.size)
    const entries = [...value] as (readonly [PythonValue, PythonValue])[]
    return entries
      .sort((a, b) => sign * compared(key(a[place]), key(b[place]), budget))
      .map((it) => new Tuple(it))
  },
  groupby: (value, args, budget) => {
    const attribute = args.get(0, 'attribute') ?? ''
    const otherwise = args.get(1, 'default')
    const key = keyOf(attribute, args.flag(2, 'case_sensitive'), budget, otherwise)
    const items = iterated(value, budget).map((it) => [key(it), it] as const)
    const groups: [PythonValue, PythonValue[]][] = []
    for (const [own, it] of items.sort(([a], [b]) => compared(a, b, budget))) {
      const last = groups.at(-1)
      if (last && areEqual(last[0], own, budget)) last[1].push(it)
      else groups.push([own, [it]])
    }
    // A group is named as its first item is, in capitals or not.
    return groups.map(([, list]) => new Group([member(list[0] ?? null, attribute, budget, otherwise), list]))
  },
  batch: (value, args, budget) => {
    const [size, fill] = [args.number(0, 'linecount', 1), args.get(1, 'fill_with')]
    const [items, rows] = [iterated(value, budget), [] as PythonValue[][]]
    // Rows that never have as many items as that don't end; no items are as many as 0.
    const step = Number.isInteger(size) && size > 0 ? size : Number.POSITIVE_INFINITY
    if (size === 0 && items.length > 0) rows.push([])
    for (let at = 0; at < items.length; at += step) rows.push(items.slice(at, at + step))
    const last = rows.at(-1)
    if (last && fill !== undefined && fill !== null)
      while (last.length < Math.min(size, 10_000)) {
        budget.spend(1)
        last.push(fill)
      }
    return new Stream(rows)
  },
  slice: (value, args, budget) => {
    const nSlices = Math.min(Math.max(1, args.number(0, 'slices', 1)), 10_000)
    const items = iterated(value, budget)
    budget.spend(nSlices)
    const fill = args.get(1, 'fill_with')
    const size = Math.floor(items.length / nSlices)
    const nLonger = items.length % nSlices
    return new Stream(
      Array.from({ length: nSlices }, (_, index) => {
        const from = index * size + Math.min(index, nLonger)
        const row = items.slice(from, from + size + (index < nLonger ? 1 : 0))
        const isFilled = fill !== undefined && fill !== null && nLonger > 0 && index >= nLonger
        return isFilled ? [...row, fill] : row
      }),
    )
  },
  map: (value, args, budget) => {
    const attribute = args.named.get('attribute')
    if (attribute !== undefined) {
      const otherwise = args.named.get('default')
      return new Stream(iterated(value, budget).map((it) => member(it, attribute, budget, otherwise)))
    }
    const [name, ...positional] = args.positional
    if (name === undefined) throw typeFault('map requires a filter argument')
    const rest = { positional, named: args.named }
    return new Stream(iterated(value, budget).map((it) => applyFilter(str(name, budget), it, rest, budget)))
  },
  select: (value, args, budget) => chosen(value, args.positional, (it) => it, { wanted: true, budget }),
  reject: (value, args, budget) => chosen(value, args.positional, (it) => it, { wanted: false, budget }),
  selectattr: (value, args, budget) =>
    chosen(value, args.positional.slice(1), (it) => member(it, attributeOf(args), budget), {
      wanted: true,
      budget,
    }),
  rejectattr: (value, args, budget) =>
    chosen(value, args.positional.slice(1), (it) => member(it, attributeOf(args), budget), {
      wanted: false,
      budget,
    }),
  attr: (value, args, budget) => itemOf(value, args.get(0, 'name') ?? '', budget),
  tojson: (value, args, budget) => {
    const indent = args.get(1, 'indent') ?? null
    const separators = args.get(2, 'separators') ?? null
    const [between = indent === null ? ', ' : ',', colon = ': '] =
      separators === null ? [] : iterated(separators, budget).map((it) => str(it, budget))
    const width =
      typeof indent === 'string' ? indent : ' '.repeat(Math.max(0, Math.min(numberOf(indent) ?? 0, 1000)))
    const style: JsonStyle = {
      isAscii: args.flag(0, 'ensure_ascii'),
      indent: indent === null ? undefined : width,
      separators: [between, colon],
      isSorted: args.flag(3, 'sort_keys'),
    }
    return pythonJson(value, style, budget)
  },
  pprint: (value, _, budget) => repr(value, budget),
}

function attributeOf(args: FilterArguments): PythonValue {
  const [attribute] = args.positional
  if (attribute === undefined) throw typeFault('Missing parameter for attribute name')
  return attribute
}

/** What `int` and `float` give for a value that isn't a number. */
function defaultOf(args: FilterArguments, fallback: PythonValue): PythonValue {
  const given = args.get(0, 'default')
  return given === undefined ? fallback : given
}

function urlEncoded(value: PythonValue, budget: TemplateBudget): string {
  const text = str(value, budget)
  budget.spendCharacters(text.length)
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}

function pairOf(value: PythonValue, budget: TemplateBudget): readonly [PythonValue, PythonValue] {
  if (!isIterable(value)) throw typeFault(`cannot unpack non-iterable ${typeName(value)} object`)
  const items = iterated(value, budget)
  const [key = null, it = null] = items
  if (items.length < 2) throw typeFault(`not enough values to unpack (expected 2, got ${items.length})`)
  if (items.length > 2) throw typeFault('too many values to unpack (expected 2)')
  return [key, it]
}

function keyOf(
  attribute: PythonValue | undefined,
  isCaseSensitive: boolean,
  budget: TemplateBudget,
  otherwise?: PythonValue,
): (value: PythonValue) => PythonValue {
  return (value) => {
    const own = plain(
      attribute === undefined || attribute === null ? value : member(value, attribute, budget, otherwise),
    )
    if (typeof own !== 'string' || isCaseSensitive) return own
    budget.spendText(own.length)
    return own.toLowerCase()
  }
}

/** {@link keyOf} for one or more attributes, separated by commas. */
function keysOf(
  attributes: PythonValue | undefined,
  isCaseSensitive: boolean,
  budget: TemplateBudget,
): (value: PythonValue) => PythonValue {
  if (typeof attributes !== 'string' || !attributes.includes(','))
    return keyOf(attributes, isCaseSensitive, budget)
  const keys = partsOf(attributes, ',', budget).map((it) => keyOf(it, isCaseSensitive, budget))
  return (value) => keys.map((key) => key(value))
}

/** `a.b.0` of a value; `otherwise` for each part that is missing, if it is given. */
function member(
  value: PythonValue,
  path: PythonValue,
  budget: TemplateBudget,
  otherwise?: PythonValue,
): PythonValue {
  const parts = typeof path === 'string' ? partsOf(path, '.', budget) : [path]
  if (typeof path === 'string') budget.spendText(path.length)
  let result = value
  for (const part of parts) {
    result = itemOf(result, typeof part === 'string' && /^\d+$/.test(part) ? Number(part) : part, budget)
    if (result instanceof Missing && otherwise !== undefined && otherwise !== null) result = otherwise
  }
  return result
}

function extreme(
  value: PythonValue,
  args: FilterArguments,
  budget: TemplateBudget,
  sign: 1 | -1,
): PythonValue {
  const key = keyOf(args.get(1, 'attribute'), args.flag(0, 'case_sensitive'), budget)
  let best: PythonValue | undefined
  for (const it of iterated(value, budget))
    if (best === undefined || sign * compared(key(it), key(best), budget) > 0) best = it
  return best ?? new Missing('No aggregated item, sequence was empty.')
}

function chosen(
  value: PythonValue,
  [name, ...rest]: readonly PythonValue[],
  read: (item: PythonValue) => PythonValue,
  { wanted, budget }: { readonly wanted: boolean; readonly budget: TemplateBudget },
): Stream {
  const test = (it: PythonValue) =>
    name === undefined ? isTrue(it) : applyTest(str(name, budget), it, rest, budget)
  return new Stream(iterated(value, budget).filter((it) => test(read(it)) === wanted))
}

const isIterable = (it: PythonValue) =>
  typeof it === 'string' ||
  isList(it) ||
  it instanceof Map ||
  it instanceof Tuple ||
  it instanceof Stream ||
  it instanceof Missing
const isNumber = (it: PythonValue) => typeof it !== 'boolean' && numberOf(it) !== undefined
const ordered =
  (holds: (order: number) => boolean, operator: string): Test =>
  (value, [other = null], budget) =>
    holds(compared(value, other, budget, operator))
const equal: Test = (value, [other = null], budget) => areEqual(value, other, budget)
const greater = ordered((it) => it > 0, '>')
const less = ordered((it) => it < 0, '<')
const atLeast = ordered((it) => it >= 0, '>=')
const atMost = ordered((it) => it <= 0, '<=')

function remainder(value: PythonValue, divisor: PythonValue | undefined): number {
  const [a, b] = [numberOf(value), numberOf(divisor ?? null)]
  if (a === undefined || b === undefined)
    throw typeFault(
      `unsupported operand type(s) for %: '${typeName(value)}' and '${typeName(divisor ?? null)}'`,
    )
  return a % b
}

function casesOf(value: PythonValue, budget: TemplateBudget): Record<'text' | 'lower' | 'upper', string> {
  const text = str(value, budget)
  budget.spendText(2 * text.length)
  return { text, lower: text.toLowerCase(), upper: text.toUpperCase() }
}

const tests: Readonly<Record<string, Test>> = {
  defined: (value) => !(value instanceof Missing),
  undefined: (value) => value instanceof Missing,
  none: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  true: (value) => value === true,
  false: (value) => value === false,
  string: (value) => typeof value === 'string',
  number: (value) => numberOf(value) !== undefined,
  integer: (value) => isNumber(value) && !isFloat(value),
  float: (value) => isFloat(value),
  mapping: (value) => value instanceof Map,
  iterable: (value) => isIterable(value),
  sequence: (value) =>
    typeof value === 'string' ||
    isList(value) ||
    value instanceof Map ||
    value instanceof Tuple ||
    value instanceof Missing,
  callable: (value) => value instanceof Callable || (value instanceof Fields && value.call !== undefined),
  escaped: (value) => value instanceof Escaped,
  odd: (value) => Math.abs(remainder(value, 2)) === 1,
  even: (value) => remainder(value, 2) === 0,
  divisibleby: (value, [divisor]) => remainder(value, divisor) === 0,
  lower: (value, _, budget) => {
    const { text, lower, upper } = casesOf(value, budget)
    return text !== upper && text === lower
  },
  upper: (value, _, budget) => {
    const { text, lower, upper } = casesOf(value, budget)
    return text !== lower && text === upper
  },
  sameas: (value, [other = null], budget) => {
    if (typeof value === 'string') budget.spendText(value.length)
    return value === other
  },
  in: (value, [container = null], budget) => isIn(value, container, budget),
  filter: (value) => typeof value === 'string' && Object.hasOwn(filters, value),
  test: (value) => typeof value === 'string' && Object.hasOwn(tests, value),
  eq: equal,
  equalto: equal,
  '==': equal,
  ne: (value, args, budget) => !equal(value, args, budget),
  '!=': (value, args, budget) => !equal(value, args, budget),
  gt: greater,
  greaterthan: greater,
  '>': greater,
  ge: atLeast,
  '>=': atLeast,
  lt: less,
  lessthan: less,
  '<': less,
  le: atMost,
  '<=': atMost,
}

/** `value in container`. @throws TemplateFault */
export function isIn(value: PythonValue, container: PythonValue, budget: TemplateBudget): boolean {
  if (typeof container === 'string') {
    if (typeof value === 'string') {
      budget.spendText(container.length + value.length)
      return placeOfText(container, value) !== -1
    }
    throw typeFault(`'in <string>' requires string as left operand, not ${typeName(value)}`)
  }
  if (container instanceof Map) return container.has(keyIn(container, value))
  if (
    isList(container) ||
    container instanceof Tuple ||
    container instanceof Stream ||
    container instanceof Missing
  )
    return iterated(container, budget).some((it) => areEqual(it, value, budget))
  throw typeFault(`argument of type '${typeName(container)}' is not iterable`)
}

/** `text` from the character `from` to before `to`, by `step`; also of lists and tuples. */
export function sliced(
  value: PythonValue,
  bounds: readonly PythonValue[],
  budget: TemplateBudget,
): PythonValue {
  const characters = typeof value === 'string' ? charactersOf(value, budget) : undefined
  if (typeof value !== 'string' && !isList(value) && !(value instanceof Tuple)) {
    if (value instanceof Missing) throw value.fault()
    throw typeFault(`'${typeName(value)}' object is not subscriptable`)
  }
  const length = characters?.length ?? lengthOf(value)
  const [from = null, to = null, by = null] = bounds
  const step = by === null ? 1 : wholeNumber(by)
  if (step === 0) throw typeFault('slice step cannot be zero')
  budget.spend(1 + (length >>> (typeof value === 'string' && step === 1 ? 4 : 2)))
  const place = (bound: PythonValue, fallback: number) => {
    if (bound === null) return fallback
    const index = wholeNumber(bound)
    const low = step < 0 ? -1 : 0
    const high = step < 0 ? length - 1 : length
    return Math.min(Math.max(index < 0 ? index + length : index, low), high)
  }
  const start = place(from, step < 0 ? length - 1 : 0)
  const end = place(to, step < 0 ? -1 : length)
  if (step === 1) {
    if (typeof value === 'string')
      return characters ? characters.slice(start, end).join('') : value.slice(start, Math.max(start, end))
    const items = (value instanceof Tuple ? value.items : value).slice(start, Math.max(start, end))
    return value instanceof Tuple ? new Tuple(items) : items
  }
  const source =
    typeof value === 'string' ? (characters ?? [...value]) : value instanceof Tuple ? value.items : value
  const items: PythonValue[] = []
  for (let index = start; step > 0 ? index < end : index > end; index += step)
    items.push(source[index] as PythonValue)
  if (typeof value === 'string') return items.join('')
  return value instanceof Tuple ? new Tuple(items) : items
}

/** A bound of a slice. @throws TemplateFault */
function wholeNumber(bound: PythonValue): number {
  const number = isFloat(bound) ? undefined : numberOf(bound)
  if (number === undefined)
    throw typeFault('slice indices must be integers or None or have an __index__ method')
  return number
}
