/** A declaration of an input that contradicts itself, or that no template can use. */

import { schemaAt } from '../../embedded/header-schema.ts'
import { isReserved } from '../../embedded/jinja-scope.ts'
import { documentHeaderSchema } from '../../semantics/document-header-schema.ts'
import { type Input, inputsKey, inputsOf, isInputName, misfitOf } from '../../semantics/inputs.ts'
import { localize } from '../../text/localize.ts'
import type { Range } from '../../text/range.ts'
import { writingFixes } from '../choice-fixes.ts'
import { closestWord, didYouMean } from '../closest-word.ts'
import { example } from '../example.ts'
import { hasYamlHeader } from '../preamble-text.ts'
import { quoted } from '../quoted.ts'
import type { Finding, HeaderRule } from '../rule.ts'

/** Defaults and values are of the type that is declared. */
export const unfitInput: HeaderRule = {
  name: 'unfit-input',
  code: 'W-INPUT-VALUE',
  severity: 'warning',
  scope: 'header',
  section: '2.2 §2',
  summary:
    'The default or a value of an input does not match its type, its name is invalid, or a key is misspelled',
  why: 'A case without a value gets the default, so the default must be a value that the input accepts.\nTemplates use inputs by name, so a name must be a word of letters, digits, and `_`.\nUnknown keys are ignored: an input with `enum`, as in JSON Schema, accepts any value, because the key for its accepted values is `values`.',
  bad: example`
    version: 2.2
    inputs:
      tone:
        type: string
        enum: [formal, friendly]
        default: friendly
    <|start|>user<|message|>Answer in a {{ tone }} tone.<|end|>
  `,
  good: example`
    version: 2.2
    inputs:
      tone:
        type: string
        values: [formal, friendly]
        default: friendly
    <|start|>user<|message|>Answer in a {{ tone }} tone.<|end|>
  `,
  check(context) {
    if (!hasYamlHeader(context)) return []
    const { offset, filled } = context.header
    const found = (inputsOf(filled) ?? []).flatMap((input) => [...findingsOf(input)])
    return found.map(({ range, message, replacement }) => {
      const span = { from: offset + range.start, to: offset + range.end }
      return { span, message, fixes: writingFixes(span, replacement) }
    })
  },
}

interface Misfit extends Pick<Finding, 'message'> {
  readonly range: Range
  /** What to write there instead, where that is clear. */
  readonly replacement?: string
}

/** What the accepted values are called elsewhere: in JSON Schema, and in the forms of other tools. */
const otherNamesOfValues = ['enum', 'options', 'choices']

function* findingsOf(input: Input): IterableIterator<Misfit> {
  const { name, entry } = input
  if (!isInputName(name)) {
    const message = isReserved(name)
      ? localize`${quoted(name)} cannot be used in a template, because it has a meaning in Jinja`
      : localize`${quoted(name)} cannot be used in a template; names may contain only letters, digits, and \`_\``
    yield { range: entry.keyRange ?? entry.range, message }
  }
  const of = (key: string) => entry.children.find((it) => it.key === key)
  const known = Object.keys(schemaAt(documentHeaderSchema, [inputsKey, name])?.properties ?? {})
  for (const it of entry.children) {
    const key = String(it.key)
    if (known.includes(key)) continue
    const replacement = otherNamesOfValues.includes(key) ? 'values' : closestWord(key, known)
    if (replacement === undefined || of(replacement)) continue
    const message = didYouMean(localize`Unknown key ${quoted(key)} in the input ${quoted(name)}`, replacement)
    yield { range: it.keyRange ?? it.range, message, replacement }
  }
  for (const value of of('values')?.children ?? []) {
    const misfit =
      value.value === undefined
        ? undefined
        : misfitOf({ ...input, values: undefined }, value.value, localize`A value of ${quoted(name)}`)
    if (misfit !== undefined) yield { range: value.range, message: misfit }
  }
  const initial = of('default')
  const misfit =
    initial?.value === undefined
      ? undefined
      : misfitOf(input, initial.value, localize`The default of ${quoted(name)}`)
  if (initial && misfit !== undefined) yield { range: initial.valueRange, message: misfit }
}
