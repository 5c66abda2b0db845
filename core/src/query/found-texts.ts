/** What a query found in a sample, for views that show the sample: visible text to mark, and the names of what is hidden. */
import { hiddenHits } from './hit-excerpt.ts'
import type { QueryHit } from './match-query.ts'
import type { TextKind } from './sample-view.ts'

/** What was found. */
export interface FoundTexts {
  /** Stretches of visible text as they are written, each once. */
  readonly texts: readonly string[]
  /** The kinds of hidden text with something that was found. */
  readonly hidden: readonly TextKind[]
}

const mostTexts = 100
const longestText = 1000 // UTF-16 code units: a longer stretch is not looked for again

/** What `hits` found. */
export function foundTexts(hits: readonly QueryHit[]): FoundTexts {
  const texts = new Set<string>()
  for (const { text, span } of hits) {
    if (text.isHidden || span.to - span.from > longestText || texts.size >= mostTexts) continue
    texts.add(text.text.slice(span.from, span.to))
  }
  return { texts: [...texts], hidden: hiddenHits(hits) }
}
