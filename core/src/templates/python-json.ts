/** `tojson` as transformers defines it: `json.dumps` with its keyword arguments, and nothing escaped for HTML. */
import { integerText, reprOfFloat } from './python-text.ts'
import { compared, isFloat, isList, numberOf, type PythonValue, Tuple, typeName } from './python-value.ts'
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
export function pythonJson(value: PythonValue, style: JsonStyle, padding = '\n'): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return jsonText(value, style)
  if (typeof value === 'boolean') return String(value)
  const number = numberOf(value)
  if (number !== undefined) return isFloat(value) ? jsonFloat(number) : integerText(number)
  const inner = style.indent === undefined ? padding : padding + style.indent
  if (isList(value) || value instanceof Tuple) {
    const items = isList(value) ? value : value.items
    return wrapped(
      '[',
      ']',
      items.map((it) => pythonJson(it, style, inner)),
    )
  }
  if (value instanceof Map) {
    const entries = [...value]
    if (style.isSorted) entries.sort(([a], [b]) => compared(a, b))
    const texts = entries.map(
      ([key, item]) => `${jsonKey(key, style)}${style.separators[1]}${pythonJson(item, style, inner)}`,
    )
    return wrapped('{', '}', texts)
  }
  throw typeFault(`Object of type ${typeName(value)} is not JSON serializable`)

  function wrapped(open: string, close: string, items: readonly string[]): string {
    if (items.length === 0) return open + close
    if (style.indent === undefined) return open + items.join(style.separators[0]) + close
    return open + inner + items.join(style.separators[0] + inner) + padding + close
  }
}

function jsonKey(key: PythonValue, style: JsonStyle): string {
  if (typeof key === 'string') return jsonText(key, style)
  const isWord = key === null || typeof key === 'boolean' || numberOf(key) !== undefined
  if (isWord) return `"${pythonJson(key, style)}"`
  throw typeFault(`keys must be str, int, float, bool or None, not ${typeName(key)}`)
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
