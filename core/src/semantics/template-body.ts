/** The body of a message as a template, with the way back from its offsets to the segment. */
import { hasJinja, type JinjaScan, scanJinja } from '../embedded/jinja.ts'
import type { Segment } from '../syntax/segment.ts'
import { perValue } from '../text/memo.ts'
import type { BodyText } from './body-text.ts'
import { factsOf } from './message-facts.ts'
import { wholeBody } from './tool-declarations.ts'

/** A body with Jinja in it. */
export interface TemplateBody extends JinjaScan {
  /** The text as meant, which the ranges of the scan are of. */
  readonly source: BodyText
}

/** The body of `segment` as a template; undefined if it is not a message, or has no Jinja. */
export function templateOf(segment: Segment): TemplateBody | undefined {
  return segment.kind === 'message' && hasJinja(segment.text) ? templates(segment) : undefined
}

const templates = perValue((segment: Segment): TemplateBody | undefined => {
  const facts = factsOf(segment)
  const source = facts && wholeBody(segment, facts)
  return source && { source, ...scanJinja(source.text) }
})
