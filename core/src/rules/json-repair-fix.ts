/** The fix that makes the JSON of a body valid. */

import type { JsonProblem } from '../embedded/json-body.ts'
import { type JsonEdit, jsonRepair } from '../embedded/json-repair.ts'
import type { BodyText } from '../semantics/body-text.ts'
import { localize } from '../text/localize.ts'
import { quoted } from './quoted.ts'
import type { Fix } from './rule.ts'

const longestShown = 40 // code units of a change that a title repeats

/** Repairs the JSON of `body`, whose first mistake is `problem`; undefined where it is unclear what was meant. */
export function jsonRepairFix(body: BodyText, problem: JsonProblem): Fix | undefined {
  const edits = jsonRepair(body.text, problem)
  const [first] = edits ?? []
  if (!edits || !first) return undefined
  const title = edits.length === 1 ? titleOf(body, first) : localize`Fix the JSON in ${edits.length} places`
  return {
    title,
    edits: edits.map(({ start, end, text }) => ({ span: body.spanOf({ start, end }), text })),
    isSafe: false,
  }
}

function titleOf({ text: body }: BodyText, { start, end, text }: JsonEdit): string {
  const removed = body.slice(start, end)
  if (text === '')
    return removed.length <= longestShown
      ? localize`Remove ${quoted(removed)}`
      : localize`Remove the text that is not JSON`
  if (text.length > longestShown) return localize`Fix the JSON`
  return removed === '' ? localize`Insert ${quoted(text)}` : localize`Write ${quoted(text)}`
}
