/** Alpaca: an instruction, perhaps with an input, and its output. */

import { field, isObject, objectIn } from '../conversation/json-input.ts'
import type { LossList } from '../conversation/loss.ts'
import { localizable, localize } from '../text/localize.ts'
import { defineForm } from './form.ts'
import { readHistory, readInstruction, readResponse, withoutColumns } from './samples/prompt.ts'
import { Columns } from './samples/sample-columns.ts'
import { notedTaggedText, noteNames, noteTurn, type Turn, turnsOf, withoutSystem } from './samples/turns.ts'

/** The form. */
export const alpaca = defineForm({
  name: 'alpaca',
  title: 'Alpaca',
  summary: localizable`An instruction, perhaps an input, and an output`,
  documentation: '`instruction`, optional `input`, and `output`',
  language: 'json',
  holds: 'json',
  ownKeys: ['instruction'],
  recognizedBy: {
    instruction: (sample) => sample.hasText('instruction'),
  },
  read(value, context) {
    const columns = new Columns(objectIn(value, localize`The document`), context)
    readHistory(columns)
    readInstruction(columns)
    const key = ['output', 'response', 'completion'].find((it) => isThere(columns, it))
    if (key !== undefined) readResponse(columns, key)
    return columns.conversation()
  },
  write(conversation, { losses }) {
    const { side, tools, turns } = turnsOf(conversation, losses, { answers: true, replies: false })
    if (tools) losses.add('tool-definition', localize`Alpaca cannot represent tools`)
    const { system, others } = withoutSystem(turns)
    const said = others.filter((turn) => {
      noteNames(turn, losses)
      const hasPlace = turn.role === 'user' || (turn.role === 'assistant' && turn.calls.length === 0)
      if (!hasPlace) noteTurn(turn, losses)
      return hasPlace
    })
    const pairs = pairsOf(said, losses)
    const last = pairs.at(-1)
    return {
      ...withoutColumns(side, losses, ['history']),
      ...(system !== undefined && { system }),
      instruction: last?.[0] ?? '',
      input: '',
      output: last?.[1] ?? '',
      ...(pairs.length > 1 && { history: pairs.slice(0, -1) }),
    }
  },
})

/** Questions with their answers; those of one side in a row become one text. */
function pairsOf(turns: readonly Turn[], losses: LossList): readonly (readonly [string, string])[] {
  const pairs: [string, string][] = []
  for (const turn of joined(turns, losses)) {
    const last = pairs.at(-1)
    if (turn.role === 'user') pairs.push([turn.text ?? '', ''])
    else if (last) last[1] = notedTaggedText(turn, losses)
    else pairs.push(['', notedTaggedText(turn, losses)])
  }
  return pairs
}

/**
 * `turns` with those of one side in a row as one. Their reasoning comes first: tags after a text that begins a code block, or announces
 * reasoning of its own, would not hide it.
 */
function joined(
  turns: readonly Turn[],
  losses: LossList,
): readonly Pick<Turn, 'role' | 'reasoning' | 'text'>[] {
  const runs: Pick<Turn, 'role' | 'reasoning' | 'text'>[] = []
  for (const turn of turns) {
    const last = runs.at(-1)
    if (turn.role !== last?.role) {
      runs.push(turn)
      continue
    }
    losses.add('message-boundary', localize`Consecutive messages with the same role become one text`)
    runs[runs.length - 1] = {
      role: turn.role,
      reasoning: inLines(last.reasoning, turn.reasoning),
      text: inLines(last.text, turn.text),
    }
  }
  return runs
}

function inLines(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || other === undefined ? (one ?? other) : `${one}\n${other}`
}

function isThere({ root }: Columns, key: string): boolean {
  const value = field(root, key)
  return typeof value === 'string' || Array.isArray(value) || isObject(value)
}
