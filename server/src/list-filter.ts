/**
 * What an open list compares with the text that is typed on, so that nothing is accepted that is not in the list any more.
 *
 * Editors filter an open list themselves, and at once, but go on showing it while they wait for the next one. Enter would then
 * accept a proposal for a text that was typed long ago. So each list ends, by its filter alone, at the next character that
 * asks for another one, and where what is typed is complete: there, Enter is a line break.
 */
import type { Completion } from '../../core/src/internal.ts'
import { completionTriggers } from './capabilities.ts'

/** Fits no text that is typed; empty would mean that the label is compared. */
const fitsNothing = '\u0000'

/** True if `completion` has nothing to add to `typed`, which is the text from its range to the place. */
export function addsNothing(completion: Completion, typed: string): boolean {
  const { text, filterText } = completion
  return typed !== '' && (text === typed || (filterText === typed && !goesOn(completion)))
}

/** What is compared with the text that is typed from the range of `completion` on, of which `typed` is there already. */
export function filterTextOf(completion: Completion, typed: string): string {
  const { text, filterText } = completion
  // Who types a label or an alias means the proposal: no text goes on with it.
  if (goesOn(completion) && !text.startsWith(filterText)) return filterText
  let end = goesOn(completion) ? filterText.length : Math.max(typed.length, filterText.length - 1)
  for (let at = typed.length; at < end; at++) {
    // The two characters that every token begins with are one word, in which no editor asks again.
    if (completionTriggers.includes(filterText.charAt(at)) && !filterText.startsWith('<|', at - 1)) end = at
  }
  return filterText.slice(0, end) || fitsNothing
}

/** True for what is more than the word that is typed for it: with its colon and a value, or the rest of the line. */
function goesOn({ kind, text, filterText }: Completion): boolean {
  return kind === 'key' || (kind === 'message' && text.charAt(filterText.length) !== '\n')
}
