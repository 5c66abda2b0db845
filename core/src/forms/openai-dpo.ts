/** What OpenAI's fine-tuning by preference reads: an input, and two outputs. */

import { objectAt, objectIn } from '../conversation/json-input.ts'
import { toolList } from '../embedded/request-tools.ts'
import { localizable, localize } from '../text/localize.ts'
import { defineForm } from './form.ts'
import { readResponse } from './samples/prompt.ts'
import { Columns } from './samples/sample-columns.ts'
import { notePair, writtenBranches } from './samples/written-branches.ts'

const names = ['preferred_output', 'non_preferred_output'] as const

/** The form. */
export const openaiDpo = defineForm({
  name: 'openai-dpo',
  title: 'OpenAI Preference',
  summary: localizable`An input with a preferred and a non-preferred output`,
  documentation: '`input` with `messages`, `preferred_output`, and `non_preferred_output`',
  language: 'json',
  holds: 'json',
  comparesBranches: true,
  ownKeys: names,
  recognizedBy: {
    outputs: (sample) => sample.hasBranches('input', ...names),
  },
  read(value, context) {
    const root = objectIn(value, localize`The document`)
    const input = new Columns(objectAt(root, 'input', localize`\`input\``), context)
    input.messages('messages')
    const tools = toolList(input.root)
    const columns = new Columns(root, context, { reader: input.reader, tools })
    columns.take('input')
    columns.branches(names, (name) => readResponse(columns, name))
    return columns.conversation()
  },
  editsTurns: true,
  write(conversation, context) {
    const written = writtenBranches(conversation, context)
    notePair(written, context.losses)
    const { side, prompt, branches } = written
    const { tools, ...rest } = side
    return {
      ...rest,
      input: { messages: prompt, ...(tools !== undefined && { tools }) },
      preferred_output: branches[0] ?? [],
      non_preferred_output: branches[1] ?? [],
    }
  },
})
