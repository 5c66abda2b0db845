/** Paranoid mode: everything that editing has kept up to date, compared with parsing the text again. */
import { Transcript } from '../document/transcript.ts'
import { allowanceRule } from '../rules/allowed-findings.ts'
import { Checker, type CheckerOptions } from '../rules/checker.ts'
import type { Problem } from '../rules/problem.ts'
import { ruleNamed } from '../rules/rule-registry.ts'
import { type Analysis, analyze } from '../semantics/analysis.ts'
import { factsOf } from '../semantics/message-facts.ts'
import type { Segment } from '../syntax/segment.ts'
import { eachToken } from '../syntax/token-run.ts'
import { tokensOf } from '../syntax/tokenize.ts'

/**
 * What differs between an edited document and the same text parsed again: a sentence without text of the document,
 * or undefined if nothing does. A difference is our bug. Linear in the document: for tests and bug reports.
 *
 * @param checker the checker of `analysis`
 * @param options what `checker` was made with
 */
export function selfCheck(
  analysis: Analysis,
  checker: Checker,
  options: CheckerOptions = {},
): string | undefined {
  const { transcript } = analysis
  const parsed = Transcript.parse(transcript.text(), { dialect: transcript.forcedDialect })
  parsed.requestTools = transcript.requestTools
  const fresh = analyze(parsed)
  if (transcript.framing !== fresh.transcript.framing) return 'the framing differs'
  if (analysis.dialect !== fresh.dialect) return 'the dialect differs'
  if (transcript.segmentCount !== fresh.transcript.segmentCount) {
    return `there are ${transcript.segmentCount} segments instead of ${fresh.transcript.segmentCount}`
  }
  for (const { segment, index, start } of fresh.transcript.segments()) {
    const edited = transcript.segment(index)
    if (edited.start !== start) return `segment ${index} starts at ${edited.start} instead of ${start}`
    if (!isAlike(edited.segment, segment)) return `segment ${index} differs`
    const partner = partnerIndex(analysis, edited.segment)
    if (partner !== partnerIndex(fresh, segment)) return `segment ${index} is paired with another segment`
  }
  // Filling a prompt needs other files, so what it finds is not found again here.
  const ofText = ({ rule }: Problem) => !isAboutFilling(rule) && !(checker.isFilled && rule === allowanceRule)
  return problemDifference(
    checker.problems().problems.filter(ofText),
    new Checker(fresh, options).problems().problems.filter(ofText),
  )
}

function isAboutFilling(rule: string): boolean {
  return ruleNamed(rule)?.scope === 'prompt'
}

function isAlike(edited: Segment, fresh: Segment): boolean {
  return summaryOf(edited) === summaryOf(fresh)
}

/** Everything that is known of a segment by itself, as one text. */
function summaryOf(segment: Segment): string {
  const { framing, memory, home, ...summary } = segment
  return JSON.stringify([summary, factsOf(segment), [...eachToken(tokensOf(segment))]])
}

function partnerIndex(analysis: Analysis, segment: Segment): number | undefined {
  const partner = analysis.exchanges.exchange(segment)?.partner
  return partner && analysis.transcript.locate(partner)?.index
}

function problemDifference(edited: readonly Problem[], fresh: readonly Problem[]): string | undefined {
  if (edited.length !== fresh.length) return `there are ${edited.length} problems instead of ${fresh.length}`
  for (let index = 0; index < fresh.length; index++) {
    const rule = fresh[index]?.rule
    if (JSON.stringify(edited[index]) !== JSON.stringify(fresh[index])) {
      return `problem ${index} (${edited[index]?.rule}, should be ${rule}) differs`
    }
  }
  return undefined
}
