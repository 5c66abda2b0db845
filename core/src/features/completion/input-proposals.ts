/** The inputs that a template may use, where one is being written. */
import type { Analysis } from '../../semantics/analysis.ts'
import { declaredInputs } from '../../semantics/input-places.ts'
import { aboutInput, inputTypeOf } from '../../semantics/input-text.ts'
import type { Place } from '../../semantics/place.ts'
import type { Proposal } from './proposal.ts'

/** How far back the beginning of a tag is looked for; tags are shorter. */
const longestTag = 2000 // code units

/** The inputs, if `place` is in a tag of a template where a name may be; empty in a transcript without `inputs`. */
export function inputProposals(
  analysis: Analysis,
  { segment, offset, start }: Pick<Place, 'segment' | 'offset' | 'start'>,
): readonly Proposal[] {
  const inputs = declaredInputs(analysis)
  if (!inputs) return []
  const before = segment.text.slice(Math.max(0, offset - longestTag), offset)
  const opener = Math.max(before.lastIndexOf('{{'), before.lastIndexOf('{%'))
  if (opener === -1) return []
  const inTag = before.slice(opener + 2)
  if (inTag.includes('}}') || inTag.includes('%}')) return []
  // Linear: the text is at most `longestTag` code units long.
  const word = /[\p{L}\p{N}_]*$/u.exec(inTag)?.[0] ?? ''
  const lead = inTag.slice(0, inTag.length - word.length).trimEnd()
  const isStatement = before.charAt(opener + 1) === '%'
  if (/[.|]$/.test(lead) || /^\d/.test(word) || isInString(inTag)) return []
  if (isStatement && /^[-+]?$/.test(lead)) return []
  const range = { start: start + offset - word.length, end: start + offset }
  return inputs.map((input) => ({
    label: input.name,
    kind: 'value',
    detail: inputTypeOf(input),
    documentation: aboutInput(input),
    range,
    text: input.name,
  }))
}

function isInString(tag: string): boolean {
  let quote = ''
  for (const character of tag) {
    if (quote === '') quote = character === '"' || character === "'" ? character : ''
    else if (character === quote) quote = ''
  }
  return quote !== ''
}
