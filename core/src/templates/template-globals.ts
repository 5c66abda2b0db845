/** The functions that every template has. */
import { str } from './python-text.ts'
import { strftime } from './python-time.ts'
import {
  Callable,
  Fields,
  isFloat,
  iterated,
  Missing,
  numberOf,
  type PythonValue,
  plain,
  typeName,
} from './python-value.ts'
import type { TemplateBudget } from './template-budget.ts'
import type { PrefixWatch } from './template-prefixes.ts'
import { TemplateFault, typeFault } from './template-problem.ts'

/** What the functions need of a rendering. */
export interface GlobalSetup {
  /** The time that `strftime_now` writes. */
  readonly now: Date
  readonly budget: TemplateBudget
  readonly watch: PrefixWatch | undefined
}

/** The function `name`; undefined if there is none. */
export function globalFunction(name: string, setup: GlobalSetup): Callable | undefined {
  const make = Object.hasOwn(functions, name) ? functions[name] : undefined
  return make && new Callable(name, make(setup))
}

const functions: Readonly<Record<string, (setup: GlobalSetup) => Callable['call']>> = {
  raise_exception:
    ({ budget }) =>
    ([message = '']) => {
      throw new TemplateFault('raised', str(message, budget))
    },
  strftime_now:
    ({ now, budget }) =>
    ([form = '']) => {
      const text = str(form, budget)
      budget.spendCharacters(text.length)
      return strftime(now, text)
    },
  range: ({ budget }) => range(budget),
  dict:
    ({ watch, budget }) =>
    ([from], named) => {
      if (from instanceof Map) budget.spend(from.size)
      const result = new Map<PythonValue, PythonValue>(from instanceof Map ? from : [])
      if (from !== undefined && !(from instanceof Map))
        for (const pair of iterated(from, budget)) {
          const [key = null, value = null] = iterated(pair, budget)
          result.set(plain(key), value)
        }
      for (const [name, value] of named) result.set(name, value)
      if (watch) for (const it of result.values()) watch.keep(it)
      return result
    },
  namespace:
    ({ watch, budget }) =>
    ([from], named) => {
      if (from instanceof Map) budget.spend(from.size)
      const values = new Map<string, PythonValue>()
      if (from instanceof Map) for (const [key, value] of from) values.set(str(key, budget), value)
      for (const [name, value] of named) values.set(name, value)
      if (watch) for (const it of values.values()) watch.keep(it)
      return new Fields('Namespace', () => values)
    },
  joiner:
    ({ watch }) =>
    ([between = ', ']) => {
      watch?.spoil()
      let isFirst = true
      return new Callable('joiner', () => {
        const text = isFirst ? '' : between
        isFirst = false
        return text
      })
    },
  cycler:
    ({ watch }) =>
    (items) => {
      watch?.spoil()
      if (items.length === 0) throw typeFault('at least one item has to be provided')
      const values = new Map<string, PythonValue>()
      let index = 0
      const moveTo = (next: number) => {
        index = next % items.length
        values.set('current', items[index] ?? null)
      }
      const next = () => {
        const item = items[index] ?? null
        moveTo(index + 1)
        return item
      }
      const reset = () => {
        moveTo(0)
        return null
      }
      values.set('next', new Callable('next', next)).set('reset', new Callable('reset', reset))
      moveTo(0)
      return new Fields('Cycler', () => values)
    },
}

const largestRange = 100_000 // as in Jinja2's sandbox

function range(budget: TemplateBudget): Callable['call'] {
  return (args) => {
    const numbers = args.map((it) => {
      if (it instanceof Missing) throw it.fault()
      if (isFloat(it) || numberOf(it) === undefined)
        throw typeFault(`'${typeName(it)}' object cannot be interpreted as an integer`)
      return numberOf(it) ?? 0
    })
    const [first = 0, second, step = 1] = numbers
    const [from, to] = second === undefined ? [0, first] : [first, second]
    if (step === 0) throw typeFault('range() arg 3 must not be zero')
    const length = Math.max(0, Math.ceil((to - from) / step))
    if (length > largestRange)
      throw new TemplateFault(
        'limit',
        `Range too big. The sandbox blocks ranges larger than MAX_RANGE (${largestRange}).`,
      )
    budget.spend(length)
    return Array.from({ length }, (_, index) => from + index * step)
  }
}
