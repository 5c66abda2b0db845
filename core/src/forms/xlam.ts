/** xLAM: a query, and the calls that answer it. */

import { field, isObject, objectIn } from '../conversation/json-input.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { localizable, localize } from '../text/localize.ts'
import { defineForm } from './form.ts'
import { responseKeys, withoutColumns } from './samples/prompt.ts'
import { Columns } from './samples/sample-columns.ts'
import { inputValue, noteNames, noteTurn, turnsOf, withoutSystem } from './samples/turns.ts'

/** What would be read with `query` where no calls say that it is xLAM's. */
const promptColumns = ['instruction', 'history', 'prompt', 'question', 'completions', ...responseKeys]

/** The form. */
export const xlam = defineForm({
  name: 'xlam',
  title: 'xLAM',
  summary: localizable`A query, tools, and the calls that answer it`,
  documentation: '`query`, `tools`, and calls in `answers`, as lists or as JSON strings',
  language: 'json',
  holds: 'json',
  recognizedBy: {
    answers: (sample) => sample.hasText('query') && sample.at('answers') !== undefined,
  },
  read(value, context) {
    const root = objectIn(value, localize`The document`)
    const columns = new Columns(root, context)
    columns.said('user', ['query'])
    const answers = columns.value('answers')
    if (answers === undefined) return columns.conversation() // an empty one (F1)
    const { reader } = columns
    const place = { parent: root, key: 'answers' }
    const parsed = typeof answers === 'string' ? reader.parsedText(answers, place) : answers
    const list = Array.isArray(parsed) ? parsed : [parsed]
    const areCalls = list.every((it) => isObject(it) && typeof field(it, 'name') === 'string')
    if (areCalls) reader.say('assistant', reader.calls(root, 'answers'))
    else {
      context.losses.addAt(
        'unreadable',
        localize`\`answers\` is not JSON with calls, and is hidden`,
        root,
        'answers',
      )
      const text = typeof answers === 'string' ? answers : JSON.stringify(answers)
      reader.say('assistant', [{ kind: 'analysis', text, words: [place], unit: place }])
    }
    return columns.conversation()
  },
  write(conversation, { losses }) {
    const { side, tools, turns } = turnsOf(conversation, losses, { answers: false, replies: false })
    const query: string[] = []
    const answers: JsonValue[] = []
    const { system, others } = withoutSystem(turns)
    for (const turn of others) {
      noteNames(turn, losses)
      if (turn.role === 'user' && turn.text !== undefined) query.push(turn.text)
      else if (turn.role !== 'assistant') noteTurn(turn, losses)
      if (turn.role === 'assistant' && (turn.text !== undefined || turn.reasoning !== undefined))
        losses.add(
          'not-a-message',
          localize`xLAM stores only calls: the text and reasoning of the assistant are left out`,
        )
      for (const call of turn.calls) answers.push({ name: call.name, arguments: inputValue(call, losses) })
    }
    if (query.length > 1)
      losses.add('message-boundary', localize`Consecutive messages with the same role become one text`)
    return {
      ...withoutColumns(side, losses, answers.length === 0 ? promptColumns : ['instruction', 'history']),
      ...(system !== undefined && { system }),
      query: query.join('\n'),
      answers,
      ...(tools && { tools }),
    }
  },
})
