/** `ocm init`: a configuration file to begin with. */
import { join } from 'node:path'
import { UsageError } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { createFile } from '../files/replace-file.ts'

/** Prose begins with `# `; what begins with `#` alone is a setting that takes effect without it. */
const beginning = `# What ocm and the editor report below this folder. The documentation of ocm check explains each key.

# Configuration files whose settings hold where this one sets nothing else, relative to this file.
#extends: ../.openchatml.yaml

# Severities by rule or code: error, warning, information, hint, or off. \`ocm rules\` lists them.
#rules:
#  missing-header: off
#  W-CALL-UNANSWERED: hint

# What transcripts are for that do not say it themselves: training, history, or fixture.
#intent: training

# Report what placeholders such as {{ name }} cause.
#templates: true

# What searches of directories are limited to.
#include: [transcripts/, "data/**/*.jsonl"]

# What searches of directories leave out.
#exclude: [vendor/, "*.draft.ocm"]

# What holds for some paths; the last one that fits counts most.
#overrides:
#  - files: fixtures/broken/**
#    intent: fixture

# The labels that reviewers are offered.
#review:
#  labels: [refusal, wrong answer]

# What columns of datasets are called, with the keys of dataset_info.json.
#datasets:
#  - file_name: data/support-*.jsonl
#    columns: { prompt: question, response: answer }
`

/** The command. */
export const initCommand = defineCommand({
  name: 'init',
  operands: '[DIRECTORY]',
  description: [
    'Writes .openchatml.yaml, in which every key is explained and commented out, to the directory, by default the current one.',
    'A file that exists is left alone.',
  ],
  options: {},
  examples: [['ocm init', 'begin a configuration here']],
  async run({ operands }, console) {
    const [folder = '.', ...others] = operands
    if (others.length > 0) throw new UsageError('Name one directory only')
    const path = join(folder, '.openchatml.yaml')
    await createFile(path, beginning)
    await console.output.write(`${path}\n`)
    return 0
  },
})
