/** Reports keys that occur twice in an object of a JSON source: the parser drops all values but the last one. */

import type { LossList } from '../../conversation/loss.ts'
import { duplicateJsonKeys, mayRepeatKeys } from '../../embedded/duplicate-json-keys.ts'
import type { JsonValue } from '../../embedded/yaml-header.ts'
import { quoted } from '../../rules/quoted.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'

/** Notes each key in `text` that repeats an earlier one of its object; `value` is what was parsed of it. Linear. */
export function noteRepeatedKeys(text: string, value: JsonValue, losses: LossList): void {
  if (!mayRepeatKeys(text, value)) return
  let count = 0
  let firstOfRest: Range | undefined
  for (const { key, range } of duplicateJsonKeys(text)) {
    if (++count > listed) firstOfRest ??= range
    else
      losses.add(
        'duplicate-key',
        localize`Duplicate key ${quoted(key)} in this object; the last one is used`,
        range,
      )
  }
  const rest = count - listed
  if (rest > 0)
    losses.add('duplicate-key', localize`${rest} more keys appear twice in their objects`, firstOfRest)
}

const listed = 100 // enough for a reader, and a hostile source has millions
