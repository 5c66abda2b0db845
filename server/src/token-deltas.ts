/** What was last sent for each document of its semantic tokens, so that the next answer is only what changed. */

import type { SemanticTokens, SemanticTokensDelta } from 'vscode-languageserver'
import { commonEnds } from '../../core/src/internal.ts'
import type { OpenDocument } from './open-document.ts'

/** Remembers one answer per document. */
export class TokenDeltas {
  readonly #last = new WeakMap<
    OpenDocument,
    { readonly resultId: string; readonly data: readonly number[] }
  >()
  #results = 0

  /** `tokens` with the id under which they are remembered. */
  full(document: OpenDocument, { data }: SemanticTokens): SemanticTokens {
    const resultId = `${++this.#results}`
    this.#last.set(document, { resultId, data })
    return { resultId, data }
  }

  /** What makes `tokens` of those that `previousResultId` stands for; all of them if they are not known any more. */
  delta(
    document: OpenDocument,
    previousResultId: string,
    tokens: SemanticTokens,
  ): SemanticTokens | SemanticTokensDelta {
    const before = this.#last.get(document)
    const { resultId = '', data } = this.full(document, tokens)
    if (!before || before.resultId !== previousResultId) return { resultId, data }
    return { resultId, edits: differenceOf(before.data, data) }
  }
}

/** The smallest single replacement that makes `after` of `before`. */
function differenceOf(before: readonly number[], after: readonly number[]): SemanticTokensDelta['edits'] {
  const { head, tail } = commonEnds(before, after)
  if (head === before.length && head === after.length) return []
  const data = after.slice(head, after.length - tail)
  return [{ start: head, deleteCount: before.length - tail - head, data }]
}
