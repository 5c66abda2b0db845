/** Which calls an edit of tool definitions concerns: those of the tools that changed, and of undefined tools. */
import type { Analysis, AnalysisChange } from '../semantics/analysis.ts'
import type { Segment } from '../syntax/segment.ts'

/**
 * The calls and replies to judge again. An edit outside of the definitions leaves calls without problems alone.
 *
 * @param flagged the segments with findings: those of a definition that only moved point to its old place
 */
export function* callsToCheck(
  analysis: Analysis,
  { tools }: AnalysisChange,
  flagged: Iterable<Segment>,
): IterableIterator<Segment> {
  const { exchanges } = analysis
  const isDefined = (tool: string) => analysis.tools.definitionsOf(tool).length > 0
  for (const tool of tools.changed) yield* exchanges.ofTool(tool)
  if (tools.changed.size + tools.moved.size + tools.namespaces.size === 0) return
  for (const segment of flagged) {
    const tool = exchanges.toolOf(segment)
    // What is said of an unknown tool names a known one and points to it.
    if (tool !== undefined && (tools.moved.has(tool) || !isDefined(tool))) yield segment
  }
  if (tools.namespaces.size === 0) return
  for (const tool of exchanges.tools()) if (!isDefined(tool)) yield* exchanges.ofTool(tool)
}
