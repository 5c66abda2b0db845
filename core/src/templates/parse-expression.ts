/** Reads the expressions of a template, with the precedence that Jinja2 gives them. */
import { TemplateFault } from './template-problem.ts'
import type { TemplateToken } from './template-token.ts'
import type { TemplateArguments, TemplateExpression, TemplateTarget } from './template-tree.ts'

const comparisons = new Set(['==', '!=', '<', '<=', '>', '>='])
const noArguments: TemplateArguments = { positional: [], named: [], list: undefined, dict: undefined }
const deepest = 120 // expressions inside each other; twelve functions each

/** The tokens of a template, and how its expressions are read from them. */
export class ExpressionParser {
  readonly #tokens: readonly TemplateToken[]
  #index = 0
  #depth = 0
  /** Names that were read, for macros, whose parameters depend on what their bodies use. */
  onName: (name: string) => void = () => {}

  constructor(tokens: readonly TemplateToken[]) {
    this.#tokens = tokens
  }

  get current(): TemplateToken {
    return this.#tokens[this.#index] as TemplateToken // the last token is `end`, and is never passed
  }

  get following(): TemplateToken {
    return this.#tokens[Math.min(this.#index + 1, this.#tokens.length - 1)] as TemplateToken // as above
  }

  next(): TemplateToken {
    const token = this.current
    if (token.kind !== 'end') this.#index++
    return token
  }

  is(kind: 'name' | 'operator', value: string): boolean {
    return this.current.kind === kind && this.current.value === value
  }

  skip(kind: 'name' | 'operator', value: string): boolean {
    if (!this.is(kind, value)) return false
    this.next()
    return true
  }

  expect(kind: TemplateToken['kind'], value?: string): TemplateToken {
    const { current } = this
    if (current.kind !== kind || (value !== undefined && current.value !== value))
      throw this.unexpected(value ?? kindNames[kind])
    return this.next()
  }

  unexpected(expected: string): TemplateFault {
    const { kind, value, at } = this.current
    const got = kind === 'close' || kind === 'end' ? kindNames[kind] : value
    return new TemplateFault('syntax', `expected token '${expected}', got '${got}'`, at)
  }

  expression(): TemplateExpression {
    return this.#nested(() => this.#choice())
  }

  /** One expression, or a tuple without brackets. */
  expressions({ withChoice = true } = {}): TemplateExpression {
    return this.#tuple(() => (withChoice ? this.expression() : this.#nested(() => this.#or())), false)
  }

  /** What `{% filter %}` and `{% set x | f %}` apply to a block. */
  filters(): TemplateExpression {
    let result = this.#filter(undefined)
    while (this.skip('operator', '|')) result = this.#filter(result)
    return result
  }

  arguments(): TemplateArguments {
    this.expect('operator', '(')
    const positional: TemplateExpression[] = []
    const named: [string, TemplateExpression][] = []
    let list: TemplateExpression | undefined
    let dict: TemplateExpression | undefined
    for (let isFirst = true; !this.is('operator', ')'); isFirst = false) {
      if (!isFirst) this.expect('operator', ',')
      if (this.is('operator', ')')) break
      const { at } = this.current
      if (this.skip('operator', '*')) list = this.expression()
      else if (this.skip('operator', '**')) dict = this.expression()
      else if (
        this.current.kind === 'name' &&
        this.following.value === '=' &&
        this.following.kind === 'operator'
      ) {
        const name = this.next().value
        this.next()
        named.push([name, this.expression()])
      } else {
        if (named.length > 0 || dict)
          throw new TemplateFault('syntax', 'invalid syntax for function call expression', at)
        positional.push(this.expression())
      }
    }
    this.expect('operator', ')')
    return { positional, named, list, dict }
  }

  /** What `{% set %}`, `{% for %}` and `{% with %}` assign to. */
  target(): TemplateTarget {
    const { at } = this.current
    const items = [this.#singleTarget()]
    let isTuple = false
    while (this.skip('operator', ',')) {
      isTuple = true
      if (this.current.kind !== 'name' && !this.is('operator', '(')) break
      if (this.is('name', 'in')) break
      items.push(this.#singleTarget())
    }
    return isTuple ? { kind: 'tuple', items, at } : (items[0] as TemplateTarget) // there is one
  }

  #singleTarget(): TemplateTarget {
    if (this.skip('operator', '(')) {
      const inner = this.#nested(() => this.target())
      this.expect('operator', ')')
      return inner
    }
    const { value, at } = this.expect('name')
    if (!this.skip('operator', '.')) return { kind: 'name', name: value, at }
    this.onName(value)
    return { kind: 'field', name: value, field: this.expect('name').value, at }
  }

  #nested<T>(read: () => T): T {
    if (this.#depth >= deepest)
      throw new TemplateFault('limit', 'The template is nested too deeply', this.current.at)
    this.#depth++
    const result = read()
    this.#depth--
    return result
  }

  #choice(): TemplateExpression {
    let result = this.#or()
    while (this.is('name', 'if')) {
      const { at } = this.next()
      const test = this.#or()
      const otherwise = this.skip('name', 'else') ? this.#nested(() => this.#choice()) : undefined
      result = { kind: 'choice', test, value: result, otherwise, at }
    }
    return result
  }

