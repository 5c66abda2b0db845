/** What samples of an unknown layout have, for a user to say what it is. */
import { parseJson } from '../../conversation/json-input.ts'
import { ConversionError } from '../../conversation/loss.ts'
import { isObject } from '../../embedded/json-value.ts'
import type { JsonValue } from '../../embedded/yaml-header.ts'
import { spokenRole } from '../../vocabulary/role-words.ts'

/** The columns of samples, in the order in which they occur. */
export interface OfferedColumns {
  /** Those that hold text. */
  readonly texts: readonly string[]
  /** Those that hold a list of objects, also as JSON in a string. */
  readonly lists: readonly string[]
  /** Those that hold a text or such a list. */
  readonly answers: readonly string[]
}

/** The columns of `samples`. */
export function offeredColumns(samples: readonly JsonValue[]): OfferedColumns {
  const found = { texts: new Set<string>(), lists: new Set<string>(), answers: new Set<string>() }
  for (const sample of samples) {
    if (!isObject(sample)) continue
    for (const [key, value] of Object.entries(sample)) {
      const isList = itemsIn(value).length > 0
      if (isList) found.lists.add(key)
      else if (typeof value === 'string') found.texts.add(key)
      if (isList || typeof value === 'string' || isObject(value)) found.answers.add(key)
    }
  }
  return { texts: [...found.texts], lists: [...found.lists], answers: [...found.answers] }
}

/** The keys of the messages in the column `list` that hold text. */
export function offeredKeys(samples: readonly JsonValue[], list: string): readonly string[] {
  const keys = itemsOf(samples, list).flatMap((item) => Object.entries(item))
  return [...new Set(keys.flatMap(([key, value]) => (typeof value === 'string' ? [key] : [])))]
}

/** The words for who speaks under `key`, in the column `list`, that are not known everywhere. At most ten. */
export function unknownSpeakers(samples: readonly JsonValue[], list: string, key: string): readonly string[] {
  const words = itemsOf(samples, list).flatMap((item) => {
    const word = item[key]
    return typeof word === 'string' && spokenRole(word) === undefined ? [word] : []
  })
  return [...new Set(words)].slice(0, 10)
}

type Item = Readonly<Record<string, JsonValue>>

function itemsOf(samples: readonly JsonValue[], list: string): readonly Item[] {
  return samples.flatMap((sample) => (isObject(sample) ? itemsIn(sample[list] ?? null) : []))
}

function itemsIn(value: JsonValue): readonly Item[] {
  if (Array.isArray(value)) return value.filter(isObject)
  if (typeof value !== 'string' || !/^\s*\[\s*\{/.test(value)) return []
  try {
    const parsed = parseJson(value)
    return Array.isArray(parsed) ? parsed.filter(isObject) : []
  } catch (error) {
    if (error instanceof ConversionError || error instanceof RangeError) return []
    throw error
  }
}
