/** `'%s' % value` and `'{}'.format(value)`. */
import { escaped, integerText, repr, reprOfFloat, reprOfText, str } from './python-text.ts'
import {
  Escaped,
  isFloat,
  isList,
  Missing,
  nCharacters,
  numberOf,
  type PythonValue,
  Tuple,
  typeName,
} from './python-value.ts'
import type { TemplateBudget } from './template-budget.ts'
import { typeFault } from './template-problem.ts'

const percent = /%(?:\((\w*)\))?([-+ 0#]*)([1-9]\d*)?(?:\.(\d+))?([a-zA-Z%])/g
const widest = 10_000

/** `template % value`. @param textOf what `%s` writes of a value */
export function percentFormatted(
  template: string,
  value: PythonValue,
  budget: TemplateBudget,
  textOf: (value: PythonValue, budget: TemplateBudget) => string = str,
): string {
  const items = value instanceof Tuple ? value.items : [value]
  let used = 0
  budget.spendText(template.length)
  const result = template.replace(
    percent,
    (
      _,
      key: string | undefined,
      flags: string,
      width: string | undefined,
      precision: string | undefined,
      type: string,
    ) => {
      if (type === '%') return '%'
      const item = key === undefined ? items[used++] : value instanceof Map ? value.get(key) : undefined
      if (item === undefined)
        throw typeFault(key === undefined ? 'not enough arguments for format string' : reprOfText(key))
      const isFilled = flags.includes('0') && type !== 's' && type !== 'c'
      const spec: FormatSpec = {
        fill: isFilled && !flags.includes('-') ? '0' : ' ',
        align: flags.includes('-') ? '<' : isFilled ? '=' : '>',
        sign: flags.includes('+') ? '+' : '',
        width: Number(width ?? 0),
        groups: '',
        precision: precision === undefined ? undefined : Number(precision),
        type: type === 'i' || type === 'u' ? 'd' : type,
      }
      if (type === 'd' || type === 'i') {
        const number = numberOf(item)
        if (number === undefined)
          throw typeFault(`%d format: a real number is required, not ${typeName(item)}`)
        return aligned(Math.trunc(number), spec, budget)
      }
      if (type === 'c')
        return aligned(characterOf(item), { ...spec, type: 's', precision: undefined }, budget)
      return aligned(
        type === 's' ? textOf(item, budget) : type === 'r' ? textOf(repr(item, budget), budget) : item,
        { ...spec, type: type === 'r' ? 's' : spec.type },
        budget,
      )
    },
  )
  if (used < items.length && !(value instanceof Map) && !isList(value))
    throw typeFault('not all arguments converted during string formatting')
  return result
}

/** {@link percentFormatted} with escaped text, which escapes what it is filled with. */
export function escapedFormatted(template: Escaped, value: PythonValue, budget: TemplateBudget): Escaped {
  const textOf = (it: PythonValue) => escaped(it, budget).text
  return new Escaped(percentFormatted(template.text, value, budget, textOf))
}

/** The character that `%c` writes. */
function characterOf(item: PythonValue): string {
  if (typeof item === 'string' && nCharacters(item) === 1) return item
  const code = isFloat(item) ? undefined : numberOf(item)
  if (code === undefined) throw typeFault('%c requires int or char')
  if (code < 0 || code > 0x10ffff) throw typeFault('%c arg not in range(0x110000)')
  return String.fromCodePoint(code)
}

interface FormatSpec {
  readonly fill: string
  readonly align: string
  readonly sign: string
  readonly width: number
  readonly groups: string
  readonly precision: number | undefined
  readonly type: string
}

// Linear: the first brace that belongs to no field ends it all.
const field = /\{\{|\}\}|\{([^{}]*(?:\{[^{}]*\}[^{}]*)*)\}|[{}]/g
const innerField = /\{([^{}]*)\}/g
const specForm = /^(?:([\s\S])?([<>=^]))?([-+ ]?)(0?)(\d*)([,_]?)(?:\.(\d+))?([a-zA-Z%]?)$/u

/** `template.format(…)`. Fields may have a name or number, members, a conversion and a specification, which may have fields. */
export function formatted(
  template: string,
  args: readonly PythonValue[],
  named: ReadonlyMap<string, PythonValue>,
  budget: TemplateBudget,
): string {
  let next = 0
  return template.replace(field, (all, inside: string | undefined) => {
    if (all === '{' || all === '}') throw typeFault(`Single '${all}' encountered in format string`)
    return inside === undefined ? (all[0] ?? '') : written(inside, true)
  })

  function written(inside: string, isOuter: boolean): string {
    const colon = inside.indexOf(':')
    const [path = '', conversion] = (colon === -1 ? inside : inside.slice(0, colon)).split('!')
    const value = valueAt(path)
    const given = colon === -1 ? '' : inside.slice(colon + 1)
    const spec = isOuter ? given.replace(innerField, (_, it: string) => written(it, false)) : given
    budget.spendText(spec.length)
    const shown = conversion === 'r' ? repr(value, budget) : conversion === 's' ? str(value, budget) : value
    return withSpec(shown, spec, budget)
  }

  function valueAt(path: string): PythonValue {
    const [first = '', ...members] = path.split(/[.[\]]+/).filter((it, index) => it !== '' || index === 0)
    let value = first === '' ? args[next++] : /^\d+$/.test(first) ? args[Number(first)] : named.get(first)
    for (const member of members) {
      if (value instanceof Map) value = value.get(member)
      else if (value !== undefined && isList(value)) value = value[Number(member)]
      else value = undefined
    }
    if (value === undefined) throw typeFault(`tuple index out of range`)
    return value instanceof Missing ? '' : value
  }
}

/** `format(value, spec)` */
function withSpec(value: PythonValue, spec: string, budget: TemplateBudget): string {
  const found = specForm.exec(spec)
  if (!found) throw typeFault(`Invalid format specifier '${spec}'`)
  const [, fill, align, sign = '', zero, width, groups = '', precision, type = ''] = found
  const isNumber = typeof value !== 'boolean' && numberOf(value) !== undefined
  const wanted = {
    fill: fill ?? (zero ? '0' : ' '),
    align: align ?? (zero && isNumber ? '=' : isNumber ? '>' : '<'),
    sign,
    width: Number(width),
    groups,
    precision: precision === undefined ? undefined : Number(precision),
    type,
  }
  return aligned(value, wanted, budget)
}

function aligned(value: PythonValue, spec: FormatSpec, budget: TemplateBudget): string {
  const text = body(value, spec, budget)
  budget.spendText(Math.max(text.length, Math.min(spec.width, widest)))
  const lack = Math.min(spec.width, widest) - nCharacters(text)
  if (lack <= 0) return text
  const padding = spec.fill.repeat(lack)
  if (spec.align === '<') return text + padding
  if (spec.align === '^') return padding.slice(0, lack >> 1) + text + padding.slice(lack >> 1)
  const sign = spec.align === '=' ? (/^[-+ ]/.exec(text)?.[0] ?? '') : ''
  return sign + padding + text.slice(sign.length)
}

function body(
  value: PythonValue,
  { sign, groups, precision, type }: FormatSpec,
  budget: TemplateBudget,
): string {
  const number = numberOf(value)
  if (number === undefined || type === 's' || (typeof value === 'boolean' && type === '')) {
    if (type !== '' && type !== 's') throw typeFault(`must be real number, not ${typeName(value)}`)
    const text = str(value, budget)
    if (precision === undefined) return text
    budget.spendCharacters(text.length)
    return [...text].slice(0, precision).join('')
  }
  const absolute = Math.abs(number)
  const before = number < 0 || Object.is(number, -0) ? '-' : sign === '-' ? '' : sign
  return before + grouped(digitsOf(absolute, isFloat(value), precision, type), groups)
}

function digitsOf(value: number, isFloating: boolean, precision: number | undefined, type: string): string {
  const places = Math.min(precision ?? 6, 100)
  switch (type) {
    case 'd':
      return integerText(value)
    case 'f':
    case 'F':
      return value.toFixed(places)
    case '%':
      return `${(value * 100).toFixed(places)}%`
    case 'e':
    case 'E': {
      const text = value.toExponential(places).replace(/e([-+])(\d)$/, 'e$10$2')
      return type === 'E' ? text.toUpperCase() : text
    }
    case 'x':
      return value.toString(16)
    case 'X':
      return value.toString(16).toUpperCase()
    case 'o':
      return value.toString(8)
    case 'b':
      return value.toString(2)
    case '':
    case 'g':
      if (!isFloating && type === '') return integerText(value)
      if (precision === undefined && type === '') return reprOfFloat(value)
      return general(value, Math.max(1, places))
    default:
      throw typeFault(`Unknown format code '${type}'`)
  }
}

function general(value: number, places: number): string {
  if (value === 0) return '0'
  const power = Math.floor(Math.log10(value))
  if (power < -4 || power >= places) {
    const [digits = '', exponent = ''] = value.toExponential(places - 1).split('e')
    const [sign = '', ...rest] = exponent
    return `${withoutZeros(digits)}e${sign}${rest.join('').padStart(2, '0')}`
  }
  return withoutZeros(value.toPrecision(places))
}

/** A fraction without the zeros at its end. */
function withoutZeros(text: string): string {
  if (!text.includes('.')) return text
  let end = text.length
  while (text[end - 1] === '0') end--
  return text.slice(0, text[end - 1] === '.' ? end - 1 : end)
}

function grouped(text: string, separator: string): string {
  if (separator === '') return text
  const [whole = '', rest] = text.split('.')
  let result = ''
  for (let at = whole.length; at > 0; at -= 3)
    result = whole.slice(Math.max(0, at - 3), at) + (result === '' ? '' : separator) + result
  return rest === undefined ? result : `${result}.${rest}`
}
