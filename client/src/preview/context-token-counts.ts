/** Token counts for the context view: the language server has the vocabulary, on a thread of its own. */

import type { BaseLanguageClient } from 'vscode-languageclient'
import { localize } from '../../../core/src/internal.ts'
import type { CountTexts } from './context-source.ts'

/** Asks the server behind `client`. */
export function countingBy(client: BaseLanguageClient): CountTexts {
  return async (texts) => {
    if (!client.isRunning()) return undefined
    try {
      const counts = await client.sendRequest<number[] | null>('openchatml.countTexts', { texts })
      return counts ?? undefined
    } catch (error) {
      client.error(localize`Tokens cannot be counted`, error, false)
      return undefined
    }
  }
}
