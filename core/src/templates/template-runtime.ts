/** Renders a parsed template. */
import type { Range } from '../text/range.ts'
import { reprOfText, str } from './python-text.ts'
import {
  areEqual,
  Callable,
  defined,
  Fields,
  float,
  isFloat,
  isList,
  isTrue,
  iterated,
  keyIn,
  Macro,
  Missing,
  numberOf,
  type PythonValue,
  plain,
  Stream,
  Tuple,
  typeName,
} from './python-value.ts'
import { mostText, type TemplateBudget } from './template-budget.ts'
import { applyFilter, applyTest, type CallArguments, sliced } from './template-filters.ts'
import { globalFunction } from './template-globals.ts'
import { attributeOf, itemOf } from './template-members.ts'
import { arithmetic, holds, joined, signed } from './template-operators.ts'
import type { PrefixWatch, TemplatePrefix } from './template-prefixes.ts'
import { TemplateFault, typeFault } from './template-problem.ts'
import type { TemplateTrace } from './template-trace.ts'
import type {
  TemplateArguments,
  TemplateExpression,
  TemplateMacro,
  TemplateStatement,
  TemplateTarget,
} from './template-tree.ts'

/** What a rendering is made with. */
export interface RenderingSetup {
  /** What may be used. */
  readonly budget: TemplateBudget
  /** The time that `strftime_now` writes. */
  readonly now: Date
  /** The statements of another template, for `{% include %}`; undefined if there is none. */
  readonly include: ((name: string) => readonly TemplateStatement[] | undefined) | undefined
  /** Two characters that no text has, to be written around what `{% generation %}` writes; undefined to note where it is. */
  readonly marks: readonly [start: string, end: string] | undefined
  /** Notes which parts of the template write what. */
  readonly trace: TemplateTrace | undefined
  /** Notes what would be written if a list ended earlier. Needs a rendering without marks. */
  readonly watch: PrefixWatch | undefined
}

/** Names, and the names around them. */
class Scope {
  #values: Map<string, PythonValue> | undefined
  readonly #outer: Scope | undefined
  constructor(outer?: Scope) {
    this.#outer = outer
  }
  /** Its own names; made when they are asked for, because few blocks set any. */
  get values(): Map<string, PythonValue> {
    this.#values ??= new Map()
    return this.#values
  }
  get(name: string): PythonValue | undefined {
    for (let scope: Scope | undefined = this; scope; scope = scope.#outer) {
      const value = scope.#values?.get(name)
      if (value !== undefined) return value
    }
    return undefined
  }
}

type Signal = 'break' | 'continue' | undefined

const loopCost = 5 // units for each iteration: its scope and its `loop`

