/** Which rules a run judges by: `--select` and `--ignore`. */
import { type Rule, rules } from '../../../core/src/internal.ts'
import { UsageError } from '../arguments.ts'
import { suggestionFor } from '../suggestion.ts'

/** The options of commands that judge by rules. */
export const selectionOptions = {
  select: {
    kind: 'text',
    placeholder: 'RULES',
    isList: true,
    summary: 'Apply only these rules: names, codes, or prefixes of codes such as W-DATA, separated by commas',
  },
  ignore: {
    kind: 'text',
    placeholder: 'RULES',
    isList: true,
    summary: 'Ignore these rules, even if --select names them',
  },
} as const

/** What the two options say, as they were typed. */
export interface RuleSelection {
  readonly select: string | undefined
  readonly ignore: string | undefined
}

/** The rules that are left, whatever files and headers say about them. @throws UsageError for a word that names no rule */
export function selectedRules({ select, ignore }: RuleSelection): readonly Rule[] {
  if (select === undefined && ignore === undefined) return rules
  const wanted = select === undefined ? new Set(rules) : rulesNamed('--select', select)
  const left = ignore === undefined ? new Set<Rule>() : rulesNamed('--ignore', ignore)
  return rules.filter((it) => wanted.has(it) && !left.has(it))
}

function rulesNamed(option: string, list: string): ReadonlySet<Rule> {
  const found = new Set<Rule>()
  for (const word of list.split(',').map((it) => it.trim())) {
    const code = word.toUpperCase()
    const named = rules.filter(
      (it) => it.name === word.toLowerCase() || it.code === code || it.code.startsWith(`${code}-`),
    )
    if (named.length === 0) {
      const known = new Set(rules.flatMap((it) => [it.name, it.code]))
      throw new UsageError(`\`${option}\`: unknown rule or code \`${word}\`${suggestionFor(word, known)}`)
    }
    for (const it of named) found.add(it)
  }
  return found
}
