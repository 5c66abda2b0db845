/** Lists of messages for authors show hidden messages as such, and nothing hidden of messages that users see. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  analyze,
  channelHints,
  completions,
  folds,
  hierarchyItemAt,
  hover,
  inlayHints,
  outgoingCalls,
  outlineBlocks,
  Transcript,
  toolLenses,
  workspaceSymbols,
} from '../../core/src/internal.ts'

const secret = /SECRET/

/** Bodies of which users see something, and not the word. */
const partlyHidden = [
  '<|start_reason|>SECRET<|end_reason|>Hi',
  'Hi<|start_reflect|># SECRET',
  'Hi\n\n<|start_reason|>\n# SECRET\n<|end_reason|>\n# More\n',
  '<|start_reason|>a<|start_reason|>b<|end_reason|># SECRET<|end_reason|>Hi',
  `Hi ${'word '.repeat(10)}<|start_introspect|>SECRET`,
]

const hiddenBodies = [
  'SECRET',
  '# SECRET\n\ntext',
  '{"SECRET":["SECRET"]}',
  '<!-- #region SECRET -->\nx\n<!-- #endregion -->',
]

const hiddenHeaders = [
  'system',
  'developer',
  'assistant<|channel|>analysis',
  'assistant Analysis',
  'assistant to=functions.f call_id=c1<|channel|>commentary',
  'tool name=functions.f call_id=c1 to=assistant<|channel|>commentary',
]

/** A transcript in every dialect that has the message, between two of the user. */
function transcripts(role: string, body: string): readonly string[] {
  const user = '<|start|>user<|message|>Hi<|end|>\n'
  const message = `<|start|>${role}<|message|>${body}<|end|>\n`
  const [word = ''] = role.split(/[ <]/)
  return [
    `version: 2.2\n${user}${message}${user}`,
    `version: 2.0\n${user}${message}${user}`,
    `${message}${user}`,
    `<|im_start|>user\nHi<|im_end|>\n<|im_start|>${word}\n${body}<|im_end|>\n`,
  ]
}

test('the outline and the turns of messages that users see have no blocks of thought', () => {
  for (const body of partlyHidden) {
    for (const role of ['user', 'assistant', 'assistant<|channel|>final']) {
      for (const text of transcripts(role, body)) {
        const analysis = analyze(Transcript.parse(text))
        for (const scope of ['messages', 'visible', 'turns'] as const)
          for (const { item, parts } of outlineBlocks(analysis, scope))
            assert.doesNotMatch(JSON.stringify([item, parts()]), secret, `${scope}: ${text}`)
        const turn = hierarchyItemAt(analysis, text.indexOf('Hi'))
        assert.doesNotMatch(JSON.stringify(turn ?? ''), secret, text)
      }
    }
  }
})

test('hidden messages are in the outline of all messages only, and marked', () => {
  for (const body of hiddenBodies) {
    for (const header of hiddenHeaders) {
      const [text = ''] = transcripts(header, body)
      const analysis = analyze(Transcript.parse(text))
      for (const scope of ['visible', 'turns'] as const)
        for (const { item, parts } of outlineBlocks(analysis, scope))
          assert.doesNotMatch(JSON.stringify([item, parts()]), secret, `${scope}: ${text}`)
      const marked = [...outlineBlocks(analysis, 'messages')].filter(({ item }) => secret.test(item.name))
      for (const { item } of marked) assert.match(item.detail, /hidden$/, text)
    }
  }
})

test('what is shown beside the text, or about another place, has nothing of a hidden body', () => {
  for (const body of [...hiddenBodies, ...partlyHidden]) {
    for (const header of ['system', 'assistant<|channel|>analysis']) {
      for (const text of transcripts(header, body)) {
        const analysis = analyze(Transcript.parse(text))
        const whole = { start: 0, end: text.length }
        const turn = hierarchyItemAt(analysis, text.indexOf('Hi'))
        const shown = [
          ...[...inlayHints(analysis, whole)].map(({ label }) => label),
          ...[...channelHints(analysis, whole)].map(({ label }) => label),
          ...[...toolLenses(analysis)].map(({ title }) => title),
          ...[...workspaceSymbols(analysis, '')].map(({ name }) => name),
          ...[...folds(analysis)].map((fold) => JSON.stringify(fold)),
          ...(turn ? outgoingCalls(analysis, turn).map(({ item }) => JSON.stringify(item)) : []),
        ]
        assert.doesNotMatch(shown.join('\n'), secret, text)
        for (let offset = 0; offset <= text.length; offset++) {
          assert.doesNotMatch(hover(analysis, offset)?.markdown ?? '', secret, `${offset} of ${text}`)
          assert.doesNotMatch(JSON.stringify(completions(analysis, offset)), secret, `${offset} of ${text}`)
        }
      }
    }
  }
})
