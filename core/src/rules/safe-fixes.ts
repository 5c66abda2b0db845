/** Applies the safe fixes of a text, again and again until there are none: one fix may make room for another. */
import { type RequestTools, Transcript } from '../document/transcript.ts'
import { applyEdits, fixesApart } from './apply-fix.ts'
import { Document, type DocumentOptions } from './document.ts'
import type { Problem, ProblemFix } from './problem.ts'

/** A text after its safe fixes. */
export interface FixedText {
  /** The text as fixed; the same string if nothing was to be fixed. */
  readonly text: string
  /** The fixed text as a document, with the problems that are left. */
  readonly document: Document
  /** How many fixes were applied. */
  readonly nFixed: number
}

const mostRounds = 10 // fixes need two or three rounds; two that undo each other would never end

/** `text` with the safe fixes of its problems, judged by the tools of the request that it was made of, if it was. */
export function fixSafely(
  text: string,
  options: DocumentOptions = {},
  requestTools?: RequestTools,
): FixedText {
  return fixedBy(safeFixesOf, text, options, requestTools)
}

/** As {@link fixSafely}, with fixes that may change the meaning: the first one of each problem. */
export function fixUnsafely(text: string, options: DocumentOptions = {}): FixedText {
  return fixedBy(
    (document) => document.problems().problems.flatMap(({ fixes }) => fixes.slice(0, 1)),
    text,
    options,
  )
}

function fixedBy(
  fixesOf: (document: Document) => readonly ProblemFix[],
  text: string,
  options: DocumentOptions,
  requestTools?: RequestTools,
): FixedText {
  const read = (it: string) => {
    const transcript = Transcript.parse(it, options)
    transcript.requestTools = requestTools
    return new Document(transcript, options)
  }
  let fixed = text
  let nFixed = 0
  let document = read(text)
  for (let round = 0; round < mostRounds; round++) {
    const fixes = fixesApart(fixesOf(document))
    const next = applyEdits(
      fixed,
      fixes.flatMap(({ edits }) => edits),
    )
    if (next === fixed) break
    nFixed += fixes.length
    fixed = next
    document = read(fixed)
  }
  return { text: fixed, document, nFixed }
}

/** The best safe fix of a problem. */
export function safeFixOf({ fixes }: Problem): ProblemFix | undefined {
  return fixes.find(({ isSafe }) => isSafe)
}

/** The best safe fix of every problem that has one, in order of the text. */
function safeFixesOf(source: Pick<Document, 'problems'>): readonly ProblemFix[] {
  return source.problems().problems.flatMap((problem) => safeFixOf(problem) ?? [])
}
