/** `ocm render`: a transcript as its end user sees it. */
import { analyze, Transcript } from '../../../core/src/index.ts'
import { defineCommand } from '../command.ts'
import { conversationText } from '../conversation-text.ts'
import { dialectOption } from '../dialect-option.ts'
import { readSingleSource } from '../single-source.ts'

/** The command. */
export const renderCommand = defineCommand({
  name: 'render',
  operands: 'PATH',
  description: [
    'Prints what an end user sees of a transcript: who speaks, and below it, indented, what is said.',
    'Instructions, reasoning, tool calls and replies are left out. Control characters are made visible.',
  ],
  options: {
    debug: { kind: 'flag', summary: 'Print the hidden rest too, each part labelled with why it is hidden' },
    dialect: dialectOption,
  },
  examples: [
    ['ocm render chat.ocm', 'print the conversation'],
    ['ocm render --debug chat.ocm', 'print everything, with the reason why it is hidden'],
  ],
  async run({ values, operands }, console) {
    const { text } = await readSingleSource(operands, console)
    const analysis = analyze(Transcript.parse(text, { dialect: values.dialect }))
    await console.output.writeAll(conversationText(analysis, console.style, { hidden: values.debug }))
    return 0
  },
})
