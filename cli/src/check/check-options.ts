/** The options of `ocm check`, and which of them go together. */
import { type Arguments, UsageError } from '../arguments.ts'
import { assertOneConfiguration, configurationOptions } from '../configuration/configurations.ts'
import { datasetOptions } from '../dataset/dataset-source.ts'
import { dialectOption } from '../dialect-option.ts'
import { changedOptions } from '../files/changed-files.ts'
import { standardInput } from '../files/read-source.ts'
import { searchOptions } from '../files/search-options.ts'
import { stdinFilenameOption } from '../files/stdin-filename.ts'
import { reportFormats } from '../reporters/reporters.ts'
import { shardOption } from '../shard-option.ts'
import { templateOptions } from '../training/training-options.ts'
import { assertWatchable, watchOption } from '../watch/watch-option.ts'
import { baselineOptions } from './baseline-file.ts'
import { selectionOptions } from './rule-selection.ts'

/** The options of the command. */
export const checkOptions = {
  format: {
    kind: 'choice',
    values: reportFormats,
    default: 'pretty',
    summary:
      'The format of the report: pretty for people; json, sarif, and junit for programs; github for annotations',
  },
  shard: shardOption,
  'fail-on': {
    kind: 'choice',
    values: ['error', 'warning', 'hint'],
    default: 'error',
    summary: 'The lowest severity that sets the exit status to 1',
  },
  ...selectionOptions,
  ...baselineOptions,
  ...templateOptions,
  'max-length': {
    kind: 'count',
    least: 1,
    summary: 'With --template: the number of tokens after which a sample is truncated',
  },
  checks: {
    kind: 'text',
    placeholder: 'FILE',
    summary:
      'Run the checks that this JavaScript module exports on each sample; use only modules that you trust',
  },
  against: {
    kind: 'text',
    placeholder: 'FILE',
    summary: 'Report samples that are also in this dataset, for example in the test set',
  },
  statistics: { kind: 'flag', summary: 'Count the problems by rule instead of listing them' },
  quiet: { kind: 'flag', summary: 'Print problems only: no summary, no progress, no notes' },
  'output-file': {
    kind: 'text',
    placeholder: 'FILE',
    summary: 'Write the report to this file instead of standard output; an existing file is replaced',
  },
  'max-problems': {
    kind: 'count',
    least: 0,
    summary: 'List at most N problems; all others are only counted',
  },
  expect: {
    kind: 'flag',
    summary: 'Report only differences from the expectations next to a transcript or in its header',
  },
  fix: { kind: 'flag', summary: 'Apply all safe fixes, then report the remaining problems' },
  'unsafe-fixes': {
    kind: 'flag',
    summary: 'Let --fix and --diff also apply fixes that can change the meaning',
  },
  output: {
    kind: 'text',
    placeholder: 'FILE',
    summary: 'The new file to which --fix writes datasets with fixed samples',
  },
  'in-place': {
    kind: 'flag',
    summary: 'Let --fix overwrite datasets and JSON files with their fixed samples',
  },
  diff: {
    kind: 'flag',
    summary: 'Print what --fix would change as a unified diff instead of the report; write nothing',
  },
  watch: watchOption,
  'stdin-filename': stdinFilenameOption,
  ...searchOptions,
  ...changedOptions,
  ...configurationOptions,
  ...datasetOptions,
  dialect: dialectOption,
} as const

/** The values of the options. */
export type CheckValues = Arguments<typeof checkOptions>['values']

/** @throws UsageError if the arguments make no sense together */
export function assertCompatible(values: CheckValues, operands: readonly string[]): void {
  if (values.watch) {
    const { fix, diff, 'max-problems': maxProblems, 'output-file': outputFile, against } = values
    const others = { fix, diff, 'max-problems': maxProblems, 'output-file': outputFile, against }
    assertWatchable(values.format, { ...others, 'update-baseline': values['update-baseline'] }, operands)
  }
  const { output, 'in-place': isInPlace } = values
  const target = output !== undefined ? '--output' : '--in-place'
  if (output !== undefined && isInPlace)
    throw new UsageError('`--output` and `--in-place` cannot be used together')
  if (values['unsafe-fixes'] && !values.fix && !values.diff)
    throw new UsageError('`--unsafe-fixes` requires `--fix` or `--diff`')
  if ((output !== undefined || isInPlace) && !values.fix)
    throw new UsageError(`\`${target}\` requires \`--fix\``)
  if ((output !== undefined || isInPlace) && values.diff)
    throw new UsageError(`\`--diff\` writes nothing and cannot be used with \`${target}\``)
  if (values.fix && !values.diff && operands.includes(standardInput)) {
    throw new UsageError('`--fix` cannot write to standard input; `--diff` prints what it would change')
  }
  if (values.diff && values.format !== 'pretty') {
    throw new UsageError(`\`--diff\` prints a diff and cannot be used with \`--format ${values.format}\``)
  }
  if (values.expect && (values.fix || values.diff)) {
    throw new UsageError(`\`--expect\` cannot be used with \`--${values.fix ? 'fix' : 'diff'}\``)
  }
  if (values.shard !== undefined && (values.fix || values.diff))
    throw new UsageError(`\`--shard\` cannot be used with \`--${values.fix ? 'fix' : 'diff'}\``)
  if (values.diff && values.statistics)
    throw new UsageError('`--diff` and `--statistics` cannot be used together')
  assertOneConfiguration(values)
}
