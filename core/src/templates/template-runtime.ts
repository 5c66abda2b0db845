/** Renders a parsed template. */
import { repr, str } from './python-text.ts'
import { strftime } from './python-time.ts'
import {
  areEqual,
  Callable,
  charactersOf,
  compared,
  Fields,
  float,
  isFloat,
  isList,
  isTrue,
  iterated,
  Missing,
  numberOf,
  type PythonValue,
  Tuple,
  typeName,
} from './python-value.ts'
import { mostText, TemplateBudget } from './template-budget.ts'
import {
  applyFilter,
  applyTest,
  type CallArguments,
  type FilterContext,
  isIn,
  sliced,
} from './template-filters.ts'
import { TemplateFault, typeFault } from './template-problem.ts'
import type { TemplateTrace } from './template-trace.ts'
import type {
  TemplateArguments,
  TemplateExpression,
  TemplateMacro,
  TemplateStatement,
  TemplateTarget,
} from './template-tree.ts'
import { percentFormatted } from './text-format.ts'
import { listMethod, textMethod } from './text-methods.ts'

/** What a rendering is made with. */
export interface Surroundings {
  /** The time that `strftime_now` writes. */
  readonly now: Date
  /** The statements of another template, for `{% include %}`; undefined if there is none. */
  readonly include: ((name: string) => readonly TemplateStatement[] | undefined) | undefined
  /** Two characters that no text has: around what `{% generation %}` writes where text is captured. */
  readonly marks: readonly [start: string, end: string]
  /** Notes which parts of the template write what. */
  readonly trace: TemplateTrace | undefined
}

/** Names, and the names around them. */
class Scope {
  readonly values = new Map<string, PythonValue>()
  readonly #outer: Scope | undefined
  constructor(outer?: Scope) {
    this.#outer = outer
  }
  get(name: string): PythonValue | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.#outer) {
      const value = scope.values.get(name)
      if (value !== undefined) return value
    }
    return undefined
  }
}

type Signal = 'break' | 'continue' | undefined

const loopCost = 5 // units for each iteration: its scope and its `loop`
const largestRange = 100_000 // as in Jinja2's sandbox

