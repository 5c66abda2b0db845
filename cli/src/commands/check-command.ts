/** `ocm check`: the diagnostics of files and directories, and their safe fixes. */
import { resolve } from 'node:path'
import { CheckRun, checkOptions } from '../check/check-run.ts'
import { customChecksIn } from '../check/custom-checks.ts'
import { defineCommand } from '../command.ts'
import { renderChoiceOf } from '../training/training-options.ts'

/** The command. */
export const checkCommand = defineCommand({
  name: 'check',
  operands: '[PATHS...]',
  description: [
    'Reports what is wrong in transcripts.',
    'A directory is searched for transcripts (*.ocm) and datasets (*.jsonl, *.ndjson, also *.gz and *.zst, *.parquet), except in .git and node_modules; any other file is read as it is named; - is standard input. Without a path, the current directory is searched.',
    'A conversation in JSON, in a file *.json or on standard input, is checked as the transcript that it becomes.',
    'What git ignores, and what `exclude` in a configuration names, is left out of searches.',
    'Severities are set in .openchatml.yaml, .yml, or .json, looked for from the folder of each transcript upwards, and under `lint` in the header of a transcript.',
  ],
  options: checkOptions,
  statuses: ['1  some problem is as severe as --fail-on, or more'],
  examples: [
    ['ocm check', 'check all transcripts and datasets here and below'],
    ['ocm check --since origin/main', 'check what a branch changes'],
    ['ocm check --select W-DATA,E train.jsonl', 'judge a dataset by a few rules'],
    ['ocm check --template model/ --against test.jsonl train.jsonl', 'check training data as it is rendered'],
    ['ocm check --fail-on warning fixtures', 'fail on warnings too'],
    ['ocm check --diff . | git apply', 'apply the safe fixes through git'],
    ['ocm check --fix --output fixed.jsonl data.jsonl', 'write a dataset with its samples fixed'],
    ['ocm check --statistics .', 'count the problems by rule'],
    ['ocm check --format json - < chat.ocm', 'read standard input, print JSON'],
  ],
  run: async (args, console) => {
    const { checks } = args.values
    const custom = checks === undefined ? [] : await customChecksIn(resolve(checks)) // says now what is wrong with it
    return new CheckRun(args, console, { choice: await renderChoiceOf(args.values), custom }).run()
  },
})
