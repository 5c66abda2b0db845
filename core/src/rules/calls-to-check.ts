/** Which calls an edit of tool definitions concerns: those of the tools that changed, and of those that nobody defines. */
import type { Analysis, AnalysisChange } from '../semantics/analysis.ts'
import type { Segment } from '../syntax/segment.ts'

/**
 * The calls and replies to judge again.
 *
 * @param isFlagged true for a segment with findings: those of a definition that only moved point to its old place
 */
export function* callsToCheck(
  analysis: Analysis,
  { tools }: AnalysisChange,
  isFlagged: (segment: Segment) => boolean,
): IterableIterator<Segment> {
  const { exchanges } = analysis
  for (const tool of tools.changed) yield* exchanges.ofTool(tool)
  for (const tool of tools.moved) {
    for (const segment of exchanges.ofTool(tool)) if (isFlagged(segment)) yield segment
  }
  const isTouched = tools.changed.size + tools.moved.size + tools.namespaces.size > 0
  if (!isTouched) return
  const isOther = tools.namespaces.size > 0
  for (const tool of exchanges.tools()) {
    if (analysis.tools.definitionsOf(tool).length > 0) continue
    // What is said of an unknown tool names a known one and points to it.
    for (const segment of exchanges.ofTool(tool)) if (isOther || isFlagged(segment)) yield segment
  }
}
