/** `ocm check`: the diagnostics of files and directories, and their safe fixes. */
import { resolve } from 'node:path'
import { UsageError } from '../arguments.ts'
import { BaselineFile } from '../check/baseline-file.ts'
import { checkOptions } from '../check/check-options.ts'
import { CheckRun } from '../check/check-run.ts'
import { customChecksIn } from '../check/custom-checks.ts'
import { defineCommand } from '../command.ts'
import { type Console, quietConsole } from '../terminal/console.ts'
import { renderChoiceOf } from '../training/training-options.ts'
import type { Round } from '../watch/watch-checks.ts'

/** The command. */
export const checkCommand = defineCommand({
  name: 'check',
  operands: '[PATHS...]',
  description: [
    'Reports problems in transcripts and datasets.',
    'A directory is searched for transcripts (*.ocm) and datasets (*.jsonl, *.ndjson, also *.gz and *.zst, *.parquet), except in .git and node_modules. A file that you name is read whatever its extension; - is standard input. Without a path, the current directory is searched.',
    'A JSON conversation, in a *.json file or on standard input, is converted to a transcript and checked.',
    'Searches skip files that git ignores, and files that match `exclude` in a configuration file.',
    'Severities are set in .openchatml.yaml, .yml, or .json, in the folder of each transcript or a parent folder, and under `lint` in the YAML header of a transcript.',
  ],
  options: checkOptions,
  statuses: ['1  a problem has the severity of --fail-on or a higher one'],
  examples: [
    ['ocm check', 'check all transcripts and datasets in the current directory'],
    ['ocm check --since origin/main', 'check what a branch changed'],
    ['ocm check --select W-DATA,E train.jsonl', 'check a dataset with a few rules'],
    ['ocm check --template model/ --against test.jsonl train.jsonl', 'check training data as it is rendered'],
    ['ocm check --baseline known.json --update-baseline .', 'write the current problems to a baseline'],
    ['ocm check --fail-on warning fixtures', 'also fail on warnings'],
    ['ocm check --diff . | git apply', 'apply the safe fixes with git'],
    ['ocm check --fix --output fixed.jsonl data.jsonl', 'write a dataset with fixed samples'],
    ['ocm check --statistics .', 'count the problems by rule'],
    ['ocm check --format json - < chat.ocm', 'read standard input, print JSON'],
  ],
  run: async (args, console) => {
    const { checks } = args.values
    const custom = checks === undefined ? [] : await customChecksIn(resolve(checks)) // says now what is wrong with it
    const choice = await renderChoiceOf(args.values)
    if (!choice && args.values['max-length'] !== undefined)
      throw new UsageError('`--max-length` requires `--template`')
    const run = async (console: Console, round: Partial<Round> = {}) => {
      const baseline = await BaselineFile.open(args.values)
      return new CheckRun(args, console, { choice, custom, baseline, ...round }).run()
    }
    if (!args.values.watch) return run(console)
    const { watchChecks } = await import('../watch/watch-checks.ts')
    const shown = args.values.quiet ? quietConsole(console) : console
    return watchChecks(args.operands, shown, (round) => run(round.console, round))
  },
})
