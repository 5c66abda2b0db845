/** A query about problems: their names, and the samples that are compared for it. Loaded for such a query, with all rules. */
import {
  asksForComparison,
  type CompiledQuery,
  compileQuery,
  problemNames,
  type SampleMatcher,
} from '../../../core/src/internal.ts'
import type { SampleFiles } from '../dataset/sample-run.ts'
import type { Console } from '../terminal/console.ts'
import { ComparedDatasets, type ComparisonOptions } from './compared-datasets.ts'

/** The query that `text` is, which may name only problems that there are. */
export function compileProblemQuery(text: string): CompiledQuery {
  return compileQuery(text, { problems: problemNames })
}

/** The samples of `files`, compared with each other; undefined if the query does not ask for that. */
export async function comparedFor(
  matcher: SampleMatcher,
  files: SampleFiles,
  options: ComparisonOptions,
  console: Console,
): Promise<ComparedDatasets | undefined> {
  return asksForComparison(matcher) ? ComparedDatasets.of(files, options, console) : undefined
}
