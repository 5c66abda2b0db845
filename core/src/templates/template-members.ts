/** Attributes, items, and methods of values, as Python and Jinja2 look them up. */
import { repr } from './python-text.ts'
import {
  Callable,
  charactersOf,
  defined,
  Escaped,
  Fields,
  Group,
  isFloat,
  isList,
  keyIn,
  Missing,
  numberOf,
  type PythonValue,
  Tuple,
  typeName,
} from './python-value.ts'
import type { TemplateBudget } from './template-budget.ts'
import { typeFault } from './template-problem.ts'
import { listMethod, textMethod } from './text-methods.ts'

/** `value.name`: a method first, then an item. */
export function attributeOf(value: PythonValue, name: string, budget: TemplateBudget): PythonValue {
  if (value instanceof Missing) throw value.fault()
  const found = method(value, name, budget)
  if (found !== undefined) return found
  const member = own(value, name, budget)
  return member === undefined ? missing(value, name, budget) : member
}

/** `value[key]`: an item first, then a method. */
export function itemOf(value: PythonValue, key: PythonValue, budget: TemplateBudget): PythonValue {
  if (value instanceof Missing) throw value.fault()
  if (value instanceof Escaped) return itemOf(value.text, key, budget)
  const member = own(value, key, budget)
  if (member !== undefined) return member
  const found = typeof key === 'string' ? method(value, key, budget) : undefined
  return found === undefined ? missing(value, key, budget) : found
}

function missing(value: PythonValue, key: PythonValue, budget: TemplateBudget): Missing {
  const type = value === null ? 'None' : `${typeName(value)} object`
  if (typeof key === 'string') return new Missing(`'${type}' has no attribute '${key}'`)
  return new Missing(`${type} has no element ${repr(key, budget)}`)
}

function own(value: PythonValue, key: PythonValue, budget: TemplateBudget): PythonValue | undefined {
  if (value instanceof Map) return value.get(keyIn(value, key))
  if (value instanceof Fields) {
    if (typeof key !== 'string') return undefined
    value.onRead?.(key)
    return value.values.get(key)
  }
  if (value instanceof Group && typeof key === 'string') return value.get(key)
  const index = typeof key === 'string' || isFloat(key) ? undefined : numberOf(key)
  if (index === undefined) return undefined
  if (isList(value)) return value.at(index)
  if (value instanceof Tuple) return value.items.at(index)
  return typeof value === 'string' ? (charactersOf(value, budget) ?? value).at(index) : undefined
}

function method(value: PythonValue, name: string, budget: TemplateBudget): PythonValue | undefined {
  if (typeof value === 'string') {
    const found = textMethod(name)
    return (
      found &&
      new Callable(name, (args, named) => {
        budget.spendText(value.length)
        for (const it of [...args, ...named.values()]) if (typeof it === 'string') budget.spendText(it.length)
        return found(value, args, named, budget)
      })
    )
  }
  if (value instanceof Map) return dictMethod(value, name, budget)
  if (isList(value) || value instanceof Tuple) {
    const found = listMethod(name, isList(value) ? value : value.items, budget)
    if (found) return new Callable(name, found)
    if (isList(value) && mutating.has(name))
      throw typeFault(`access to attribute '${name}' of 'list' object is unsafe.`)
  }
  return undefined
}

function dictMethod(dict: Dict, name: string, budget: TemplateBudget): PythonValue | undefined {
  const view = dictViews.get(name)
  if (view)
    return new Callable(name, () => {
      budget.spend(dict.size)
      return view(dict)
    })
  if (name === 'get')
    return new Callable(name, ([key = null, other = null]) =>
      defined(dict.get(keyIn(dict, key)), () => other),
    )
  if (mutatingDict.has(name)) throw typeFault(`access to attribute '${name}' of 'dict' object is unsafe.`)
  return undefined
}

type Dict = ReadonlyMap<PythonValue, PythonValue>

const dictViews: ReadonlyMap<string, (dict: Dict) => PythonValue> = new Map([
  ['items', (dict: Dict) => [...dict].map((it) => new Tuple(it))],
  ['keys', (dict: Dict) => [...dict.keys()]],
  ['values', (dict: Dict) => [...dict.values()]],
  ['copy', (dict: Dict): PythonValue => new Map(dict)],
])
const mutating = new Set(['append', 'extend', 'insert', 'pop', 'remove', 'reverse', 'sort', 'clear'])
const mutatingDict = new Set(['pop', 'popitem', 'setdefault', 'update', 'clear'])
