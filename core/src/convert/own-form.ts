/** Fields next to a conversation that would make what is written a sample of another form (F6). */

import { isObject } from '../conversation/json-input.ts'
import type { LossList } from '../conversation/loss.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import type { Named } from '../forms/form.ts'
import { locatedForm } from '../forms/form-registry.ts'
import { localize } from '../text/localize.ts'
import { shortened } from '../text/shortened.ts'

/**
 * `value`, which was written in the form `name`, without those of the fields `beside` that readers would take for columns of another
 * form. What is left out is reported.
 */
export function inOwnForm(
  value: JsonValue,
  beside: JsonValue | undefined,
  { name, forms }: { readonly name: string; readonly forms: readonly Named<string>[] | undefined },
  losses: LossList,
): JsonValue {
  const formOf = (it: JsonValue) => locatedForm<string>(it, forms)?.form
  if (!isObject(value) || !isObject(beside) || formOf(value) === name) return value
  const entries = Object.entries(value)
  const isBeside = (key: string) => Object.hasOwn(beside, key) && beside[key] === value[key]
  const keys = Object.keys(value).filter(isBeside)
  const withFirst = (count: number): JsonObject => {
    const kept = new Set(keys.slice(0, count))
    return Object.fromEntries(entries.filter(([key]) => kept.has(key) || !isBeside(key)))
  }
  const usual = formOf(withFirst(0))
  const isOther = (count: number) => ![usual, name].includes(formOf(withFirst(count)))
  const nAll = keys.length
  while (isOther(keys.length)) {
    // The field that makes the difference is found by halving: there may be many fields, and few of them are columns.
    let [low, high] = [0, keys.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if (isOther(middle)) high = middle
      else low = middle
    }
    const [key = ''] = keys.splice(low, 1)
    losses.add('field', localize`The conversation replaces the field \`${shortened(key, 80)}\` next to it`)
  }
  return keys.length === nAll ? value : withFirst(keys.length)
}
