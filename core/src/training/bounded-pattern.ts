/**
 * Regular expressions that a `tokenizer.json` brings along, matched in time linear in the text.
 *
 * The platform's engine backtracks: a hostile expression takes it forever. The engine for schemas knows no lookaround, which
 * expressions of tokenizers have. This one backtracks in the same order as the platform's, but never tries a place of the
 * expression twice at the same place of the text. References back to groups are refused.
 */

import { unitsAt, unitsBefore } from '../text/code-units.ts'

/** What methods of strings ask of an expression with the flags `g` and `u`; groups are not captured. */
export interface BoundedPattern {
  readonly flags: string
  [Symbol.match](text: string): string[] | null
  [Symbol.matchAll](text: string): IterableIterator<RegExpExecArray>
  [Symbol.replace](text: string, replacement: string): string
  [Symbol.split](text: string): string[]
}

/**
 * The expression `source`, in the syntax of JavaScript with the flag `u`.
 *
 * @returns undefined if it is too large or refers back to groups
 */
export function boundedPattern(source: string): BoundedPattern | undefined {
  const tree = new Parser(source).result()
  const program = tree && compiled(tree)
  return program && new ProgramPattern(program)
}

const longestSource = 20_000 // code units: classes of real tokenizers name several thousand characters
const deepestGroup = 64
const longestProgram = 1000 // steps: repetitions are written out
const longestLook = 100 // steps: these are taken at every place
const mostChoices = 256 // each takes a bit for each place of a text

type CharacterTest = (code: number) => boolean

type Node =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Node[] }
  | {
      readonly kind: 'repetition'
      readonly body: Node
      readonly least: number
      readonly most: number
      readonly isLazy: boolean
    }
  | { readonly kind: 'look'; readonly body: Node; readonly isBehind: boolean; readonly isNegative: boolean }

const groups: readonly (readonly [opening: RegExp, look?: { isBehind: boolean; isNegative: boolean }])[] = [
  [/^\?:/],
  [/^\?=/, { isBehind: false, isNegative: false }],
  [/^\?!/, { isBehind: false, isNegative: true }],
  [/^\?<=/, { isBehind: true, isNegative: false }],
  [/^\?<!/, { isBehind: true, isNegative: true }],
  [/^\?<\w{1,64}>/],
]

/** Reads an expression that the platform has compiled, so its syntax is right. */
class Parser {
  readonly #source: string
  readonly #tests = new Map<string, CharacterTest>()
  #at = 0
  #depth = 0

  constructor(source: string) {
    this.#source = source
  }

  result(): Node | undefined {
    if (this.#source.length > longestSource) return undefined
    const tree = this.#choice()
    return this.#at === this.#source.length ? tree : undefined
  }

  #choice(): Node | undefined {
    const parts: Node[] = []
    do {
      const part = this.#sequence()
      if (!part) return undefined
      parts.push(part)
    } while (this.#take('|'))
    const [first] = parts
    return parts.length === 1 ? first : { kind: 'choice', parts }
  }

  #sequence(): Node | undefined {
    const parts: Node[] = []
    while (this.#at < this.#source.length && !'|)'.includes(this.#source.charAt(this.#at))) {
      const atom = this.#atom()
      const part = atom && this.#repeated(atom)
      if (!part) return undefined
      parts.push(part)
    }
    return { kind: 'sequence', parts }
  }

  #atom(): Node | undefined {
    if (this.#take('(')) return this.#group()
    const [spelling] =
      /^(?:\[(?:\\[\s\S]|[^\]\\])*\]|\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(?:[pPu]\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[\s\S])|[\s\S])/u.exec(
        this.#source.slice(this.#at),
      ) ?? []
    // References back, and places that the library does not write.
    if (spelling === undefined || /^(?:\\[1-9kbB]|[\^$*+?{])/.test(spelling)) return undefined
    this.#at += spelling.length
    return { kind: 'character', test: this.#test(spelling) }
  }

  #group(): Node | undefined {
    if (++this.#depth > deepestGroup) return undefined
    const start = this.#source.slice(this.#at, this.#at + 70)
    const [opening, look] = groups.find(([it]) => it.test(start)) ?? []
    this.#at += opening?.exec(start)?.[0].length ?? 0
    const body = this.#choice()
    if (!body || !this.#take(')')) return undefined
    this.#depth--
    return look ? { kind: 'look', body, ...look } : body
  }

  #repeated(body: Node): Node | undefined {
    const [spelling, least = '', comma, most] =
      /^(?:[*+?]|\{(\d+)(?:(,)(\d*))?\})/.exec(this.#source.slice(this.#at, this.#at + 40)) ?? []
    if (spelling === undefined) return body
    this.#at += spelling.length
    const isLazy = this.#take('?')
    const repetition = { kind: 'repetition', body, isLazy } as const
    if (spelling === '*') return { ...repetition, least: 0, most: Number.POSITIVE_INFINITY }
    if (spelling === '+') return { ...repetition, least: 1, most: Number.POSITIVE_INFINITY }
    if (spelling === '?') return { ...repetition, least: 0, most: 1 }
    const atLeast = Number(least)
    if (comma === undefined) return { ...repetition, least: atLeast, most: atLeast }
    return { ...repetition, least: atLeast, most: most ? Number(most) : Number.POSITIVE_INFINITY }
  }

  /** The platform judges a single character: that takes no time that depends on the text. */
  #test(spelling: string): CharacterTest {
    const known = this.#tests.get(spelling)
    if (known) return known
    // Linear: it is given one character.
    const expression = new RegExp(`^${spelling}$`, 'u')
    let judged: Uint8Array | undefined // 0: not yet; 1: no; 2: yes
    const test: CharacterTest = (code) => {
      if (code > 0xffff) return expression.test(String.fromCodePoint(code))
      judged ??= new Uint8Array(0x10000)
      judged[code] ||= expression.test(String.fromCharCode(code)) ? 2 : 1
      return judged[code] === 2
    }
    this.#tests.set(spelling, test)
    return test
  }

  #take(text: string): boolean {
    if (!this.#source.startsWith(text, this.#at)) return false
    this.#at += text.length
    return true
  }
}

type Step =
  | { readonly kind: 'character'; readonly test: CharacterTest }
  /** First `first`, then `second`; `number` counts the choices of a program. */
  | { readonly kind: 'choice'; first: number; second: number; readonly number: number }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'look'; readonly look: Look }
  | { readonly kind: 'end' }

