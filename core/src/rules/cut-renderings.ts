/** Renderings of branches that the maximal length cuts. */
import type { SampleRendering } from './rule.ts'

/** True if `rendering` and one of `others` are cut, and what is left of them is the same. */
export function isAlikeOnceCut(rendering: SampleRendering, others: readonly SampleRendering[]): boolean {
  if (rendering.nCut === 0) return false
  const kept = keptOf(rendering)
  return others.some((it) => it.nCut > 0 && keptOf(it) === kept)
}

function keptOf({ text, keptEnd }: SampleRendering): string {
  return text.slice(0, keptEnd)
}
