/** Which strings of a Jinja expression a name is compared with, as it is: `a == "x"`, `"x" != a`, `a in ["x", "y"]`. */
import { isKeyword } from './jinja-scope.ts'
import type { JinjaToken } from './jinja-tokens.ts'

const none: ReadonlyMap<number, readonly JinjaToken[]> = new Map()

/** The strings that names are compared with, by the index of the name in `tokens`. Linear. */
export function comparisonsIn(tokens: readonly JinjaToken[]): ReadonlyMap<number, readonly JinjaToken[]> {
  if (!tokens.some(({ kind }) => kind === 'string')) return none
  const found = new Map<number, JinjaToken[]>()
  for (const [at, before] of comparedNames(tokens).entries()) {
    const string = tokens[at]
    const name = isAfterOperand(tokens[at + 1]) ? before : nameAfter(tokens, at)
    if (name === undefined || string?.kind !== 'string') continue
    if (isOperator(tokens[at - 1], ['(']) && isOperator(tokens[at + 1], [')'])) continue // a text, not a list
    const strings = found.get(name)
    if (strings) strings.push(string)
    else found.set(name, [string])
  }
  return found
}

/** The name that a string after `tokens` would be compared with; undefined if there is none. Linear. */
export function comparedAtEnd(tokens: readonly JinjaToken[]): string | undefined {
  const name = comparedNames(tokens)[tokens.length]
  return name === undefined ? undefined : tokens[name]?.value
}

/** For each place in `tokens`, and their end: the index of the name that a string there would be compared with. */
function comparedNames(tokens: readonly JinjaToken[]): readonly (number | undefined)[] {
  const inLists: (number | undefined)[] = []
  const closings = closingsOf(tokens)
  const nameAt = (index: number) => {
    const { kind, value = '' } = tokens[index] ?? {}
    return kind === 'name' && !isKeyword(value) && isBeforeOperand(tokens[index - 1]) ? index : undefined
  }
  return Array.from({ length: tokens.length + 1 }, (_, at) => {
    const [last, second, third] = [tokens[at - 1], tokens[at - 2], tokens[at - 3]]
    const opensList =
      isOperator(last, ['[', '(']) && isWord(second, ['in']) && isAfterOperand(tokens[closings(at - 1) + 1])
    const isNext = isOperator(last, [',']) && second?.kind === 'string'
    inLists[at] = opensList
      ? nameAt(isWord(third, ['not']) ? at - 4 : at - 3)
      : isNext
        ? inLists[at - 2]
        : undefined
    return isOperator(last, ['==', '!=']) ? nameAt(at - 2) : inLists[at]
  })
}

/** The index of the name that the string at `at` is compared with, where the string comes first. */
function nameAfter(tokens: readonly JinjaToken[], at: number): number | undefined {
  const [operator, name, next] = [tokens[at + 1], tokens[at + 2], tokens[at + 3]]
  const isCompared =
    isBeforeOperand(tokens[at - 1]) &&
    isOperator(operator, ['==', '!=']) &&
    name?.kind === 'name' &&
    !isKeyword(name.value) &&
    isAfterOperand(next)
  return isCompared ? at + 2 : undefined
}

/** Where the bracket is closed that is opened at an index; the end if nowhere. Linear. */
function closingsOf(tokens: readonly JinjaToken[]): (opening: number) => number {
  const open: number[] = []
  const closings = new Map<number, number>()
  for (const [index, token] of tokens.entries()) {
    if (isOperator(token, ['(', '[', '{'])) open.push(index)
    else if (isOperator(token, [')', ']', '}'])) closings.set(open.pop() ?? -1, index)
  }
  return (opening) => closings.get(opening) ?? tokens.length
}

function isBeforeOperand(token: JinjaToken | undefined): boolean {
  return (
    token === undefined ||
    isOperator(token, ['(', '[', '{', ',', '=', ':']) ||
    isWord(token, ['and', 'or', 'not', 'if', 'elif', 'else'])
  )
}

function isAfterOperand(token: JinjaToken | undefined): boolean {
  return (
    token === undefined ||
    isOperator(token, [')', ']', '}', ',', ':']) ||
    isWord(token, ['and', 'or', 'if', 'else'])
  )
}

function isOperator(token: JinjaToken | undefined, values: readonly string[]): boolean {
  return token?.kind === 'operator' && values.includes(token.value)
}

function isWord(token: JinjaToken | undefined, values: readonly string[]): boolean {
  return token?.kind === 'name' && values.includes(token.value)
}
