/** What the operators of expressions do, as in Python. */
import { escaped, str } from './python-text.ts'
import {
  areEqual,
  compared,
  Escaped,
  float,
  isFloat,
  isList,
  Missing,
  numberOf,
  type PythonValue,
  plain,
  Tuple,
  typeName,
} from './python-value.ts'
import type { TemplateBudget } from './template-budget.ts'
import { isIn } from './template-filters.ts'
import { typeFault } from './template-problem.ts'
import { escapedFormatted, percentFormatted } from './text-format.ts'

/** `left operator right`, for comparisons and `in`. @throws TemplateFault */
export function holds(
  operator: string,
  left: PythonValue,
  right: PythonValue,
  budget: TemplateBudget,
): boolean {
  switch (operator) {
    case '==':
      return areEqual(left, right, budget)
    case '!=':
      return !areEqual(left, right, budget)
    case 'in':
      return isIn(left, right, budget)
    case 'not in':
      return !isIn(left, right, budget)
    case '<':
      return compared(left, right, budget, operator) < 0
    case '<=':
      return compared(left, right, budget, operator) <= 0
    case '>':
      return compared(left, right, budget, operator) > 0
    default:
      return compared(left, right, budget, operator) >= 0
  }
}

/** `parts` as one text. @throws TemplateFault */
export function joined(parts: readonly string[], budget: TemplateBudget): string {
  let text = ''
  for (const part of parts) text += part // not yet copied: most texts are only written
  budget.spendText(text.length)
  return text
}

/** `left operator right`, for all other operators. @throws TemplateFault */
export function arithmetic(
  operator: string,
  left: PythonValue,
  right: PythonValue,
  budget: TemplateBudget,
): PythonValue {
  if (left instanceof Missing) throw left.fault()
  if (left instanceof Escaped || right instanceof Escaped) {
    const result = escapedArithmetic(operator, left, right, budget)
    return result ?? arithmetic(operator, plain(left), plain(right), budget)
  }
  if (operator === '%' && typeof left === 'string') return percentFormatted(left, right, budget)
  if (right instanceof Missing) throw right.fault()
  if (operator === '+') {
    if (typeof left === 'string' && typeof right === 'string') return joined([left, right], budget)
    if (isList(left) && isList(right)) {
      budget.spend(left.length + right.length)
      return [...left, ...right]
    }
    if (left instanceof Tuple && right instanceof Tuple) {
      budget.spend(left.items.length + right.items.length)
      return new Tuple([...left.items, ...right.items])
    }
    if (typeof left === 'string' || isList(left) || left instanceof Tuple) {
      const own = typeName(left)
      throw typeFault(`can only concatenate ${own} (not "${typeName(right)}") to ${own}`)
    }
  }
  if (operator === '*') {
    const [sequence, times] = typeof left === 'string' || isList(left) ? [left, right] : [right, left]
    const count = numberOf(times)
    if (count !== undefined && typeof sequence === 'string') {
      budget.spendText(sequence.length * Math.max(0, count))
      return sequence.repeat(Math.max(0, count))
    }
    if (count !== undefined && isList(sequence)) {
      budget.spend(sequence.length * Math.max(0, count))
      return Array.from({ length: Math.max(0, count) }, () => sequence).flat()
    }
  }
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a === undefined || b === undefined)
    throw typeFault(
      `unsupported operand type(s) for ${operator}: '${typeName(left)}' and '${typeName(right)}'`,
    )
  if (b === 0 && (operator === '/' || operator === '//' || operator === '%'))
    throw typeFault('division by zero')
  if (operator === '**' && a === 0 && b < 0) throw typeFault('0.0 cannot be raised to a negative power')
  const result = number(operator, a, b)
  const isFloating = operator === '/' || isFloat(left) || isFloat(right) || (operator === '**' && b < 0)
  return isFloating ? float(result) : result
}

/** Escaped text together with other values, which are escaped for that; undefined if the result isn't text. */
function escapedArithmetic(
  operator: string,
  left: PythonValue,
  right: PythonValue,
  budget: TemplateBudget,
): PythonValue | undefined {
  const areTexts = [left, right].every((it) => typeof plain(it) === 'string')
  if (operator === '+' && areTexts)
    return new Escaped(joined([escaped(left, budget).text, escaped(right, budget).text], budget))
  if (!(left instanceof Escaped)) return undefined
  if (operator === '%') return escapedFormatted(left, right, budget)
  if (operator !== '*' || numberOf(right) === undefined) return undefined
  return new Escaped(str(arithmetic('*', left.text, right, budget), budget))
}

/** `-value` or `+value`. @throws TemplateFault */
export function signed(sign: '-' | '+', value: PythonValue): PythonValue {
  const number = numberOf(value)
  if (value instanceof Missing) throw value.fault()
  if (number === undefined) throw typeFault(`bad operand type for unary ${sign}: '${typeName(value)}'`)
  const result = sign === '-' ? -number : number
  return isFloat(value) ? float(result) : result || 0
}

function number(operator: string, a: number, b: number): number {
  switch (operator) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return a / b
    case '//':
      return Math.floor(a / b)
    case '%':
      return a - b * Math.floor(a / b)
    default:
      return a ** b
  }
}