  #or(): TemplateExpression {
    let left = this.#and()
    while (this.is('name', 'or')) {
      const { at } = this.next()
      left = { kind: 'or', left, right: this.#and(), at }
    }
    return left
  }

  #and(): TemplateExpression {
    let left = this.#not()
    while (this.is('name', 'and')) {
      const { at } = this.next()
      left = { kind: 'and', left, right: this.#not(), at }
    }
    return left
  }

  #not(): TemplateExpression {
    if (!this.is('name', 'not')) return this.#comparison()
    const { at } = this.next()
    return { kind: 'not', of: this.#nested(() => this.#not()), at }
  }

  #comparison(): TemplateExpression {
    const { at } = this.current
    const of = this.#sum()
    const steps: { operator: string; right: TemplateExpression }[] = []
    while (true) {
      if (this.current.kind === 'operator' && comparisons.has(this.current.value)) {
        const operator = this.next().value
        steps.push({ operator, right: this.#sum() })
      } else if (this.skip('name', 'in')) steps.push({ operator: 'in', right: this.#sum() })
      else if (this.is('name', 'not') && this.following.kind === 'name' && this.following.value === 'in') {
        this.next()
        this.next()
        steps.push({ operator: 'not in', right: this.#sum() })
      } else return steps.length === 0 ? of : { kind: 'compare', of, steps, at }
    }
  }

  #sum(): TemplateExpression {
    return this.#arithmetic(['+', '-'], () => this.#concat())
  }

  #concat(): TemplateExpression {
    const first = this.#product()
    if (!this.is('operator', '~')) return first
    const items = [first]
    while (this.skip('operator', '~')) items.push(this.#product())
    return { kind: 'concat', items, at: first.at }
  }

  #product(): TemplateExpression {
    return this.#arithmetic(['*', '/', '//', '%'], () => this.#power())
  }

  #power(): TemplateExpression {
    return this.#arithmetic(['**'], () => this.#unary(true))
  }

  #arithmetic(operators: readonly string[], operand: () => TemplateExpression): TemplateExpression {
    let left = operand()
    while (this.current.kind === 'operator' && operators.includes(this.current.value)) {
      const { value: operator, at } = this.next()
      left = { kind: 'arithmetic', operator, left, right: operand(), at }
    }
    return left
  }

  #unary(withFilter: boolean): TemplateExpression {
    const { at } = this.current
    let result: TemplateExpression
    if (this.skip('operator', '-'))
      result = { kind: 'negative', of: this.#nested(() => this.#unary(false)), at }
    else if (this.skip('operator', '+'))
      result = { kind: 'positive', of: this.#nested(() => this.#unary(false)), at }
    else result = this.#primary()
    result = this.#postfix(result)
    return withFilter ? this.#filtersAndTests(result) : result
  }

  #primary(): TemplateExpression {
    const { kind, value, number = 0, isFloat, at } = this.current
    if (kind === 'name') {
      this.next()
      const word = value.toLowerCase()
      const isConstant = value === word || value[0] !== word[0]
      if (isConstant && value.slice(1) === word.slice(1)) {
        if (word === 'true' || word === 'false') return { kind: 'constant', value: word === 'true', at }
        if (word === 'none') return { kind: 'constant', value: null, at }
      }
      this.onName(value)
      return { kind: 'name', name: value, at }
    }
    if (kind === 'string') {
      let text = ''
      while (this.current.kind === 'string') text += this.next().value
      return { kind: 'constant', value: text, at }
    }
    if (kind === 'number') {
      this.next()
      return isFloat ? { kind: 'float', value: number, at } : { kind: 'constant', value: number, at }
    }
    if (this.skip('operator', '(')) {
      const result = this.#tuple(() => this.expression(), true)
      this.expect('operator', ')')
      return result
    }
    if (this.skip('operator', '['))
      return { kind: 'list', items: this.#until(']', () => this.expression()), at }
    if (this.skip('operator', '{')) {
      const entries = this.#until('}', () => {
        const key = this.expression()
        this.expect('operator', ':')
        return [key, this.expression()] as const
      })
      return { kind: 'dict', entries, at }
    }
    const got = kind === 'close' || kind === 'end' ? kindNames[kind] : value
    throw new TemplateFault('syntax', `unexpected '${got}'`, at)
  }

