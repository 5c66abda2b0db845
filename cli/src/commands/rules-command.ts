/** `ocm rules`: the documentation of the diagnostics. */
import { ruleNamed, rules, rulesWithCode } from '../../../core/src/internal.ts'
import { UsageError } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { inputCode, inputDocumentation, inputPage } from '../files/input-problem.ts'
import { jsonText, ruleList, rulePage, rulesJson } from '../rule-page.ts'
import { suggestionFor } from '../suggestion.ts'

const words = [...new Set([inputDocumentation, ...rules].flatMap(({ name, code }) => [name, code]))]

/** The command. */
export const rulesCommand = defineCommand({
  name: 'rules',
  operands: '[CODE|RULE]',
  words,
  description: [
    'Lists all rules with their codes, or prints the documentation of one: why it matters, an example, and the corrected example.',
    'Several rules may share a code; a code prints the pages of all of them.',
  ],
  options: {
    format: {
      kind: 'choice',
      values: ['pretty', 'json'],
      default: 'pretty',
      summary: 'The format of the output: pretty for people, json for programs',
    },
  },
  examples: [
    ['ocm rules', 'list codes and rules'],
    ['ocm rules E-CALL-SCHEMA', 'explain a code'],
    ['ocm rules repeated-channel', 'explain a rule'],
    ['ocm rules --format json', 'print all rules for a program'],
  ],
  async run({ values, operands }, console) {
    const [name, ...others] = operands
    if (others.length > 0) throw new UsageError('Name one code or rule only')
    const isJson = values.format === 'json'
    if (name === undefined && isJson) {
      await console.output.write(rulesJson(rules))
      return 0
    }
    if (name === undefined) {
      await console.output.writeAll(ruleList(rules, console.style))
      return 0
    }
    if (name.toUpperCase() === inputCode.code || name.toLowerCase() === inputCode.rule) {
      await console.output.write(isJson ? jsonText([inputDocumentation]) : inputPage)
      return 0
    }
    const rule = ruleNamed(name.toLowerCase())
    const named = rule ? [rule] : rulesWithCode(name.toUpperCase())
    if (named.length === 0) {
      throw new UsageError(`Unknown rule or code \`${name}\`${suggestionFor(name, words)}`)
    }
    if (isJson) await console.output.write(rulesJson(named))
    else
      for (const [index, it] of named.entries()) {
        await console.output.write((index === 0 ? '' : '\n') + rulePage(it, console.style))
      }
    return 0
  },
})
