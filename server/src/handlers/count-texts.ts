/** `openchatml.countTexts`: of this server, for clients that show what a model would be sent. Nothing else depends on it. */
import type { ServerContext } from '../server-context.ts'

/** The method of the request. */
export const countTextsRequest = { method: 'openchatml.countTexts' }

/** What is counted. */
export interface CountTextsParams {
  readonly texts: readonly string[]
}

/** How many tokens each text has in the vocabulary `o200k_harmony`, as ordinary text; `null` where nobody can tell. */
export async function handleCountTexts(
  { textCounter }: ServerContext,
  { texts }: CountTextsParams,
): Promise<readonly number[] | null> {
  return (await textCounter.count(texts)) ?? null
}