  #until<T>(close: string, read: () => T): T[] {
    const items: T[] = []
    while (!this.is('operator', close)) {
      if (items.length > 0) this.expect('operator', ',')
      if (this.is('operator', close)) break
      items.push(read())
    }
    this.next()
    return items
  }

  #tuple(read: () => TemplateExpression, isBracketed: boolean): TemplateExpression {
    const { at } = this.current
    const items: TemplateExpression[] = []
    let isTuple = isBracketed && this.is('operator', ')')
    while (!this.#endsTuple()) {
      items.push(read())
      if (!this.is('operator', ',')) break
      isTuple = true
      this.next()
    }
    const [first] = items
    if (isTuple) return { kind: 'tuple', items, at }
    if (first) return first
    return this.#primary() // says what is there instead of an expression
  }

  #endsTuple(): boolean {
    return this.current.kind === 'close' || this.is('operator', ')') || this.is('operator', '=')
  }

  #postfix(expression: TemplateExpression): TemplateExpression {
    let of = expression
    while (this.current.kind === 'operator') {
      const { at } = this.current
      if (this.skip('operator', '.')) {
        const { kind, value, number = 0 }: TemplateToken = this.next()
        if (kind === 'name') of = { kind: 'attribute', of, name: value, at }
        else if (kind === 'number')
          of = { kind: 'item', of, key: { kind: 'constant', value: number, at }, at }
        else throw new TemplateFault('syntax', 'expected name or number', at)
      } else if (this.skip('operator', '[')) {
        const keys = this.#until(']', () => this.#subscript())
        const [only] = keys
        const key: TemplateExpression = keys.length === 1 && only ? only : { kind: 'tuple', items: keys, at }
        of = { kind: 'item', of, key, at }
      } else if (this.is('operator', '(')) of = { kind: 'call', of, args: this.arguments(), at: of.at }
      else break
    }
    return of
  }

  #subscript(): TemplateExpression {
    const { at } = this.current
    const bounds: (TemplateExpression | undefined)[] = [undefined]
    let isSlice = false
    while (!this.is('operator', ']') && !this.is('operator', ',')) {
      if (this.skip('operator', ':')) {
        isSlice = true
        bounds.push(undefined)
      } else if (bounds.at(-1) === undefined) bounds[bounds.length - 1] = this.expression()
      else throw this.unexpected(']')
    }
    const [first] = bounds
    if (!isSlice && first) return first
    if (!isSlice || bounds.length > 3) throw this.unexpected(']')
    return { kind: 'slice', bounds, at }
  }

  #filtersAndTests(expression: TemplateExpression): TemplateExpression {
    let of = expression
    while (true) {
      if (this.skip('operator', '|')) of = this.#filter(of)
      else if (this.is('name', 'is')) of = this.#test(of)
      else if (this.is('operator', '(')) {
        of = { kind: 'call', of, args: this.arguments(), at: of.at }
      } else return of
    }
  }

  #filter(of: TemplateExpression | undefined): TemplateExpression {
    const { value: name, at } = this.expect('name')
    const args = this.is('operator', '(') ? this.arguments() : noArguments
    return { kind: 'filter', of, name, args, at }
  }

  #test(of: TemplateExpression): TemplateExpression {
    const { at } = this.next()
    const isNegated = this.skip('name', 'not')
    const name = this.expect('name').value
    let args = noArguments
    if (this.is('operator', '(')) args = this.arguments()
    else if (this.#beginsTestArgument()) {
      if (this.is('name', 'is'))
        throw new TemplateFault('syntax', 'You cannot chain multiple tests with is', this.current.at)
      args = { ...noArguments, positional: [this.#postfix(this.#primary())] }
    }
    const test: TemplateExpression = { kind: 'test', of, name, args, at }
    return isNegated ? { kind: 'not', of: test, at } : test
  }

  #beginsTestArgument(): boolean {
    const { kind, value } = this.current
    if (kind === 'name') return value !== 'else' && value !== 'or' && value !== 'and'
    return kind === 'string' || kind === 'number' || (kind === 'operator' && (value === '[' || value === '{'))
  }
}

const kindNames: Readonly<Record<TemplateToken['kind'], string>> = {
  text: 'template data',
  name: 'name',
  string: 'string',
  number: 'integer',
  operator: 'operator',
  open: 'begin of statement block',
  close: 'end of print statement',
  end: 'end of template',
}
