/** The values that templates work on, with the meaning that Python gives them. */
import type { TemplateBudget } from './template-budget.ts'
import { type TemplateFault, typeFault } from './template-problem.ts'

/**
 * A value: text, numbers, booleans, `null` for `None`, lists, dictionaries, and the classes of this file. A number with a
 * fraction is a float, one without is an integer; {@link WholeFloat} is a float without one.
 */
export type PythonValue =
  | string
  | number
  | boolean
  | null
  | readonly PythonValue[]
  | ReadonlyMap<PythonValue, PythonValue>
  | WholeFloat
  | Escaped
  | Tuple
  | Stream
  | Missing
  | Callable
  | Fields

/** A float that has no fraction: 1.0, infinity, not a number. */
class WholeFloat {
  readonly value: number
  constructor(value: number) {
    this.value = value
  }
}

/** Text that is not escaped again, which `escape` and `safe` give: Python's `Markup`. */
export class Escaped {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** `value`; ordinary text for escaped text. */
export function plain(value: PythonValue): PythonValue {
  return value instanceof Escaped ? value.text : value
}

/** A tuple. */
export class Tuple {
  readonly items: readonly PythonValue[]
  constructor(items: readonly PythonValue[]) {
    this.items = items
  }
}

/** What `groupby` gives: a tuple whose items have the names `grouper` and `list`. */
export class Group extends Tuple {
  get(name: string): PythonValue | undefined {
    const place = ['grouper', 'list'].indexOf(name)
    return place === -1 ? undefined : this.items[place]
  }
}

/** What can be gone through once, and is true even if there is nothing in it: a generator. */
export class Stream {
  #items: readonly PythonValue[]
  constructor(items: readonly PythonValue[]) {
    this.#items = items
  }
  /** True if there are streams in it. */
  get hasStreams(): boolean {
    return this.#items.some((it) => it instanceof Stream)
  }

  /** What is left, which is nothing the next time. */
  take(): readonly PythonValue[] {
    const items = this.#items
    this.#items = []
    return items
  }
}

/** A name or member that does not exist: it prints as nothing, and refuses nearly everything else. */
export class Missing {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
  /** What using it is. */
  fault(): TemplateFault {
    return typeFault(this.message)
  }
}

/** A function or method. */
export class Callable {
  readonly name: string
  readonly call: (args: readonly PythonValue[], named: ReadonlyMap<string, PythonValue>) => PythonValue
  constructor(name: string, call: Callable['call']) {
    this.name = name
    this.call = call
  }
}

/** A macro. */
export class Macro extends Callable {}

/** An object with fields: a `namespace`, which templates assign to, or `loop`. */
export class Fields {
  readonly typeName: string
  /** What a call of it does. */
  readonly call: Callable['call'] | undefined
  /** Is called with the field that a template reads, before it gets it. */
  readonly onRead: ((key: string) => void) | undefined
  readonly #make: () => Map<string, PythonValue>
  #values: Map<string, PythonValue> | undefined

  /**
   * @param make its fields, which are made when one is asked for: few loops look at `loop`
   * @param how functions; given here, as V8 keeps every object alive for long whose function is assigned later
   */
  constructor(
    typeName: string,
    make: () => Map<string, PythonValue>,
    how: Partial<Pick<Fields, 'call' | 'onRead'>> = {},
  ) {
    this.typeName = typeName
    this.#make = make
    this.call = how.call
    this.onRead = how.onRead
  }

  get values(): Map<string, PythonValue> {
    this.#values ??= this.#make()
    return this.#values
  }
}

/** The float `value`. */
export function float(value: number): number | WholeFloat {
  return Number.isInteger(value) || !Number.isFinite(value) ? new WholeFloat(value) : value
}

/** The number that `value` is, also as a boolean; undefined for other types. */
export function numberOf(value: PythonValue): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return value ? 1 : 0
  return value instanceof WholeFloat ? value.value : undefined
}

/** True for a float, which makes floats of what it is added to. */
export function isFloat(value: PythonValue): boolean {
  return value instanceof WholeFloat || (typeof value === 'number' && !Number.isInteger(value))
}