/** The text of `template`, and what `{% generation %}` wrote of it unless there are marks for that. @throws TemplateFault */
export function runTemplate(
  template: readonly TemplateStatement[],
  context: ReadonlyMap<string, PythonValue>,
  setup: RenderingSetup,
): { readonly text: string; readonly spans: readonly Range[] } {
  const { marks, watch, budget } = setup
  let { trace } = setup
  let output: string[] = []
  let length = 0 // code units of `output`
  let held = 0 // code units that were written, also into captured text
  const spans: Range[] = []
  let unitsApart = budget.units // for all that is run for fewer items
  let undone: (() => unknown)[] | undefined // what takes back what was set
  const globals = new Map<string, PythonValue>()
  const top = new Scope()
  for (const [name, value] of context) top.values.set(name, value)
  for (const [index, statement] of template.entries()) {
    if (watch) watch.following = { statement, from: index + 1 }
    if (runOne(statement, top)) break
  }
  return { text: output.join(''), spans }

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
        writeValue(str(evaluate(statement.value, scope), budget), statement)
        return undefined
      case 'if': {
        const branch = statement.branches.find(({ test }) => !test || holdsTrue(test, scope))
        return branch && run(branch.body, scope)
      }
      case 'for': {
        const { of, test, isRecursive } = statement
        const list = test || isRecursive ? undefined : watched(of, scope)
        loop(statement, list ?? evaluate(of, scope), scope, 1)
        return undefined
      }
      case 'set':
        assign(statement.target, setValue(statement.value, scope), scope)
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
            budget,
          ),
          statement,
        )
        return undefined
      case 'with': {
        const inner = new Scope(scope)
        for (const [target, value] of statement.values) assign(target, evaluateAny(value, scope), inner)
        return run(statement.body, inner)
      }
      case 'macro':
        setName(scope, statement.macro.name, macroOf(statement.macro, scope))
        return undefined
      case 'callBlock': {
        const caller = macroOf(statement.macro, scope)
        if (statement.call.kind !== 'call') return undefined
        const args = argumentsOf(statement.call.args, scope, evaluateAny)
        const named = new Map(args.named).set('caller', caller)
        writeValue(str(call(evaluate(statement.call.of, scope), { ...args, named }), budget), statement)
        return undefined
      }
      case 'generation': {
        if (marks) write(marks[0])
        const span = { start: length, end: length }
        if (!marks) spans.push(span)
        run(statement.body, new Scope(scope))
        span.end = length
        if (marks) write(marks[1])
        return undefined
      }
      case 'include': {
        const name = str(evaluate(statement.name, scope), budget)
        const included = setup.include?.(name)
        const inner = new Scope(statement.isIsolated ? undefined : scope)
        if (included) return budget.nest(() => run(included, inner))
        if (statement.isOptional) return undefined
        throw typeFault(
          setup.include
            ? `Template ${reprOfText(name)} was not found`
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
    length += text.length
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
    const [outer, outerLength] = [output, length]
    output = []
    length = 0
    try {
      work()
      return output.join('')
    } finally {
      output = outer
      length = outerLength
    }
  }

  function loop(
    statement: TemplateStatement & { readonly kind: 'for' },
    sequence: PythonValue,
    scope: Scope,
    depth: number,
  ): void {
    let items = iterated(sequence, budget)
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
    const offset = watch?.isApart === false && !test && !again ? watch.offsetOf(sequence) : undefined
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
              const isSame = changed !== undefined && areEqual([...changed], [...args], budget)
              changed = args
              return !isSame
            }),
          ],
        ])
      let onRead: Fields['onRead']
      if (watch && offset !== undefined) {
        watch.reach(offset + index + 1)
        onRead = (key) => watchLoop(watch, offset + index + 1, key)
      }
      inner.values.set('loop', new Fields('LoopContext', values, { call: again, onRead }))
      assign(target, it, inner)
      if (run(statement.body, inner) === 'break') break
      if (
        watch &&
        offset !== undefined &&
        watch.following?.statement === statement &&
        index < items.length - 1
      )
        watch.pair(offset + index + 1, runRest)
    }
    if (items.length === 0) run(statement.otherwise, new Scope(scope))
  }

  /** Writes what follows the loop that is run, as if the list ended here. Changes nothing. */
  function runRest(isFlagged: boolean): TemplatePrefix | undefined {
    if (!watch?.following) return undefined
    const [outer, outerLength, outerHeld, outerTrace] = [output, length, held, trace]
    const [units, nSpans] = [budget.units, spans.length]
    budget.units = unitsApart
    undone = []
    output = []
    trace = undefined
    if (isFlagged) setName(top, watch.flag, true)
    try {
      for (let index = watch.following.from; index < template.length; index++)
        if (runOne(template[index] as TemplateStatement, top)) break // inside
      return { shared: outerLength, rest: output.join('') }
    } catch (error) {
      if (error instanceof TemplateFault) return undefined // the rendering with fewer items says why
      throw error
    } finally {
      for (const undo of undone.reverse()) undo()
      undone = undefined
      unitsApart = budget.units
      budget.units = units
      spans.length = nSpans
      output = outer
      length = outerLength
      held = outerHeld
      trace = outerTrace
    }
  }

  /** The value of `expression` if it is the list that is watched, or a part of it, and is not looked at by that alone. */
  function watched(expression: TemplateExpression, scope: Scope): PythonValue | undefined {
    if (!watch || watch.isApart || expression.kind !== 'name') return undefined
    const value = scope.get(expression.name)
    return value === undefined || watch.offsetOf(value) === undefined ? undefined : value
  }

  /** What a name is set to: also the list that is watched, or what it has from an item on. */
  function setValue(expression: TemplateExpression, scope: Scope): PythonValue {
    const list = watched(expression, scope)
    if (list !== undefined) return list
    const of = expression.kind === 'item' ? watched(expression.of, scope) : undefined
    if (of === undefined || expression.kind !== 'item' || expression.key.kind !== 'slice')
      return evaluateAny(expression, scope)
    const [from, to, step] = expression.key.bounds
    const count = from?.kind === 'constant' && !to && !step ? from.value : undefined
    if (typeof count !== 'number' || count < 0) return evaluateAny(expression, scope)
    const part = sliced(of, [count], budget)
    watch?.derive(of, part, count)
    return part
  }

  function holdsTrue(expression: TemplateExpression, scope: Scope): boolean {
    const list = watched(expression, scope)
    if (list === undefined) return isTrue(evaluate(expression, scope))
    watch?.reach((watch.offsetOf(list) ?? 0) + 1)
    return isTrue(list)
  }

  function assign(target: TemplateTarget, value: PythonValue, scope: Scope): void {
    watch?.keep(value)
    if (target.kind === 'name') {
      if (target.name === watch?.flag) watch.readFlag()
      setName(scope, target.name, value)
    } else if (target.kind === 'field') {
      const object = scope.get(target.name)
      if (!(object instanceof Fields && object.typeName === 'Namespace'))
        throw new TemplateFault('failed', 'cannot assign attribute on non-namespace object', target.at)
      setIn(object.values, target.field, value)
    } else {
      const items = iterated(value, budget)
      const [wanted, got] = [target.items.length, items.length]
      if (got > wanted) throw typeFault(`too many values to unpack (expected ${wanted})`)
      if (got < wanted) throw typeFault(`not enough values to unpack (expected ${wanted}, got ${got})`)
      for (const [index, it] of target.items.entries()) assign(it, items[index] as PythonValue, scope)
    }
  }

  function setName({ values }: Scope, name: string, value: PythonValue): void {
    setIn(values, name, value)
  }

  function setIn(values: Map<string, PythonValue>, name: string, value: PythonValue): void {
    if (undone) {
      const before = values.get(name)
      undone.push(() => (before === undefined ? values.delete(name) : values.set(name, before)))
    }
    values.set(name, value)
  }

  function macroOf(macro: TemplateMacro, scope: Scope): Macro {
    return new Macro(macro.name, (args, named) =>
      budget.nest(() => {
        const inner = new Scope(scope)
        const rest = new Map(named)
        for (const [index, { name, fallback }] of macro.parameters.entries()) {
          const own = defined(args[index], () => rest.get(name))
          rest.delete(name)
          if (own !== undefined) inner.values.set(name, own)
          else if (fallback) inner.values.set(name, evaluateAny(fallback, inner))
          else inner.values.set(name, new Missing(`parameter ${reprOfText(name)} was not provided`))
        }
        const caller = rest.get('caller')
        if (caller) inner.values.set('caller', caller)
        rest.delete('caller')
        if (macro.takesRest) inner.values.set('varargs', new Tuple(args.slice(macro.parameters.length)))
        else if (args.length > macro.parameters.length)
          throw typeFault(
            `macro ${reprOfText(macro.name)} takes not more than ${macro.parameters.length} argument(s)`,
          )
        const [unknown] = rest.keys()
        if (macro.takesNamedRest) inner.values.set('kwargs', new Map<PythonValue, PythonValue>(rest))
        else if (unknown !== undefined)
          throw typeFault(`macro ${reprOfText(macro.name)} takes no keyword argument ${reprOfText(unknown)}`)
        return captured(() => run(macro.body, inner))
      }),
    )
  }

  function filtered(filter: TemplateExpression, text: string, scope: Scope): PythonValue {
    if (filter.kind !== 'filter') return text
    const of = filter.of ? filtered(filter.of, text, scope) : text
    return applyFilter(filter.name, of, argumentsOf(filter.args, scope), budget)
  }

  function argumentsOf(args: TemplateArguments, scope: Scope, read = evaluate): CallArguments {
    const positional = args.positional.map((it) => read(it, scope))
    const named = new Map<string, PythonValue>()
    if (args.list) positional.push(...iterated(evaluate(args.list, scope), budget).map(plain))
    for (const [name, value] of args.named) named.set(name, read(value, scope))
    if (args.dict) {
      const dict = evaluate(args.dict, scope)
      if (!(dict instanceof Map))
        throw typeFault(`argument after ** must be a mapping, not ${typeName(dict)}`)
      budget.spend(dict.size)
      for (const [key, value] of dict) named.set(str(key, budget), plain(value))
    }
    return { positional, named }
  }

  function call(callee: PythonValue, { positional, named }: CallArguments): PythonValue {
    if (callee instanceof Missing) throw callee.fault()
    if (callee instanceof Callable) return callee.call(positional, named)
    if (callee instanceof Fields && callee.call) return callee.call(positional, named)
    throw typeFault(`'${typeName(callee)}' object is not callable`)
  }

  /** The value of an expression where escaped text is as any other. */
  function evaluate(expression: TemplateExpression, scope: Scope): PythonValue {
    return plain(evaluateAny(expression, scope))
  }

  function evaluateAny(expression: TemplateExpression, scope: Scope): PythonValue {
    if (expression.kind === 'constant' || expression.kind === 'name') {
      budget.spend(1)
      return expression.kind === 'constant' ? expression.value : named(expression.name, scope)
    }
    try {
      budget.spend(1)
      budget.enter()
    } catch (error) {
      throw placed(error, expression.at)
    }
    try {
      return evaluated(expression, scope)
    } catch (error) {
      throw placed(error, expression.at)
    } finally {
      budget.leave()
    }
  }

  function evaluated(
    expression: Exclude<TemplateExpression, { kind: 'constant' | 'name' }>,
    scope: Scope,
  ): PythonValue {
    switch (expression.kind) {
      case 'float':
        return float(expression.value)
      case 'list':
        return expression.items.map((it) => evaluateKept(it, scope))
      case 'tuple':
        return new Tuple(expression.items.map((it) => evaluateKept(it, scope)))
      case 'dict': {
        const dict = new Map<PythonValue, PythonValue>()
        for (const [key, value] of expression.entries)
          dict.set(keyIn(dict, evaluate(key, scope)), evaluateKept(value, scope))
        return dict
      }
      case 'concat': {
        const parts = expression.items.map((it) => str(evaluate(it, scope), budget))
        for (const part of parts) budget.spendText(part.length)
        return joined(parts, budget)
      }
      case 'attribute':
        return attributeOf(evaluate(expression.of, scope), expression.name, budget)
      case 'item': {
        const list = expression.key.kind === 'slice' ? undefined : watched(expression.of, scope)
        if (list !== undefined) return watchedItem(list, evaluate(expression.key, scope))
        const of = evaluate(expression.of, scope)
        if (expression.key.kind !== 'slice') return itemOf(of, evaluate(expression.key, scope), budget)
        const bounds = expression.key.bounds.map((it) => (it ? evaluate(it, scope) : null))
        return sliced(of, bounds, budget)
      }
      case 'slice':
        throw typeFault('a slice is only possible inside brackets')
      case 'call': {
        const callee = evaluate(expression.of, scope)
        const read = callee instanceof Macro ? evaluateAny : evaluate
        return call(callee, argumentsOf(expression.args, scope, read))
      }
      case 'filter': {
        const of = expression.of ? evaluateAny(expression.of, scope) : null
        const result = applyFilter(expression.name, of, argumentsOf(expression.args, scope), budget)
        if (watch && result instanceof Stream && result.hasStreams) watch.spoil()
        return result
      }
      case 'test': {
        // Every rendering has the flag and the list.
        if (expression.name === 'defined' && isWatched(expression.of, scope)) return true
        const of = evaluateAny(expression.of, scope)
        return applyTest(expression.name, of, argumentsOf(expression.args, scope).positional, budget)
      }
      case 'not':
        return !holdsTrue(expression.of, scope)
      case 'and': {
        if (watched(expression.left, scope) !== undefined && holdsTrue(expression.left, scope))
          return evaluateAny(expression.right, scope)
        const left = evaluateAny(expression.left, scope)
        return isTrue(left) ? evaluateAny(expression.right, scope) : left
      }
      case 'or': {
        const left = evaluateAny(expression.left, scope)
        return isTrue(left) ? left : evaluateAny(expression.right, scope)
      }
      case 'negative':
        return signed('-', evaluate(expression.of, scope))
      case 'positive':
        return signed('+', evaluate(expression.of, scope))
      case 'arithmetic':
        return arithmetic(
          expression.operator,
          evaluateAny(expression.left, scope),
          evaluateAny(expression.right, scope),
          budget,
        )
      case 'compare': {
        let left = evaluate(expression.of, scope)
        for (const { operator, right } of expression.steps) {
          const other = evaluate(right, scope)
          if (!holds(operator, left, other, budget)) return false
          left = other
        }
        return true
      }
      case 'choice':
        if (holdsTrue(expression.test, scope)) return evaluateAny(expression.value, scope)
        if (expression.otherwise) return evaluateAny(expression.otherwise, scope)
        return new Missing('the inline if-expression evaluated to false and no else section was defined.')
    }
  }

  /** The value of a name; of the list that is watched, all that there is. */
  function named(name: string, scope: Scope): PythonValue {
    const value = scope.get(name)
    if (value === undefined) {
      const found = globals.get(name) ?? globalFunction(name, { now: setup.now, budget, watch })
      if (found === undefined) return new Missing(`'${name}' is undefined`)
      globals.set(name, found)
      return found
    }
    if (!watch) return value
    if (name === watch.flag) watch.readFlag()
    const shown = watch.inForce(value)
    if (shown !== value && isList(shown)) budget.spend(shown.length >>> 2)
    return shown
  }

  function isWatched(expression: TemplateExpression, scope: Scope): boolean {
    if (!watch || expression.kind !== 'name') return false
    const value = scope.get(expression.name)
    return value !== undefined && (expression.name === watch.flag || watch.offsetOf(value) !== undefined)
  }

  /** An item of the list that is watched. */
  function watchedItem(list: PythonValue, key: PythonValue): PythonValue {
    const index = typeof key === 'string' || isFloat(key) ? undefined : numberOf(key)
    if (index === undefined || index < 0) watch?.spoil()
    else watch?.reach((watch.offsetOf(list) ?? 0) + index + 1)
    return itemOf(list, key, budget)
  }

  function evaluateKept(expression: TemplateExpression, scope: Scope): PythonValue {
    const value = evaluateAny(expression, scope)
    watch?.keep(value)
    return value
  }
}

/** The fault with the innermost place that is known. */
function placed(error: unknown, at: number): unknown {
  if (error instanceof TemplateFault) error.offset ??= at
  return error
}

/** `loop.key` was looked at in the loop over the list that is watched, when `count` items had been reached. */
function watchLoop(watch: PrefixWatch, count: number, key: string): void {
  if (key === 'last' || key === 'nextitem') watch.reach(count + 1)
  else if (key === 'length' || key === 'revindex' || key === 'revindex0')
    watch.reach(Number.POSITIVE_INFINITY)
}
