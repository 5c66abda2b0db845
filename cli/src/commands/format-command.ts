/** `ocm format`: transcripts with tidy headers and gaps; bodies stay as they are. */
import { defineCommand } from '../command.ts'
import { FormatRun, formatOptions } from '../format/format-run.ts'

/** The command. */
export const formatCommand = defineCommand({
  name: 'format',
  operands: '[PATHS...]',
  description: [
    'Formats transcripts: attributes in their order, single spaces in headers of messages, one line break between messages and at the end.',
    'Bodies stay byte for byte, and so does everything that is malformed. What a transcript says never changes.',
    'Without an option, the one file that is named, or standard input, is printed as formatted. A directory is searched for *.ocm; with an option and without a path, the current one is.',
  ],
  options: formatOptions,
  statuses: ['1  --check or --diff found a file that is not formatted'],
  examples: [
    ['ocm format chat.ocm', 'print a transcript as formatted'],
    ['ocm format --write .', 'format all transcripts here and below'],
    ['ocm format --check .', 'name those that are not formatted; for CI'],
    ['ocm format --diff . | git apply', 'apply what would change through git'],
  ],
  run: (args, console) => new FormatRun(args, console).run(),
})