/** `value`, which may be `None`, or else what `otherwise` gives. */
export function defined<T>(value: PythonValue | undefined, otherwise: () => T): PythonValue | T {
  return value === undefined ? otherwise() : value
}

/** A list, as opposed to all other values; `Array.isArray` does not narrow read-only lists. */
export function isList(value: PythonValue): value is readonly PythonValue[] {
  return Array.isArray(value)
}

/** The values of objects that were rendered before: templates can't change them. */
export type KnownValues = WeakMap<object, PythonValue>

/** The key of `dict` that equals `key`, if there is one: `True` and `1.0` are the key `1`. */
export function keyIn(dict: ReadonlyMap<PythonValue, PythonValue>, key: PythonValue): PythonValue {
  const number = numberOf(key)
  if (number === undefined || dict.has(key)) return key
  if (dict.has(number)) return number
  if (number !== 0 && number !== 1) return key
  return dict.has(number === 1) ? number === 1 : key
}

/** Data of JSON as a value. Undefined is left out of objects and is `None` elsewhere. */
export function pythonValue(data: unknown, known?: KnownValues): PythonValue {
  if (data === undefined || data === null) return null
  if (typeof data === 'string' || typeof data === 'boolean' || typeof data === 'number')
    return typeof data === 'number' && !Number.isFinite(data) ? new WholeFloat(data) : data
  if (Array.isArray(data)) return data.map((it) => pythonValue(it, known))
  if (data instanceof WholeFloat) return data
  const before = known?.get(data as object)
  if (before !== undefined) return before
  const result = new Map<PythonValue, PythonValue>()
  if (data instanceof Map) {
    for (const [key, value] of data) if (value !== undefined) result.set(key, pythonValue(value, known))
  } else
    for (const key of Object.keys(data as object)) {
      const value = (data as Record<string, unknown>)[key]
      if (value !== undefined) result.set(key, pythonValue(value, known))
    }
  known?.set(data as object, result)
  return result
}

/** The type as Python names it. */
export function typeName(value: PythonValue): string {
  if (value === null) return 'NoneType'
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  if (isFloat(value)) return 'float'
  if (typeof value === 'number') return 'int'
  if (value instanceof Escaped) return 'Markup'
  if (value instanceof Map) return 'dict'
  if (value instanceof Tuple) return 'tuple'
  if (value instanceof Stream) return 'generator'
  if (value instanceof Missing) return 'Undefined'
  if (value instanceof Callable) return 'function'
  return value instanceof Fields ? value.typeName : 'list'
}

/** Whether it counts as true. */
export function isTrue(value: PythonValue): boolean {
  if (typeof value === 'boolean') return value
  if (value === null || value instanceof Missing) return false
  if (typeof value === 'string') return value !== ''
  if (value instanceof Escaped) return value.text !== ''
  if (value instanceof Map) return value.size > 0
  if (isList(value)) return value.length > 0
  if (value instanceof Tuple) return value.items.length > 0
  const number = numberOf(value)
  return number === undefined || number !== 0
}

/** `==` */
export function areEqual(left: PythonValue, right: PythonValue, budget: TemplateBudget): boolean {
  if (typeof left === 'string' && typeof right === 'string' && left.length === right.length)
    budget.spendText(left.length)
  else budget.spend(1)
  if (left === right) return true
  if (left instanceof Escaped || right instanceof Escaped) return areEqual(plain(left), plain(right), budget)
  if (typeof left === 'string' || typeof right === 'string' || left === null || right === null) return false
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a !== undefined || b !== undefined) return a === b
  if (left instanceof Missing) return right instanceof Missing
  if (isList(left)) return isList(right) && areItemsEqual(left, right, budget)
  if (left instanceof Tuple) return right instanceof Tuple && areItemsEqual(left.items, right.items, budget)
  if (!(left instanceof Map && right instanceof Map) || left.size !== right.size) return false
  for (const [key, value] of left) {
    const other = right.get(keyIn(right, key))
    if (other === undefined || !areEqual(value, other, budget)) return false
  }
  return true
}

