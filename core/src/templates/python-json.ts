/** `tojson` as transformers defines it: `json.dumps` with its keyword arguments, and nothing escaped for HTML. */
import { integerText, reprOfFloat } from './python-text.ts'
import {
  compared,
  Escaped,
  isFloat,
  isList,
  numberOf,
  type PythonValue,
  Tuple,
  typeName,
} from './python-value.ts'
import type { TemplateBudget } from './template-budget.ts'
import { typeFault } from './template-problem.ts'

/** The keyword arguments of `json.dumps`. */
export interface JsonStyle {
  readonly isAscii: boolean
  /** One level of indentation; undefined for one line. */
  readonly indent: string | undefined
  readonly separators: readonly [item: string, key: string]
  readonly isSorted: boolean
}

/** `value` as JSON. @throws TemplateFault for what JSON has no word for */
export function pythonJson(value: PythonValue, style: JsonStyle, budget: TemplateBudget): string {
  const parts: string[] = []
  write(value, '\n')
  return parts.join('')

  function write(item: PythonValue, padding: string): void {
    budget.spend(1)
    const inner = style.indent === undefined ? padding : padding + style.indent
    if (isList(item) || item instanceof Tuple)
      wrap(['[', ']'], isList(item) ? item : item.items, [padding, inner], (it) => write(it, inner))
    else if (item instanceof Map) {
      const entries = [...item]
      if (style.isSorted) entries.sort(([a], [b]) => compared(a, b, budget))
      wrap(['{', '}'], entries, [padding, inner], ([key, own]) => {
        addText(jsonKey(key, style, budget))
        addText(style.separators[1])
        write(own, inner)
      })
    } else addText(jsonOfSingle(item, style, budget))
  }

  function wrap<Item>(
    [open, close]: readonly [string, string],
    items: readonly Item[],
    [padding, inner]: readonly [string, string],
    writeItem: (item: Item) => void,
  ): void {
    parts.push(open)
    for (const [index, item] of items.entries()) {
      if (index > 0) addText(style.separators[0])
      if (style.indent !== undefined) addText(inner)
      writeItem(item)
    }
    if (items.length > 0 && style.indent !== undefined) addText(padding)
    parts.push(close)
  }

  function addText(text: string): void {
    budget.spendText(text.length)
    parts.push(text)
  }
}

function jsonKey(key: PythonValue, style: JsonStyle, budget: TemplateBudget): string {
  if (typeof key === 'string') return jsonOfSingle(key, style, budget)
  const isWord = key === null || typeof key === 'boolean' || numberOf(key) !== undefined
  if (isWord) return `"${jsonOfSingle(key, style, budget)}"`
  throw typeFault(`keys must be str, int, float, bool or None, not ${typeName(key)}`)
}

/** {@link pythonJson} of a value that has no others inside. */
function jsonOfSingle(value: PythonValue, style: JsonStyle, budget: TemplateBudget): string {
  if (value === null) return 'null'
  if (value instanceof Escaped) return jsonOfSingle(value.text, style, budget)
  if (typeof value === 'string') {
    budget.spendText((style.isAscii ? 4 : 2) * value.length)
    return jsonText(value, style)
  }
  if (typeof value === 'boolean') return String(value)
  const number = numberOf(value)
  if (number !== undefined) return isFloat(value) ? jsonFloat(number) : integerText(number)
  throw typeFault(`Object of type ${typeName(value)} is not JSON serializable`)
}

function jsonFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity'
  return reprOfFloat(value)
}

const beyondAscii = /[\u007f-\uffff]/g
const loneEscape = /\\u(d[89a-f][\da-f]{2})/g

function jsonText(text: string, style: JsonStyle): string {
  const json = JSON.stringify(text)
  if (style.isAscii)
    return json.replace(beyondAscii, (it) =>
      it === '\x7f' ? it : `\\u${it.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
  // JavaScript escapes half a pair; Python leaves it.
  if (!json.includes('\\ud')) return json
  return JSON.stringify(text).replace(loneEscape, (all, code: string, at: number) =>
    isEscaped(json, at) ? all : String.fromCharCode(Number.parseInt(code, 16)),
  )
}

/** True if the backslash at `at` is itself escaped. */
function isEscaped(json: string, at: number): boolean {
  let count = 0
  while (json[at - 1 - count] === '\\') count++
  return count % 2 === 1
}
