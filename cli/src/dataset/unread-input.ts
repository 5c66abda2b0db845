/** What of the input could not be read: pages and reports that are kept would look complete without it. */
import { escapedHtml, isObject } from '../../../core/src/internal.ts'
import type { InputProblem } from '../files/input-problem.ts'
import { displayableLine } from '../terminal/displayable.ts'

/** How many files and samples could not be read, and where the first ones are. The reasons may quote hidden text. */
export interface UnreadData {
  readonly count: number
  readonly places: readonly string[]
  /** False if the user allowed all of them to be skipped. */
  readonly isError: boolean
}

const listedPlaces = 100

/** Collects it. */
export class UnreadInput implements UnreadData {
  readonly #places = new Set<string>()
  count = 0
  isError = false

  get places(): readonly string[] {
    return [...this.#places]
  }

  /** Adds a file or a sample. */
  add({ where, severity }: Pick<InputProblem, 'where' | 'severity'>): void {
    this.merge({ count: 1, places: [where], isError: severity === 'error' })
  }

  /** Adds that of another part, which may have met the same files. */
  merge({ count, places, isError }: UnreadData): void {
    this.count += count
    this.isError ||= isError
    for (const place of places)
      if (this.#places.has(place)) this.count--
      else if (this.#places.size < listedPlaces) this.#places.add(place)
  }

  /** For a report in JSON. */
  toJSON(): UnreadData {
    const { count, places, isError } = this
    return { count, places, isError }
  }
}

/** What `value`, of a report in JSON, says; nothing for reports that were written before they said so. */
export function unreadOfPart(value: unknown): UnreadData {
  const nothing = { count: 0, places: [], isError: false }
  if (!isObject(value)) return nothing
  const { count, places, isError } = value as Readonly<Record<string, unknown>>
  const areTexts = Array.isArray(places) && places.every((it) => typeof it === 'string')
  return typeof count === 'number' && areTexts && typeof isError === 'boolean'
    ? { count, places, isError }
    : nothing
}

/** What is said about a report in the file `path` that lacks something. */
export function incompletePart(path: string): string {
  return `${path}: not all of its input could be read`
}

/** It as a section of a page. */
export function* unreadSection({ count, places }: UnreadData): IterableIterator<string> {
  if (count === 0) return
  const more = count - places.length
  const listed = places.map((it) => `<li>${escapedHtml(displayableLine(it))}</li>`).join('')
  yield `<h2>Input that could not be read</h2>
<p>This page does not include:</p>
<ul>${listed}${more > 0 ? `<li>${more.toLocaleString('en')} more</li>` : ''}</ul>
`
}
