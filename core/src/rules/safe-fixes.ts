/** Applies the fixes of a text, again and again until there are none: one fix may make room for another. */
import { type RequestTools, Transcript } from '../document/transcript.ts'
import { applyEdits, fixesApart } from './apply-fix.ts'
import { Document, type DocumentOptions } from './document.ts'
import type { Problem, ProblemFix } from './problem.ts'

/** Which fixes are applied. */
export interface FixSelection {
  /** True to apply fixes that may change what the transcript means, too. */
  readonly isUnsafe?: boolean
}

/** A text after its fixes. */
export interface FixedText {
  /** The text as fixed; the same string if nothing was to be fixed. */
  readonly text: string
  /** The fixed text as a document, with the problems that are left. */
  readonly document: Document
  /** How many fixes were applied. */
  readonly nFixed: number
}

const mostRounds = 10 // fixes need two or three rounds; two that undo each other would never end

/** `text` with the safe fixes of its problems. */
export function fixSafely(text: string, options: DocumentOptions = {}): FixedText {
  return fixText(text, options, {})
}

/** `text` with the selected fixes of its problems, judged by the tools of the request that it was made of, if it was. */
export function fixText(
  text: string,
  options: DocumentOptions,
  { requestTools, ...selection }: FixSelection & { readonly requestTools?: RequestTools | undefined },
): FixedText {
  let fixed = text
  let nFixed = 0
  let document = readDocument(text, options, requestTools)
  for (let round = 0; round < mostRounds; round++) {
    const fixes = fixesApart(fixesOf(document, selection))
    const next = applyEdits(
      fixed,
      fixes.flatMap(({ edits }) => edits),
    )
    if (next === fixed) break
    nFixed += fixes.length
    fixed = next
    document = readDocument(fixed, options, requestTools)
  }
  return { text: fixed, document, nFixed }
}

/** `text` as a document, judged by the tools of the request that it was made of, if it was. */
export function readDocument(
  text: string,
  options: DocumentOptions,
  requestTools: RequestTools | undefined,
): Document {
  const transcript = Transcript.parse(text, options)
  transcript.requestTools = requestTools
  return new Document(transcript, options)
}

/** The best safe fix of a problem. */
export function safeFixOf({ fixes }: Problem): ProblemFix | undefined {
  return fixes.find(({ isSafe }) => isSafe)
}

/** The best fix of a problem that is selected, and does not need a choice. */
export function fixOf(problem: Problem, { isUnsafe = false }: FixSelection): ProblemFix | undefined {
  return safeFixOf(problem) ?? (isUnsafe ? problem.fixes.find(({ isChoice }) => !isChoice) : undefined)
}

/** The best selected fix of every problem that has one, in order of the text. */
export function fixesOf(
  source: Pick<Document, 'problems'>,
  selection: FixSelection = {},
): readonly ProblemFix[] {
  return source.problems().problems.flatMap((problem) => fixOf(problem, selection) ?? [])
}
