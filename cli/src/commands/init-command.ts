/** `ocm init`: a configuration file to begin with. */
import { join } from 'node:path'
import { UsageError } from '../arguments.ts'
import { defineCommand } from '../command.ts'
import { createFile } from '../files/replace-file.ts'

/** Prose begins with `# `; what begins with `#` alone is a setting that takes effect without it. */
const beginning = `# Configures ocm and the editor for this folder. docs/command-line.md#configuration explains each key.

# Other configuration files whose settings also apply, relative to this file. This file takes precedence.
#extends: ../.openchatml.yaml

# Severities by rule or code: error, warning, information, hint, or off. \`ocm rules\` lists them.
#rules:
#  missing-header: off
#  W-CALL-UNANSWERED: hint

# The purpose of transcripts that do not declare one: training, history, or fixture.
#intent: training

# Report problems with placeholders such as {{ name }}.
#templates: true

# The only paths that searches of directories include.
#include: [transcripts/, "data/**/*.jsonl"]

# The paths that searches of directories skip.
#exclude: [vendor/, "*.draft.ocm"]

# Settings for some paths; later entries take precedence.
#overrides:
#  - files: fixtures/broken/**
#    intent: fixture

# The labels that reviewers can choose from.
#review:
#  labels: [refusal, wrong answer]

# The columns of datasets, with the keys of dataset_info.json.
#datasets:
#  - file_name: data/support-*.jsonl
#    columns: { prompt: question, response: answer }
`

/** The command. */
export const initCommand = defineCommand({
  name: 'init',
  operands: '[DIRECTORY]',
  description: [
    'Writes .openchatml.yaml to the directory, by default the current one. Every key is explained and commented out.',
    'An existing file is not overwritten.',
  ],
  options: {},
  examples: [['ocm init', 'start a configuration here']],
  async run({ operands }, console) {
    const [folder = '.', ...others] = operands
    if (others.length > 0) throw new UsageError('Name one directory only')
    const path = join(folder, '.openchatml.yaml')
    await createFile(path, beginning)
    await console.output.write(`${path}\n`)
    return 0
  },
})
