/** `ocm config`: which configuration holds for a file, and what it says. */
import { resolve } from 'node:path'
import { type PathSettings, rules, severitySettingFor } from '../../../core/src/internal.ts'
import { UsageError } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import {
  assertOneConfiguration,
  Configurations,
  configurationOptions,
} from '../configuration/configurations.ts'
import { safeJson } from '../terminal/displayable.ts'

/** The command. */
export const configCommand = defineCommand({
  name: 'config',
  operands: 'show [PATH]',
  words: ['show'],
  description: [
    'Prints the configuration that applies to a file, or to files of the current directory, as JSON: the configuration file and its settings.',
    '`rules` lists every rule whose severity differs from the default; the YAML header of a transcript may override severities.',
  ],
  options: configurationOptions,
  examples: [
    ['ocm config show', 'print the configuration of the current directory'],
    ['ocm config show fixtures/chat.ocm', 'print the configuration of a file'],
  ],
  async run({ values, operands }, console) {
    const [action, path = 'file', ...others] = operands
    if (action !== 'show') throw new UsageError('`ocm config` takes `show` and a path')
    if (others.length > 0) throw new UsageError('Name one path only')
    assertOneConfiguration(values)
    let hasFailed = false
    const configurations = new Configurations({
      file: values.config,
      isOff: values['no-config'],
      onComplaint: (problem, isError) => {
        hasFailed ||= isError
        console.complain(problem.message)
      },
    })
    const { file, extended, settings } = await configurations.inForce(resolve(path))
    await console.output.write(
      `${safeJson(JSON.stringify({ file: file ?? null, extends: extended, ...shown(settings) }, undefined, 2))}\n`,
    )
    return hasFailed ? 2 : 0
  },
})

function shown({
  rules: places,
  templates,
  intent,
  mapping,
  labels,
  isExcluded = false,
  isIncluded = true,
}: PathSettings): object {
  const changed = rules.flatMap((rule) => {
    const severity = severitySettingFor(rule, places) ?? rule.severity
    return severity === rule.severity ? [] : [[rule.name, severity] as const]
  })
  return {
    rules: Object.fromEntries(changed),
    templates: templates ?? null,
    intent: intent ?? null,
    datasets: mapping ?? null,
    labels: labels ?? null,
    isExcluded,
    isIncluded,
  }
}
