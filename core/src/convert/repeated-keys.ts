/** Tells of keys that stand twice in an object of a JSON source: the parser drops all values but the last one. */
import { duplicateJsonKeys, mayRepeatKeys } from '../embedded/duplicate-json-keys.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { quoted } from '../rules/quoted.ts'
import { localize } from '../text/localize.ts'
import type { LossList } from './loss.ts'

/** Notes each key in `text` that repeats an earlier one of its object; `value` is what was parsed of it. Linear. */
export function noteRepeatedKeys(text: string, value: JsonValue, losses: LossList): void {
  if (!mayRepeatKeys(text, value)) return
  const duplicates = duplicateJsonKeys(text)
  for (const { key, range } of duplicates.slice(0, listed)) {
    losses.add(
      'duplicate-key',
      localize`${quoted(key)} stands twice in this object; the last one counts`,
      range,
    )
  }
  const rest = duplicates.length - listed
  if (rest > 0)
    losses.add(
      'duplicate-key',
      localize`${rest} more keys stand twice in their objects`,
      duplicates[listed]?.range,
    )
}

const listed = 100 // nobody reads more, and a hostile source has millions
