/** `ocm parse`: the model of a transcript as JSON, or its tokens. */
import { resolve } from 'node:path'
import { Document, dumpSegment, failureText, Transcript, toParseJson } from '../../../core/src/internal.ts'
import { UsageError } from '../arguments.ts'
import { documentOptions } from '../check/check-source.ts'
import { defineCommand } from '../command.ts'
import {
  assertOneConfiguration,
  Configurations,
  configurationOptions,
} from '../configuration/configurations.ts'
import { dialectOption } from '../dialect-option.ts'
import { isNamedTranscript, refuseAllButTranscripts } from '../files/json-conversation.ts'
import { refuseNothing } from '../files/refuse-other-text.ts'
import { readSingleSource } from '../single-source.ts'
import { safeJson } from '../terminal/displayable.ts'
import { untilReaderLeaves } from '../terminal/output.ts'

/** The command. */
export const parseCommand = defineCommand({
  name: 'parse',
  operands: 'PATH',
  description: [
    'Prints the parsed transcript: messages, diagnostics, and the texts that an end user may see.',
    'It never fails on a broken transcript; problems are in the diagnostics, with the same severities as in `ocm check`.',
  ],
  options: {
    json: { kind: 'flag', summary: 'Print the transcript as one JSON object (the default)' },
    tree: { kind: 'flag', summary: 'Print the segments and their tokens, one per line, with offsets' },
    ...configurationOptions,
    dialect: dialectOption,
  },
  examples: [
    ['ocm parse chat.ocm', 'print the parsed transcript'],
    ["ocm parse chat.ocm | jq -r '.visible[]'", 'print the texts that an end user sees'],
    ['ocm parse --tree - < chat.ocm', 'print the tokens of standard input'],
  ],
  async run({ values, operands }, console) {
    if (values.json && values.tree) throw new UsageError('`--json` and `--tree` cannot be used together')
    assertOneConfiguration(values)
    if (values.tree && (values.config !== undefined || values['no-config']))
      throw new UsageError(
        '`--config` and `--no-config` cannot be used with `--tree`, which has no diagnostics',
      )
    const source = await readSingleSource(operands, console)
    const { path, text } = source
    refuseNothing(source)
    if (!isNamedTranscript(source)) refuseAllButTranscripts(source, 'parse')
    const { dialect } = values
    if (values.tree) {
      await console.output.writeAll(treeOf(Transcript.parse(text, { dialect })))
      return 0
    }
    let hasFailed = false
    const configurations = new Configurations({
      file: values.config,
      isOff: values['no-config'],
      onComplaint: ({ message }, isError) => {
        if (isError) hasFailed = true
        console.complain(message)
      },
    })
    const settings = await configurations.settingsFor(resolve(operands[0] ?? ''))
    const judged = documentOptions({
      dialect,
      settings,
      onRuleError: (rule, error) =>
        console.complain(`${path}: internal problem in the rule ${rule}: ${failureText(error)}`),
    })
    await untilReaderLeaves(() =>
      console.output.writeAll(objectText(Object.entries(toParseJson(new Document(text, judged))))),
    )
    return hasFailed ? 2 : 0
  },
})

/** One object; its lists one element a line, because the text as a whole may be longer than a string can be. */
function* objectText(entries: readonly (readonly [string, unknown])[]): IterableIterator<string> {
  yield '{'
  for (const [index, [key, value]] of entries.entries()) {
    yield `${index === 0 ? '' : ','}\n  ${JSON.stringify(key)}: `
    if (Array.isArray(value) && value.length > 0) yield* listText(value)
    else yield safeJson(JSON.stringify(value))
  }
  yield '\n}\n'
}

function* listText(list: readonly unknown[]): IterableIterator<string> {
  yield '['
  for (const [index, element] of list.entries()) {
    yield `${index === 0 ? '' : ','}\n    ${safeJson(JSON.stringify(element))}`
  }
  yield '\n  ]'
}

function* treeOf(transcript: Transcript): IterableIterator<string> {
  for (const { segment, start } of transcript.segments()) {
    if (segment.length > 0) yield safeJson(dumpSegment(segment, start))
  }
}
