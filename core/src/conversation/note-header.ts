/** Reports which keys of a header a form has no place for. */

import type { JsonObject } from '../embedded/yaml-header.ts'
import { shortened } from '../text/shortened.ts'
import type { LossList } from './loss.ts'

/**
 * Notes each key of `header` that is not among the `kept` ones, in the words of `message`. The version is that of the format,
 * and a profile that says no more than that the conversation is for Harmony says nothing of it.
 */
export function noteHeader(
  header: JsonObject | undefined,
  kept: readonly string[],
  message: (key: string) => string,
  losses: LossList,
): void {
  for (const [key, value] of Object.entries(header ?? {})) {
    if (key === 'version' || kept.includes(key)) continue
    if (key === 'profiles' && JSON.stringify(value) === harmonyOnly) continue
    losses.add('header-key', message(shortened(key, 80)))
  }
}

const harmonyOnly = JSON.stringify({ harmony: { enabled: true } })
