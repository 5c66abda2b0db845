/** `openchatml.countTexts`: of this server, for clients that show what a model would be sent. Nothing else depends on it. */
import { RequestType } from 'vscode-languageserver'
import { handler } from './handler.ts'

/** What is counted. */
export interface CountTextsParams {
  readonly texts: readonly string[]
}

const countTextsRequest = new RequestType<CountTextsParams, readonly number[] | null, void>(
  'openchatml.countTexts',
)

/** How many tokens each text has in the vocabulary `o200k_harmony`, as ordinary text; `null` where they can't be counted. */
export const countTextsHandler = handler(
  countTextsRequest,
  async ({ context, params }) => (await context.textCounter.count(params.texts)) ?? null,
  'texts',
)
