/** Every rule, in the order of the documentation: adding one is a file and a line here. */
import type { Rule } from './rule.ts'
import { repeatedChannel } from './syntax/repeated-channel.ts'

/** All rules. */
export const rules: readonly Rule[] = [repeatedChannel]

/** The rule called `name`, or undefined. */
export function ruleNamed(name: string): Rule | undefined {
  return rules.find((rule) => rule.name === name)
}

/** The rules that report `code`. */
export function rulesWithCode(code: string): readonly Rule[] {
  return rules.filter((rule) => rule.code === code)
}
