/** What is wrong with cases: sets of values for `inputs`, in the header or in a file of their own. */
import { isObject } from '../embedded/json-value.ts'
import type { HeaderEntry, JsonValue } from '../embedded/yaml-header.ts'
import { type Input, isCaseName, isInputName, misfitOf, stringsOf } from '../semantics/inputs.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { closestWord, didYouMean } from './closest-word.ts'
import { quoted } from './quoted.ts'

/** A value that does not fit, or is missing. */
export interface CaseFinding {
  /** In the YAML text. */
  readonly range: Range
  readonly message: string
  /** What to write there instead; undefined if that is not clear. */
  readonly replacement?: string | undefined
}

/** What in `cases` does not fit `inputs`, in order of the text. */
export function* caseFindings(
  cases: readonly HeaderEntry[],
  inputs: readonly Input[],
): IterableIterator<CaseFinding> {
  const names = inputs.map(({ name }) => name).filter(isInputName)
  const byName = new Map(inputs.map((input) => [input.name, input]))
  for (const it of cases) {
    if (!isCaseName(String(it.key))) {
      const message = localize`The name of a case may contain only letters, digits, \`_\`, \`-\`, and spaces`
      yield { range: it.keyRange ?? it.range, message }
    }
    if (it.type !== 'object' && it.type !== 'null') {
      yield { range: it.valueRange, message: localize`A case must be a mapping from inputs to values` }
      continue
    }
    // An alias (`*refund`) has a value without entries.
    const given = new Set(it.children.map(({ key }) => String(key)))
    if (it.children.length === 0 && isObject(it.value))
      for (const key of Object.keys(it.value)) given.add(key)
    const missing = inputs.filter(({ name, isRequired }) => isRequired && !given.has(name))
    if (missing.length > 0) {
      const list = missing.map(({ name }) => quoted(name)).join(', ')
      yield {
        range: it.keyRange ?? it.range,
        message: localize`${quoted(String(it.key))} is missing a value for ${list}`,
      }
    }
    for (const entry of it.children) yield* findingsOf(entry, byName.get(String(entry.key)), names)
  }
}

function* findingsOf(
  { key, keyRange, range, valueRange, value }: HeaderEntry,
  input: Input | undefined,
  names: readonly string[],
): IterableIterator<CaseFinding> {
  const name = String(key)
  if (!input) {
    const meant = closestWord(name, names)
    const message = didYouMean(localize`${quoted(name)} is not declared under \`inputs\``, meant)
    yield { range: keyRange ?? range, message, replacement: meant }
    return
  }
  const misfit = misfitOf(input, (value ?? null) as JsonValue, quoted(name))
  if (misfit === undefined) return
  const meant = typeof value === 'string' ? closestWord(value, stringsOf(input)) : undefined
  yield { range: valueRange, message: misfit, replacement: meant }
}
