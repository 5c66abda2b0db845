/**
 * Patterns of paths, as configuration files use them: `fixtures/**`, `*.broken.ocm`, `{old,new}/*.ocm`.
 *
 * A pattern comes from a workspace that need not be trusted, so it never becomes a regular expression, which would backtrack:
 * all ways to match are followed at once, and a path costs at most its length times that of the pattern.
 */

/** A state of the automaton: what it does with the next character of the path, and where it goes without one. */
interface State {
  /** The character that leads to the next state; undefined if none does. */
  readonly character?: string
  /** Leads to the next state by any character but `/`. */
  readonly isAnyOne?: true
  /** Stays by any character but `/` (`*`), or by every character (`**`). */
  readonly stays?: 'in the folder' | 'anywhere'
  /** States that are entered together with this one. */
  readonly also: number[]
}

/** A pattern, ready to be compared with paths. */
export class PathPattern {
  readonly #states: State[] = []
  readonly #isName: boolean
  /** States that were entered since the pattern was made: the work of {@link matches}. */
  steps = 0

  constructor(pattern: string) {
    const anchored = pattern.replace(/^\.?\//, '')
    this.#isName = !pattern.includes('/')
    this.#compile(anchored.endsWith('/') ? `${anchored}**` : anchored)
  }

  /**
   * True if `path`, relative to the configuration file and with `/` between its parts, fits.
   * A pattern without `/` fits the name of a file in any folder; one that ends in `/` fits everything in that folder.
   */
  matches(path: string): boolean {
    const text = this.#isName ? (path.split('/').at(-1) ?? path) : path
    let current = this.#entered([0])
    for (const character of text) {
      const next: number[] = []
      for (const index of current) {
        const state = this.#states[index]
        if (!state) continue
        const { character: wanted, isAnyOne, stays } = state
        const isInFolder = character !== '/'
        if (stays === 'anywhere' || (stays === 'in the folder' && isInFolder)) next.push(index)
        if (wanted === character || (isAnyOne && isInFolder)) next.push(index + 1)
      }
      if (next.length === 0) return false
      current = this.#entered(next)
    }
    return current.has(this.#states.length)
  }

  /** `indexes` with all states that are entered together with them. The index after the last state is the end of the pattern. */
  #entered(indexes: readonly number[]): ReadonlySet<number> {
    const entered = new Set<number>()
    const waiting = [...indexes]
    for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
      if (entered.has(index)) continue
      this.steps++
      entered.add(index)
      for (const it of this.#states[index]?.also ?? []) waiting.push(it)
    }
    return entered
  }

  #compile(pattern: string): void {
    const states = this.#states
    const add = (state: Omit<State, 'also'>, ...also: number[]) => states.push({ ...state, also })
    /** Of each open brace: the state that it begins with, and those that end one of its alternatives. */
    const open: { readonly start: State; readonly ends: State[] }[] = []
    const endAlternative = (): State => {
      const end: State = { also: [] }
      states.push(end)
      return end
    }
    const close = () => {
      const group = open.pop()
      for (const end of group?.ends ?? []) end.also.push(states.length)
    }
    for (const [part] of pattern.matchAll(/\*\*\/|\*+|[^*]/gsu)) {
      const group = open.at(-1)
      // Whole folders, or none: a state for the beginning of a folder's name, one for the rest of it, one for the `/`.
      if (part === '**/') {
        const first = states.length
        add({}, first + 1, first + 4)
        add({ isAnyOne: true })
        add({ stays: 'in the folder' }, first + 3)
        add({ character: '/' })
        add({}, first + 1, first + 5)
      } else if (part.startsWith('**')) add({ stays: 'anywhere' }, states.length + 1)
      else if (part === '*') add({ stays: 'in the folder' }, states.length + 1)
      else if (part === '?') add({ isAnyOne: true })
      else if (part === '{') {
        const start: State = { also: [states.length + 1] }
        states.push(start)
        open.push({ start, ends: [] })
      } else if (part === '}' && group) {
        group.ends.push(endAlternative())
        close()
      } else if (part === ',' && group) {
        group.ends.push(endAlternative())
        group.start.also.push(states.length)
      } else add({ character: part })
    }
    // A brace that is not closed ends with the pattern.
    while (open.length > 0) close()
  }
}