/** The text of `template`, with the marks where the caller's text has none. @throws TemplateFault */
export function runTemplate(
  template: readonly TemplateStatement[],
  context: ReadonlyMap<string, PythonValue>,
  surroundings: Surroundings,
): string {
  const { trace } = surroundings
  const budget = new TemplateBudget()
  let output: string[] = []
  let held = 0 // code units that were written, also into captured text
  const filterContext: FilterContext = { budget, item }
  const globals = new Scope()
  for (const [name, value] of globalValues()) globals.values.set(name, value)
  const top = new Scope(globals)
  for (const [name, value] of context) top.values.set(name, value)
  run(template, top)
  return output.join('')

  function globalValues(): [string, PythonValue][] {
    const make = (name: string, call: Callable['call']): [string, PythonValue] => [
      name,
      new Callable(name, call),
    ]
    return [
      make('raise_exception', ([message = '']) => {
        throw new TemplateFault('raised', str(message))
      }),
      make('strftime_now', ([form = '']) => strftime(surroundings.now, str(form))),
      make('range', (args) => range(args)),
      make('dict', ([from], named) => {
        const result = new Map<PythonValue, PythonValue>(from instanceof Map ? from : [])
        if (from !== undefined && !(from instanceof Map))
          for (const pair of iterated(from)) {
            const [key = null, value = null] = iterated(pair)
            result.set(key, value)
          }
        for (const [name, value] of named) result.set(name, value)
        return result
      }),
      make('namespace', ([from], named) => {
        const values = new Map<string, PythonValue>()
        if (from instanceof Map) for (const [key, value] of from) values.set(str(key), value)
        for (const [name, value] of named) values.set(name, value)
        return new Fields('Namespace', () => values)
      }),
      make('joiner', ([between = ', ']) => {
        let isFirst = true
        return new Callable('joiner', () => {
          const text = isFirst ? '' : between
          isFirst = false
          return text
        })
      }),
      make('cycler', (items) => {
        let index = 0
        const next = new Callable('next', () => items[index++ % items.length] ?? null)
        return new Fields('Cycler', () => new Map([['next', next]]))
      }),
    ]
  }

  function range(args: readonly PythonValue[]): PythonValue {
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

  function run(statements: readonly TemplateStatement[], scope: Scope): Signal {
    for (const statement of statements) {
      const signal = runOne(statement, scope)
      if (signal) return signal
    }
    return undefined
  }

  function runOne(statement: TemplateStatement, scope: Scope): Signal {
    budget.spend(1)
    try {
      return effect(statement, scope)
    } catch (error) {
      throw placed(error, statement.at)
    }
  }

  function effect(statement: TemplateStatement, scope: Scope): Signal {
    switch (statement.kind) {
      case 'text':
        write(statement.text)
        trace?.write(statement.text, { start: statement.at, end: statement.at + statement.text.length }, true)
        return undefined
      case 'output':
        writeValue(str(evaluate(statement.value, scope)), statement)
        return undefined
      case 'if': {
        const branch = statement.branches.find(({ test }) => !test || isTrue(evaluate(test, scope)))
        return branch && run(branch.body, scope)
      }
      case 'for':
        loop(statement, evaluate(statement.of, scope), scope, 1)
        return undefined
      case 'set':
        assign(statement.target, evaluate(statement.value, scope), scope)
        return undefined
      case 'capture': {
        const text = captured(() => run(statement.body, new Scope(scope)))
        assign(statement.target, statement.filter ? filtered(statement.filter, text, scope) : text, scope)
        return undefined
      }
      case 'filtered':
        writeValue(
          str(
            filtered(
              statement.filter,
              captured(() => run(statement.body, new Scope(scope))),
              scope,
            ),
          ),
          statement,
        )
        return undefined
      case 'with': {
        const inner = new Scope(scope)
        for (const [target, value] of statement.values) assign(target, evaluate(value, scope), inner)
        return run(statement.body, inner)
      }
      case 'macro':
        scope.values.set(statement.macro.name, macroOf(statement.macro, scope))
        return undefined
      case 'callBlock': {
        const caller = macroOf(statement.macro, scope)
        if (statement.call.kind !== 'call') return undefined
        const args = argumentsOf(statement.call.args, scope)
        const named = new Map(args.named).set('caller', caller)
        writeValue(str(call(evaluate(statement.call.of, scope), { ...args, named })), statement)
        return undefined
      }
      case 'generation': {
        const [start, end] = surroundings.marks
        write(start)
        run(statement.body, new Scope(scope))
        write(end)
        return undefined
      }
      case 'include': {
        const name = str(evaluate(statement.name, scope))
        const included = surroundings.include?.(name)
        if (included) return budget.nest(() => run(included, new Scope(scope)))
        if (statement.isOptional) return undefined
        throw typeFault(
          surroundings.include
            ? `Template ${repr(name)} was not found`
            : 'no loader for this environment specified',
        )
      }
      case 'break':
      case 'continue':
        return statement.kind
    }
  }

  function write(text: string): void {
    budget.spendText(text.length)
    held += text.length
    if (held > mostText) throw new TemplateFault('limit', 'The template writes more than 64 MB')
    if (text !== '') output.push(text)
  }

  /** Writes what a tag evaluates to. */
  function writeValue(text: string, { at, end }: { readonly at: number; readonly end: number }): void {
    write(text)
    trace?.write(text, { start: at, end }, false)
  }

  function captured(work: () => unknown): string {
    return trace ? trace.captured(() => capturedText(work)) : capturedText(work)
  }

  function capturedText(work: () => unknown): string {
    const outer = output
    output = []
    try {
      work()
      return output.join('')
    } finally {
      output = outer
    }
  }

  function loop(
    statement: TemplateStatement & { readonly kind: 'for' },
    sequence: PythonValue,
    scope: Scope,
    depth: number,
  ): void {
    let items = iterated(sequence)
    budget.spend(items.length * loopCost)
    const { test, target } = statement
    if (test)
      items = items.filter((it) => {
        const inner = new Scope(scope)
        assign(target, it, inner)
        return isTrue(evaluate(test, inner))
      })
    const again = statement.isRecursive
      ? (args: readonly PythonValue[]) =>
          captured(() => budget.nest(() => loop(statement, args[0] ?? null, scope, depth + 1)))
      : undefined
    let changed: readonly PythonValue[] | undefined
    for (const [index, it] of items.entries()) {
      const inner = new Scope(scope)
      const values = (): Map<string, PythonValue> =>
        new Map<string, PythonValue>([
          ['index', index + 1],
          ['index0', index],
          ['revindex', items.length - index],
          ['revindex0', items.length - index - 1],
          ['first', index === 0],
          ['last', index === items.length - 1],
          ['length', items.length],
          ['depth', depth],
          ['depth0', depth - 1],
          ['previtem', defined(items[index - 1], () => new Missing('there is no previous item'))],
          ['nextitem', defined(items[index + 1], () => new Missing('there is no next item'))],
          ['cycle', new Callable('cycle', (args) => args[index % args.length] ?? null)],
          [
            'changed',
            new Callable('changed', (args) => {
              const isSame = changed !== undefined && areEqual([...changed], [...args])
              changed = args
              return !isSame
            }),
          ],
        ])
      inner.values.set('loop', new Fields('LoopContext', values, again))
      assign(target, it, inner)
      if (run(statement.body, inner) === 'break') break
    }
    if (items.length === 0) run(statement.otherwise, new Scope(scope))
  }

  function assign(target: TemplateTarget, value: PythonValue, scope: Scope): void {
    if (target.kind === 'name') scope.values.set(target.name, value)
    else if (target.kind === 'field') {
      const object = scope.get(target.name)
      if (!(object instanceof Fields && object.typeName === 'Namespace'))
        throw new TemplateFault('failed', 'cannot assign attribute on non-namespace object', target.at)
      object.values.set(target.field, value)
    } else {
      const items = iterated(value)
      const [wanted, got] = [target.items.length, items.length]
      if (got > wanted) throw typeFault(`too many values to unpack (expected ${wanted})`)
      if (got < wanted) throw typeFault(`not enough values to unpack (expected ${wanted}, got ${got})`)
      for (const [index, it] of target.items.entries()) assign(it, items[index] as PythonValue, scope)
    }
  }

  function macroOf(macro: TemplateMacro, scope: Scope): Callable {
    return new Callable(macro.name, (args, named) =>
      budget.nest(() => {
        const inner = new Scope(scope)
        const rest = new Map(named)
        for (const [index, { name, fallback }] of macro.parameters.entries()) {
          const own = defined(args[index], () => rest.get(name))
          rest.delete(name)
          if (own !== undefined) inner.values.set(name, own)
          else if (fallback) inner.values.set(name, evaluate(fallback, inner))
          else inner.values.set(name, new Missing(`parameter ${repr(name)} was not provided`))
        }
        const caller = rest.get('caller')
        if (caller) inner.values.set('caller', caller)
        rest.delete('caller')
        if (macro.takesRest) inner.values.set('varargs', new Tuple(args.slice(macro.parameters.length)))
        else if (args.length > macro.parameters.length)
          throw typeFault(
            `macro ${repr(macro.name)} takes not more than ${macro.parameters.length} argument(s)`,
          )
        const [unknown] = rest.keys()
        if (macro.takesNamedRest) inner.values.set('kwargs', new Map<PythonValue, PythonValue>(rest))
        else if (unknown !== undefined)
          throw typeFault(`macro ${repr(macro.name)} takes no keyword argument ${repr(unknown)}`)
        return captured(() => run(macro.body, inner))
      }),
    )
  }

  function filtered(filter: TemplateExpression, text: string, scope: Scope): PythonValue {
    if (filter.kind !== 'filter') return text
    const of = filter.of ? filtered(filter.of, text, scope) : text
    return applyFilter(filter.name, of, argumentsOf(filter.args, scope), filterContext)
  }

  function argumentsOf(args: TemplateArguments, scope: Scope): CallArguments {
    const positional = args.positional.map((it) => evaluate(it, scope))
    const named = new Map<string, PythonValue>()
    if (args.list) positional.push(...iterated(evaluate(args.list, scope)))
    for (const [name, value] of args.named) named.set(name, evaluate(value, scope))
    if (args.dict) {
      const dict = evaluate(args.dict, scope)
      if (!(dict instanceof Map))
        throw typeFault(`argument after ** must be a mapping, not ${typeName(dict)}`)
      for (const [key, value] of dict) named.set(str(key), value)
    }
    return { positional, named }
  }

  function call(callee: PythonValue, { positional, named }: CallArguments): PythonValue {
    if (callee instanceof Missing) throw callee.fault()
    if (callee instanceof Callable) return callee.call(positional, named)
    if (callee instanceof Fields && callee.call) return callee.call(positional, named)
    throw typeFault(`'${typeName(callee)}' object is not callable`)
  }

  function evaluate(expression: TemplateExpression, scope: Scope): PythonValue {
    budget.spend(1)
    try {
      return budget.nest(() => evaluated(expression, scope))
    } catch (error) {
      throw placed(error, expression.at)
    }
  }

  function evaluated(expression: TemplateExpression, scope: Scope): PythonValue {
    switch (expression.kind) {
      case 'constant':
        return expression.value
      case 'float':
        return float(expression.value)
      case 'name':
        return defined(scope.get(expression.name), () => new Missing(`'${expression.name}' is undefined`))
      case 'list':
        return expression.items.map((it) => evaluate(it, scope))
      case 'tuple':
        return new Tuple(expression.items.map((it) => evaluate(it, scope)))
      case 'dict':
        return new Map(
          expression.entries.map(([key, value]) => [evaluate(key, scope), evaluate(value, scope)]),
        )
      case 'concat': {
        const parts = expression.items.map((it) => str(evaluate(it, scope)))
        for (const part of parts) budget.spendText(part.length)
        return joined(parts)
      }
      case 'attribute':
        return attribute(evaluate(expression.of, scope), expression.name)
      case 'item': {
        const of = evaluate(expression.of, scope)
        if (expression.key.kind !== 'slice') return item(of, evaluate(expression.key, scope))
        const bounds = expression.key.bounds.map((it) => (it ? evaluate(it, scope) : null))
        return sliced(of, bounds, budget)
      }
      case 'slice':
        throw typeFault('a slice is only possible inside brackets')
      case 'call': {
        const callee = evaluate(expression.of, scope)
        return call(callee, argumentsOf(expression.args, scope))
      }
      case 'filter': {
        const of = expression.of ? evaluate(expression.of, scope) : null
        return applyFilter(expression.name, of, argumentsOf(expression.args, scope), filterContext)
      }
      case 'test': {
        const of = evaluate(expression.of, scope)
        return applyTest(expression.name, of, argumentsOf(expression.args, scope).positional)
      }
      case 'not':
        return !isTrue(evaluate(expression.of, scope))
      case 'and': {
        const left = evaluate(expression.left, scope)
        return isTrue(left) ? evaluate(expression.right, scope) : left
      }
      case 'or': {
        const left = evaluate(expression.left, scope)
        return isTrue(left) ? left : evaluate(expression.right, scope)
      }
      case 'negative':
      case 'positive': {
        const value = evaluate(expression.of, scope)
        const number = numberOf(value)
        if (value instanceof Missing) throw value.fault()
        const sign = expression.kind === 'negative' ? '-' : '+'
        if (number === undefined) throw typeFault(`bad operand type for unary ${sign}: '${typeName(value)}'`)
        const result = sign === '-' ? -number : number
        return isFloat(value) ? float(result) : result || 0
      }
      case 'arithmetic':
        return arithmetic(
          expression.operator,
          evaluate(expression.left, scope),
          evaluate(expression.right, scope),
        )
      case 'compare': {
        let left = evaluate(expression.of, scope)
        for (const { operator, right } of expression.steps) {
          const other = evaluate(right, scope)
          if (!holds(operator, left, other)) return false
          left = other
        }
        return true
      }
      case 'choice':
        if (isTrue(evaluate(expression.test, scope))) return evaluate(expression.value, scope)
        if (expression.otherwise) return evaluate(expression.otherwise, scope)
        return new Missing('the inline if-expression evaluated to false and no else section was defined.')
    }
  }

  function holds(operator: string, left: PythonValue, right: PythonValue): boolean {
    if (typeof right === 'string') budget.spendText(right.length)
    else if (isList(right)) budget.spend(right.length)
    switch (operator) {
      case '==':
        return areEqual(left, right)
      case '!=':
        return !areEqual(left, right)
      case 'in':
        return isIn(left, right)
      case 'not in':
        return !isIn(left, right)
      case '<':
        return compared(left, right, operator) < 0
      case '<=':
        return compared(left, right, operator) <= 0
      case '>':
        return compared(left, right, operator) > 0
      default:
        return compared(left, right, operator) >= 0
    }
  }

  function joined(parts: readonly string[]): string {
    const text = parts.join('')
    budget.spendText(text.length)
    return text
  }

  function arithmetic(operator: string, left: PythonValue, right: PythonValue): PythonValue {
    if (left instanceof Missing) throw left.fault()
    if (operator === '%' && typeof left === 'string') return percentFormatted(left, right, budget)
    if (right instanceof Missing) throw right.fault()
    if (operator === '+') {
      if (typeof left === 'string' && typeof right === 'string') return joined([left, right])
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
    const result = number(operator, a, b)
    const isFloating = operator === '/' || isFloat(left) || isFloat(right) || (operator === '**' && b < 0)
    return isFloating ? float(result) : result
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

  /** `value.name`: a method first, then an item. */
  function attribute(value: PythonValue, name: string): PythonValue {
    if (value instanceof Missing) throw value.fault()
    return defined(
      defined(method(value, name), () => own(value, name)),
      () => missing(value, name),
    )
  }

  /** `value[key]`: an item first, then a method. */
  function item(value: PythonValue, key: PythonValue): PythonValue {
    if (value instanceof Missing) throw value.fault()
    const found = defined(own(value, key), () => (typeof key === 'string' ? method(value, key) : undefined))
    return defined(found, () => missing(value, key))
  }

  function missing(value: PythonValue, key: PythonValue): Missing {
    const type = value === null ? 'None' : `${typeName(value)} object`
    if (typeof key === 'string') return new Missing(`'${type}' has no attribute '${key}'`)
    return new Missing(`${type} has no element ${repr(key)}`)
  }

  function own(value: PythonValue, key: PythonValue): PythonValue | undefined {
    if (value instanceof Map) return value.get(key)
    if (value instanceof Fields) return typeof key === 'string' ? value.values.get(key) : undefined
    const index = typeof key === 'string' || isFloat(key) ? undefined : numberOf(key)
    if (index === undefined) return undefined
    if (isList(value)) return value.at(index)
    if (value instanceof Tuple) return value.items.at(index)
    return typeof value === 'string' ? (charactersOf(value) ?? value).at(index) : undefined
  }

  function method(value: PythonValue, name: string): PythonValue | undefined {
    if (typeof value === 'string') {
      const found = textMethod(name)
      return (
        found &&
        new Callable(name, (args, named) => {
          budget.spendText(value.length)
          return found(value, args, named, budget)
        })
      )
    }
    if (value instanceof Map) return dictMethod(value, name)
    if (isList(value) || value instanceof Tuple) {
      const found = listMethod(name, isList(value) ? value : value.items, areEqual)
      if (found) return new Callable(name, found)
      if (isList(value) && mutating.has(name))
        throw typeFault(`access to attribute '${name}' of 'list' object is unsafe.`)
    }
    return undefined
  }

  function dictMethod(dict: ReadonlyMap<PythonValue, PythonValue>, name: string): PythonValue | undefined {
    const views = {
      items: () => [...dict].map((it) => new Tuple(it)),
      keys: () => [...dict.keys()],
      values: () => [...dict.values()],
      copy: () => new Map(dict),
    }
    if (name === 'items' || name === 'keys' || name === 'values' || name === 'copy')
      return new Callable(name, () => {
        budget.spend(dict.size)
        return views[name]()
      })
    if (name === 'get')
      return new Callable(name, ([key = null, other = null]) => defined(dict.get(key), () => other))
    if (mutatingDict.has(name)) throw typeFault(`access to attribute '${name}' of 'dict' object is unsafe.`)
    return undefined
  }
}

const mutating = new Set(['append', 'extend', 'insert', 'pop', 'remove', 'reverse', 'sort', 'clear'])
const mutatingDict = new Set(['pop', 'popitem', 'setdefault', 'update', 'clear'])

/** The fault with the innermost place that is known. */
function placed(error: unknown, at: number): unknown {
  if (error instanceof TemplateFault) error.offset ??= at
  return error
}

/** `value`, which may be `None`, or else what `otherwise` gives. */
function defined<T>(value: PythonValue | undefined, otherwise: () => T): PythonValue | T {
  return value === undefined ? otherwise() : value
}
