/** What the header says under `budgets`: how many tokens a filled prompt and its parts may have. */
import { type HeaderEntry, valueAt, type YamlHeader } from '../embedded/yaml-header.ts'
import type { Range } from '../text/range.ts'

/** The key of the header that has budgets. */
export const budgetsKey = 'budgets'

/** A budget. Ranges are in the YAML text. */
export interface Budget {
  /** What it is for: the whole prompt, messages of a role, a section, the definition of a tool. */
  readonly kind: 'prompt' | 'message' | 'section' | 'tool'
  /** The role, heading, or tool; empty for the whole prompt. */
  readonly name: string
  /** Tokens. */
  readonly most: number
  readonly nameRange: Range
  readonly valueRange: Range
}

const groups = { messages: 'message', sections: 'section', tools: 'tool' } as const

/** The budgets of `header` in order; what is not a number is left out, which the schema reports. */
export function budgetsOf(header: YamlHeader): readonly Budget[] {
  const entries = (header.value && valueAt(header, [budgetsKey])?.children) ?? []
  return entries.flatMap((entry) => {
    if (entry.key === 'prompt') return budgetIn('prompt', '', entry)
    for (const [key, kind] of Object.entries(groups))
      if (entry.key === key) return entry.children.flatMap((it) => budgetIn(kind, String(it.key), it))
    return []
  })
}

function budgetIn(kind: Budget['kind'], name: string, entry: HeaderEntry): readonly Budget[] {
  const { value: most, range, keyRange = range, valueRange } = entry
  return typeof most === 'number' ? [{ kind, name, most, nameRange: keyRange, valueRange }] : []
}
