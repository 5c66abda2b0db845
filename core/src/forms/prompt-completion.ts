/** Prompt and completion: one column for what is asked, and one for what is answered. */

import { objectIn } from '../conversation/json-input.ts'
import type { JsonObject } from '../embedded/yaml-header.ts'
import { localizable, localize } from '../text/localize.ts'
import { toMessages } from './chat/write-messages.ts'
import { defineForm } from './form.ts'
import { sampleOf } from './json-sample.ts'
import {
  isWhole,
  promptKey,
  readFramedColumns,
  readHistory,
  readPrompt,
  readResponse,
  responseKey,
  withoutColumns,
} from './samples/prompt.ts'
import { Columns } from './samples/sample-columns.ts'
import { soleText } from './samples/written-branches.ts'

/** The form. */
export const promptCompletion = defineForm({
  name: 'prompt-completion',
  title: 'Prompt-Completion',
  summary: localizable`A prompt and its completion, or a question and its answer`,
  documentation: '`prompt` and `completion`, or `question` and `answer`, each as text or as messages',
  language: 'json',
  holds: 'json',
  ownKeys: ['prompt', 'question', 'query', 'problem'],
  recognizedBy: {
    prompt: (sample) => promptKey(sample) !== undefined,
  },
  read(value, context) {
    const root = objectIn(value, localize`The document`)
    const columns = new Columns(root, context)
    const prompt = promptKey(sampleOf(root))
    if (prompt === undefined) throw columns.wrongType('prompt', localize`a string or a list of messages`)
    const response = responseKey(root, prompt)
    const turns = response === undefined ? undefined : columns.turns(response)
    const keys = response === undefined ? [prompt] : [prompt, response]
    if (readFramedColumns(columns, keys)) return columns.conversation()
    if (!isWhole(turns)) {
      readHistory(columns)
      readPrompt(columns, prompt)
    }
    if (response !== undefined) readResponse(columns, response)
    return columns.conversation()
  },
  write(conversation, { losses }) {
    const { messages, ...beside } = toMessages(conversation, losses)
    const side = withoutColumns(beside, losses, ['instruction', 'history'])
    const list = (messages ?? []) as readonly JsonObject[]
    const end = list.findLastIndex(({ role }) => role !== 'assistant') + 1
    const [prompt, completion] = [list.slice(0, end), list.slice(end)]
    const question = prompt.length === 0 ? '' : soleText(prompt, 'user')
    const answer = soleText(completion, 'assistant')
    if (prompt.length === 0 && (answer ?? completion).length === 0)
      losses.add('order', localize`There is no prompt, although this form requires one`)
    // Texts, where there is nothing but a question and its answer.
    if (!conversation.isConversational && question !== undefined && answer !== undefined)
      return { ...side, prompt: question, completion: answer }
    return { ...side, prompt, completion }
  },
})