function areItemsEqual(
  left: readonly PythonValue[],
  right: readonly PythonValue[],
  budget: TemplateBudget,
): boolean {
  if (left.length !== right.length) return false
  return left.every((it, index) => areEqual(it, right[index] as PythonValue, budget))
}

/** Less than 0, 0 or more, as `left` comes before, with, or after `right`. @throws TemplateFault for types that have no order */
export function compared(
  left: PythonValue,
  right: PythonValue,
  budget: TemplateBudget,
  operator = '<',
): number {
  budget.spend(1)
  if (left instanceof Escaped || right instanceof Escaped)
    return compared(plain(left), plain(right), budget, operator)
  if (left instanceof Missing) throw left.fault()
  if (right instanceof Missing) throw right.fault()
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a !== undefined && b !== undefined) return a === b ? 0 : Math.sign(a - b)
  if (typeof left === 'string' && typeof right === 'string') {
    budget.spendText(Math.min(left.length, right.length))
    return comparedTexts(left, right)
  }
  const [first, second] = [sequence(left), sequence(right)]
  if (first && second && typeName(left) === typeName(right)) {
    for (const [index, item] of first.entries()) {
      const other = second[index]
      if (other === undefined) return 1
      if (!areEqual(item, other, budget)) return compared(item, other, budget, operator)
    }
    return first.length - second.length
  }
  throw typeFault(
    `'${operator}' not supported between instances of '${typeName(left)}' and '${typeName(right)}'`,
  )
}

function sequence(value: PythonValue): readonly PythonValue[] | undefined {
  if (value instanceof Tuple) return value.items
  return isList(value) ? value : undefined
}

/** By code points, which is not the order of UTF-16 beyond the basic plane. */
function comparedTexts(left: string, right: string): number {
  if (left === right) return 0
  const length = Math.min(left.length, right.length)
  for (let index = 0; index < length; index++) {
    const [a, b] = [left.charCodeAt(index), right.charCodeAt(index)]
    if (a === b) continue
    const isHigh = (it: number) => it >= 0xd800 && it < 0xe000
    if (isHigh(a) !== isHigh(b)) return isHigh(a) ? 1 : -1
    return a - b
  }
  return left.length - right.length
}

/** The elements of what can be gone through. @throws TemplateFault */
export function iterated(value: PythonValue, budget: TemplateBudget): readonly PythonValue[] {
  const items = itemsOf(value, budget)
  budget.spend(items.length)
  return items
}

function itemsOf(value: PythonValue, budget: TemplateBudget): readonly PythonValue[] {
  if (value instanceof Escaped) return itemsOf(value.text, budget)
  if (isList(value)) return value
  if (value instanceof Tuple) return value.items
  if (value instanceof Stream) return value.take()
  if (value instanceof Map) {
    budget.spend(value.size)
    return [...value.keys()]
  }
  if (typeof value === 'string') {
    budget.spend(value.length)
    return [...value]
  }
  if (value instanceof Missing) return []
  throw typeFault(`'${typeName(value)}' object is not iterable`)
}

/** How many elements or characters it has. @throws TemplateFault */
export function lengthOf(value: PythonValue): number {
  if (value instanceof Escaped) return nCharacters(value.text)
  if (typeof value === 'string') return nCharacters(value)
  if (isList(value)) return value.length
  if (value instanceof Tuple) return value.items.length
  if (value instanceof Map) return value.size
  if (value instanceof Missing) return 0
  throw typeFault(`object of type '${typeName(value)}' has no len()`)
}

const surrogate = /[\ud800-\udfff]/

/** Characters are code points. */
export function nCharacters(text: string): number {
  if (!surrogate.test(text)) return text.length
  let count = 0
  for (const _ of text) count++
  return count
}

/** The characters if they are not the code units; undefined where both are the same. */
export function charactersOf(text: string, budget: TemplateBudget): readonly string[] | undefined {
  budget.spendText(text.length)
  if (!surrogate.test(text)) return undefined
  budget.spendCharacters(text.length)
  return [...text]
}
