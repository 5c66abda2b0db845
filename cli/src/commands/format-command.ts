/** `ocm format`: transcripts with tidy headers and gaps; bodies stay as they are. */
import { defineCommand } from '../command.ts'
import { FormatRun, formatOptions } from '../format/format-run.ts'

/** The command. */
export const formatCommand = defineCommand({
  name: 'format',
  operands: '[PATHS...]',
  description: [
    'Formats transcripts: attributes in canonical order, single spaces in message headers, one line break between messages and at the end.',
    'Bodies and everything malformed stay unchanged, byte for byte. The meaning of a transcript never changes.',
    'Without an option, prints the given file or standard input formatted. A directory is searched for *.ocm; with an option but no path, the current directory is searched.',
  ],
  options: formatOptions,
  statuses: ['1  --check or --diff found a file that is not formatted'],
  examples: [
    ['ocm format chat.ocm', 'print a formatted transcript'],
    ['ocm format --write .', 'format all transcripts in the current directory'],
    ['ocm format --check .', 'list files that are not formatted; for CI'],
    ['ocm format --diff . | git apply', 'apply the changes with git'],
  ],
  run: (args, console) => new FormatRun(args, console).run(),
})