interface Look {
  readonly steps: readonly Step[]
  readonly isBehind: boolean
  readonly isNegative: boolean
}

interface Program {
  readonly steps: readonly Step[]
  readonly choices: number
}

class TooLarge extends Error {}

function compiled(tree: Node): Program | undefined {
  const writer = { length: 0, choices: 0 }
  try {
    return { steps: programOf(tree, writer, false), choices: writer.choices }
  } catch (error) {
    if (error instanceof TooLarge) return undefined
    throw error
  }
}

/** @param isBackward whether the steps run from right to left */
function programOf(tree: Node, size: { length: number; choices: number }, isBackward: boolean): Step[] {
  const steps: Step[] = []
  const add = <T extends Step>(step: T): T => {
    if (++size.length > longestProgram || size.choices > mostChoices) throw new TooLarge()
    steps.push(step)
    return step
  }
  const choice = () => add({ kind: 'choice' as const, first: 0, second: 0, number: size.choices++ })
  const point = (step: { first: number; second: number }, isLazy: boolean, inside: number, after: number) => {
    step.first = isLazy ? after : inside
    step.second = isLazy ? inside : after
  }
  const write = (node: Node): void => {
    switch (node.kind) {
      case 'character':
        add({ kind: 'character', test: node.test })
        return
      case 'sequence':
        for (const part of isBackward ? node.parts.toReversed() : node.parts) write(part)
        return
      case 'choice': {
        const jumps: { to: number }[] = []
        for (const [index, part] of node.parts.entries()) {
          if (index === node.parts.length - 1) {
            write(part)
            break
          }
          const step = choice()
          const inside = steps.length
          write(part)
          jumps.push(add({ kind: 'jump', to: 0 }))
          point(step, false, inside, steps.length)
        }
        for (const jump of jumps) jump.to = steps.length
        return
      }
      case 'repetition': {
        for (let count = 0; count < node.least; count++) {
          // A step each time, so that repetitions of nothing end, too.
          add({ kind: 'jump', to: steps.length + 1 })
          write(node.body)
        }
        if (node.most === Number.POSITIVE_INFINITY) {
          const start = steps.length
          const step = choice()
          const inside = steps.length
          write(node.body)
          add({ kind: 'jump', to: start })
          point(step, node.isLazy, inside, steps.length)
          return
        }
        const optional: { step: { first: number; second: number }; inside: number }[] = []
        for (let count = node.least; count < node.most; count++) {
          optional.push({ step: choice(), inside: steps.length })
          write(node.body)
        }
        for (const { step, inside } of optional) point(step, node.isLazy, inside, steps.length)
        return
      }
      case 'look': {
        const { isBehind, isNegative } = node
        const inner = programOf(node.body, size, isBehind)
        if (inner.length > longestLook) throw new TooLarge()
        add({ kind: 'look', look: { steps: inner, isBehind, isNegative } })
        return
      }
      default:
        node satisfies never
    }
  }
  write(tree)
  add({ kind: 'end' })
  return steps
}

class ProgramPattern implements BoundedPattern {
  readonly flags = 'gu' // `replaceAll` asks for it
  readonly #program: Program

  constructor(program: Program) {
    this.#program = program
  }

