/** The names that a template knows without being given them, block by block. */

/** Functions that Jinja and chat templates have. */
const builtins: ReadonlySet<string> = new Set(
  'range dict namespace cycler joiner raise_exception strftime_now'.split(' '),
)
/** Names that Jinja has, but prompts don't. */
const unavailable: ReadonlySet<string> = new Set(['lipsum', 'self', 'super'])

const keywords: ReadonlySet<string> = new Set(
  'and or not in is if else true false none True False None'.split(' '),
)

/** True for a word of expressions that is not a name. */
export function isKeyword(word: string): boolean {
  return keywords.has(word)
}

/** True for a name that a template cannot take from outside, because Jinja has it. */
export function isReserved(name: string): boolean {
  return keywords.has(name) || builtins.has(name) || unavailable.has(name)
}

/** Names that have a value at a place of the template. */
export class JinjaScope {
  /** All names that got a value anywhere. */
  readonly everDeclared = new Set<string>()
  readonly #levels: string[][] = [[]]
  /** How many of the open blocks declare each name. */
  readonly #counts = new Map<string, number>()

  enter(): void {
    this.#levels.push([])
  }

  /** Ends the last block: the names that it declared are gone. */
  leave(): void {
    if (this.#levels.length === 1) return
    for (const name of this.#levels.pop() ?? []) this.#counts.set(name, (this.#counts.get(name) ?? 1) - 1)
  }

  declare(name: string): void {
    this.everDeclared.add(name)
    this.#levels.at(-1)?.push(name)
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1)
  }

  /** The names that the template itself gave a value here. */
  get visible(): readonly string[] {
    return [...this.#counts].flatMap(([name, count]) => (count > 0 ? name : []))
  }

  has(name: string): boolean {
    return (this.#counts.get(name) ?? 0) > 0 || builtins.has(name)
  }
}