  [Symbol.match](text: string): string[] | null {
    const found = [...new Search(this.#program, text).matches()]
    return found.length === 0 ? null : found.map(([start, end]) => text.slice(start, end))
  }

  *[Symbol.matchAll](text: string): IterableIterator<RegExpExecArray> {
    for (const [index, end] of new Search(this.#program, text).matches())
      yield Object.assign([text.slice(index, end)] as [string], { index, input: text })
  }

  [Symbol.replace](text: string, replacement: string): string {
    return this.#pieces(text).join(replacement)
  }

  [Symbol.split](text: string): string[] {
    return this.#pieces(text)
  }

  #pieces(text: string): string[] {
    const pieces: string[] = []
    let from = 0
    for (const [start, end] of new Search(this.#program, text).matches()) {
      pieces.push(text.slice(from, start))
      from = end
    }
    pieces.push(text.slice(from))
    return pieces
  }
}

/** One text, searched from left to right. */
class Search {
  readonly #steps: readonly Step[]
  readonly #text: string
  /** For each place of the text, the choices that were made there. Those at places to come have all failed. */
  readonly #tried: Uint32Array
  readonly #words: number
  readonly #looks = new Map<Look, Uint8Array>()

  constructor({ steps, choices }: Program, text: string) {
    this.#steps = steps
    this.#text = text
    this.#words = Math.ceil(choices / 32)
    this.#tried = new Uint32Array(this.#words * (text.length + 1))
  }

  *matches(): IterableIterator<readonly [start: number, end: number]> {
    let start = 0
    while (start <= this.#text.length) {
      const end = this.#endFrom(start)
      if (end !== undefined) yield [start, end]
      // What led to a match has not failed; all of that is before its end, or there.
      if (end !== undefined) this.#tried.fill(0, end * this.#words, (end + 1) * this.#words)
      start = end === undefined || end === start ? start + unitsAt(this.#text, start) : end
    }
  }

  /** Where the expression ends if it matches at `start`, as a backtracking engine would find it. */
  #endFrom(start: number): number | undefined {
    const text = this.#text
    const steps = this.#steps
    const later: number[] = [] // a step and a place, by turns
    let step = 0
    let place = start
    for (;;) {
      const it = steps[step]
      let hasFailed = false
      switch (it?.kind) {
        case 'character':
          hasFailed = place >= text.length || !it.test(text.codePointAt(place) ?? 0)
          if (!hasFailed) place += unitsAt(text, place)
          step++
          break
        case 'choice':
          hasFailed = this.#wasTried(it.number, place)
          if (!hasFailed) later.push(it.second, place)
          step = it.first
          break
        case 'jump':
          step = it.to
          break
        case 'look':
          hasFailed = this.#holds(it.look, place) === it.look.isNegative
          step++
          break
        default:
          return place
      }
      if (!hasFailed) continue
      const [nextPlace, nextStep] = [later.pop(), later.pop()]
      if (nextPlace === undefined || nextStep === undefined) return undefined
      place = nextPlace
      step = nextStep
    }
  }

  #wasTried(choice: number, place: number): boolean {
    const word = place * this.#words + (choice >>> 5)
    const bit = 1 << (choice & 31)
    const bits = this.#tried[word] ?? 0
    this.#tried[word] = bits | bit
    return (bits & bit) !== 0
  }

  #holds(look: Look, place: number): boolean {
    const [first, second] = look.steps
    // Most look at a single character.
    if (first?.kind === 'character' && second?.kind === 'end') return this.#character(look, first.test, place)
    let known = this.#looks.get(look)
    if (!known) {
      known = this.#placesOf(look)
      this.#looks.set(look, known)
    }
    return known[place] === 1
  }

  #character({ isBehind }: Look, test: CharacterTest, place: number): boolean {
    const text = this.#text
    if (!isBehind) return place < text.length && test(text.codePointAt(place) ?? 0)
    return place > 0 && test(text.codePointAt(place - unitsBefore(text, place)) ?? 0)
  }

  /**
   * Where something matches that is looked for: for each place, all steps that lead to the end from there, from those of the
   * place after it.
   */
  #placesOf(look: Look): Uint8Array {
    const { steps, isBehind } = look
    const text = this.#text
    const places = new Uint8Array(text.length + 1)
    let [near, far] = [new Uint8Array(steps.length), new Uint8Array(steps.length)] // one and two code units on
    const wayOf = (it: Step, index: number, place: number, units: number, own: Uint8Array): number => {
      switch (it.kind) {
        case 'character':
          return units > 0 && this.#character(look, it.test, place)
            ? ((units === 1 ? near : far)[index + 1] ?? 0)
            : 0
        case 'choice':
          return (own[it.first] ?? 0) | (own[it.second] ?? 0)
        case 'jump':
          return own[it.to] ?? 0
        case 'look':
          return this.#holds(it.look, place) === it.look.isNegative ? 0 : (own[index + 1] ?? 0)
        case 'end':
          return 1
      }
    }
    for (let count = 0; count <= text.length; count++) {
      const place = isBehind ? count : text.length - count
      const units = count === 0 ? 0 : isBehind ? unitsBefore(text, place) : unitsAt(text, place)
      const own = new Uint8Array(steps.length)
      // Only the ends of loops jump back, so this is done after as many rounds as loops are in one another.
      for (let hasChanged = true; hasChanged; ) {
        hasChanged = false
        for (let index = steps.length - 1; index >= 0; index--) {
          const step = steps[index]
          if (own[index] === 1 || !step || wayOf(step, index, place, units, own) === 0) continue
          own[index] = 1
          hasChanged = true
        }
      }
      places[place] = own[0] ?? 0
      ;[near, far] = [own, near]
    }
    return places
  }
}
