/** Commands on messages: where they lead, and what they make of the text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  analyze,
  applyEdits,
  bodyAt,
  bodyRange,
  factsOf,
  hiddenMessages,
  type MessageCommand,
  messageEdit,
  messageRange,
  nextMessage,
  previousMessage,
  Transcript,
} from '../../core/src/internal.ts'
import { propertyRuns, transcriptText } from '../helpers/arbitraries.ts'
import { withCursor } from '../helpers/marked-text.ts'

/** The edit, or undefined for a refusal. */
function doneEdit(result: ReturnType<typeof messageEdit>) {
  return typeof result === 'string' ? undefined : result
}

/** With the cursor at `$0`, `command` makes `after` of `before`; `undefined` if it cannot be done. */
function checkEdit(command: MessageCommand, before: string, after: string | undefined): void {
  const { text, offset } = withCursor(before)
  const result = doneEdit(messageEdit(analyze(Transcript.parse(text)), offset, command))
  const edited = result && applyEdits(text, result.edits)
  assert.equal(edited && `${edited.slice(0, result.cursor)}$0${edited.slice(result.cursor)}`, after)
}

const header = 'version: 2.2\n\n'
const a = '<|start|>user<|message|>a<|end|>'
const b = '<|start|>assistant<|channel|>analysis<|message|>b<|end|>'

test('next and previous message', () => {
  const text = `${header}${a}\n${b}\n`
  const analysis = analyze(Transcript.parse(text))
  const [first, second] = [header.length, header.length + a.length + 1]
  assert.equal(nextMessage(analysis, 0), first)
  assert.equal(nextMessage(analysis, first), second)
  assert.equal(nextMessage(analysis, first + 5), second)
  assert.equal(nextMessage(analysis, second), undefined)
  assert.equal(previousMessage(analysis, text.length), second)
  assert.equal(previousMessage(analysis, second), first)
  assert.equal(previousMessage(analysis, first + 5), first)
  assert.equal(previousMessage(analysis, first), undefined)
})

test('message, body, and the body as meant', () => {
  const { text, offset } = withCursor(
    `${header}<|start|>user<|message|>a <<|e$0nd|> <|literal|>b<|endliteral|><|end|>\n`,
  )
  const analysis = analyze(Transcript.parse(text))
  const message = messageRange(analysis, offset)
  assert.equal(text.slice(message?.start, message?.end), text.slice(header.length, -1))
  const body = bodyRange(analysis, offset)
  assert.equal(text.slice(body?.start, body?.end), 'a <<|end|> <|literal|>b<|endliteral|>')
  assert.equal(bodyAt(analysis, offset), 'a <|end|> b')
  for (const at of [messageRange, bodyRange, bodyAt]) assert.equal(at(analysis, 3), undefined)
})

test('hidden messages', () => {
  const text = `${header}${a}\n${b}\n`
  const analysis = analyze(Transcript.parse(text))
  assert.deepEqual(
    [...hiddenMessages(analysis)].map(({ start, end }) => text.slice(start, end)),
    [b],
  )
})

test('messages move past each other, and the white space stays', () => {
  checkEdit(
    'moveUp',
    `${header}${a}\n\n${b.replace('>b', '>$0b')}\n`,
    `${header}${b.replace('>b', '>$0b')}\n\n${a}\n`,
  )
  checkEdit(
    'moveDown',
    `${header}${a.replace('>a', '>a$0')}\n\n${b}`,
    `${header}${b}\n\n${a.replace('>a', '>a$0')}`,
  )
  checkEdit('moveUp', `${header}$0${a}\n`, undefined)
  checkEdit('moveDown', `${header}${a}\n$0${b}\n`, undefined)
  checkEdit('moveUp', `ver$0sion: 2.2\n${a}\n`, undefined)
})

test('nothing moves past a message that is cut off', () => {
  checkEdit('moveDown', `${header}$0${a}\n<|start|>assistant<|message|>cut`, undefined)
  checkEdit('moveDown', `${header}$0${a}\nstray\n${b}`, undefined)
  checkEdit(
    'moveUp',
    `${header}<|start|>user<|message|>cut\n${b}\n$0<|start|>nobody<|message|>c<|end|>\n`,
    undefined,
  )
})

test('a message is duplicated; a call gets an id of its own', () => {
  checkEdit(
    'duplicate',
    `${header}${a.replace('>a', '>a$0')}\n\n${b}`,
    `${header}${a}\n\n${a.replace('>a', '>a$0')}\n\n${b}`,
  )
  const call = (id: string, cursor = '') =>
    `<|start|>${cursor}assistant to=functions.f call_id=${id}<|channel|>commentary<|constrain|>json<|message|>{}<|call|>`
  checkEdit('duplicate', `${header}${call('c1', '$0')}`, `${header}${call('c1')}\n${call('c2', '$0')}`)
})

test('a message is deleted with the white space behind it', () => {
  checkEdit('delete', `${header}${a.replace('>a', '>$0a')}\n\n${b}\n`, `${header}$0${b}\n`)
  checkEdit('delete', `$0${header}${a}`, undefined)
})

test('text behind a deleted message that belongs to no message stays, if nothing else takes it', () => {
  const marker = '>>>>>>> theirs\n'
  checkEdit('delete', `${header}${a}\n$0${b}\n${marker}${a}\n`, `${header}${a}\n$0${marker}${a}\n`)
  checkEdit('delete', `${header}$0${a}\n${marker}${b}\n`, undefined)
  checkEdit('delete', `${header}<|start|>user<|message|>a\n$0${b}\n${marker}`, undefined)
})

/** As {@link checkEdit}, where a call and its reply are one; `after` may be why it cannot be done. */
function checkUnit(command: MessageCommand, before: string, after: string): void {
  const { text, offset } = withCursor(before)
  const result = messageEdit(analyze(Transcript.parse(text)), offset, command, {
    joinsReplies: true,
  })
  const edited = typeof result === 'string' ? undefined : applyEdits(text, result.edits)
  const cursor = typeof result === 'string' ? 0 : result.cursor
  assert.equal(edited === undefined ? result : `${edited.slice(0, cursor)}$0${edited.slice(cursor)}`, after)
}

test('a call and its reply are one message where both are shown as one', () => {
  const call = (id: string) =>
    `<|start|>assistant to=functions.f call_id=${id}<|channel|>commentary<|message|>{}<|call|>`
  const reply = (id: string) =>
    `<|start|>functions.f to=assistant call_id=${id}<|channel|>commentary<|message|>1<|end|>`
  const one = `${call('c1')}\n${reply('c1')}`
  checkUnit('moveUp', `${header}${a}\n\n$0${one}\n${b}\n`, `${header}$0${one}\n\n${a}\n${b}\n`)
  checkUnit('moveDown', `${header}${a}\n\n$0${one}\n${b}\n`, `${header}${a}\n\n${b}\n$0${one}\n`)
  checkUnit('moveDown', `${header}$0${a}\n\n${one}\n${b}\n`, `${header}${one}\n\n$0${a}\n${b}\n`)
  checkUnit('moveUp', `${header}${one}\n$0${b}\n`, `${header}$0${b}\n${one}\n`)
  checkUnit('delete', `${header}${a}\n$0${one}\n${b}\n`, `${header}${a}\n$0${b}\n`)
  checkUnit(
    'insertBelow',
    `${header}$0${one}\n${b}\n`,
    `${header}${one}\n<|start|>assistant<|channel|>final<|message|>$0<|end|>\n${b}\n`,
  )
  const parallel = `${call('c1')}\n${call('c2')}\n${reply('c1')}\n${reply('c2')}\n`
  for (const command of ['moveUp', 'moveDown', 'insertBelow'] as const)
    checkUnit(command, `${header}${a}\n$0${parallel}${b}\n`, 'apart')
  checkUnit('moveDown', `${header}$0${a}\n${parallel}`, 'apart')
  checkUnit('delete', `${header}$0${parallel}`, `${header}$0${call('c2')}\n${reply('c2')}\n`)
})

test('what cannot be done has a reason', () => {
  checkUnit('moveUp', `${header}$0${a}\n${b}\n`, 'first')
  checkUnit('moveDown', `${header}${a}\n$0${b}\n`, 'last')
  checkUnit('moveDown', `${header}$0${a}\n<|start|>user<|message|>b`, 'incomplete')
  checkUnit('insertBelow', `${header}<|start|>user<|message|>$0b`, 'incomplete')
})

test('a message is split where the cursor is', () => {
  const head = '<|start|>assistant<|channel|>final<|message|>'
  checkEdit(
    'split',
    `${header}${head}one $0two<|return|>\n`,
    `${header}${head}one <|end|>\n${head}$0two<|return|>\n`,
  )
  checkEdit(
    'split',
    '<|im_start|>user\none $0two<|im_end|>\n',
    '<|im_start|>user\none <|im_end|>\n<|im_start|>user\n$0two<|im_end|>\n',
  )
})

test('what makes no sense in halves is not split', () => {
  checkEdit(
    'split',
    `${header}<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|message|>{$0}<|call|>`,
    undefined,
  )
  checkEdit('split', `${header}<|start|>user<|message|>a <|literal|>b$0c<|endliteral|><|end|>`, undefined)
  checkEdit('split', `${header}<|start|>user<|message|>a <<|e$0nd|><|end|>`, undefined)
  checkEdit('split', `${header}<|start|>user<|message|>a <$0 b<|end|>`, undefined)
  checkEdit('split', `${header}<|start|>us$0er<|message|>a<|end|>`, undefined)
})

test('messages with equal headers are joined', () => {
  checkEdit('join', `${header}$0${a}\n${a}\n`, `${header}<|start|>user<|message|>a\n$0a<|end|>\n`)
  checkEdit(
    'join',
    `${header}$0<|start|>user<|message|>a <|end|>${a}`,
    `${header}<|start|>user<|message|>a $0a<|end|>`,
  )
  checkEdit('join', `${header}$0${a}\n${b}\n`, undefined)
  checkEdit('join', `${header}$0${a}\n`, undefined)
})

test('a message is inserted that the other one may answer', () => {
  checkEdit(
    'insertBelow',
    `${header}<|start|>us$0er<|message|>a<|end|>\n${b}\n`,
    `${header}${a}\n<|start|>assistant<|channel|>final<|message|>$0<|end|>\n${b}\n`,
  )
  checkEdit('insertBelow', `${header}${b}$0\n`, `${header}${b}\n<|start|>user<|message|>$0<|end|>\n`)
  checkEdit(
    'insertAbove',
    `${header}${a}\n<|start|>$0assistant<|channel|>analysis<|message|>b<|end|>\n`,
    `${header}${a}\n<|start|>user<|message|>$0<|end|>\n${b}\n`,
  )
  checkEdit('insertBelow', `${header}<|start|>user<|message|>a$0`, undefined)
})

test('a message is inserted as its dialect writes it', () => {
  const [user, assistant] = ['<|im_start|>user\n', '<|im_start|>assistant\n']
  checkEdit(
    'insertBelow',
    `${user}a$0<|im_end|>\n${assistant}b<|im_end|>\n`,
    `${user}a<|im_end|>\n${assistant}$0<|im_end|>\n${assistant}b<|im_end|>\n`,
  )
  checkEdit('insertAbove', `${user}a$0<|im_end|>\n`, `${user}$0<|im_end|>\n${user}a<|im_end|>\n`)
  checkEdit('insertBelow', `${user}a$0`, undefined)
  const harmony = (before: string, after: string) => {
    const { text, offset } = withCursor(before)
    const analysis = analyze(Transcript.parse(text, { dialect: 'harmony' }))
    const edit = doneEdit(messageEdit(analysis, offset, 'insertBelow'))
    assert.equal(edit && applyEdits(text, edit.edits), after)
  }
  const answer = '<|start|>assistant<|channel|>final<|message|><|end|>'
  harmony(`$0${a}${b}`, `${a}${answer}${b}`)
  harmony(`$0${a}\n${b}`, `${a}\n${answer}\n${b}`)
})

test('messages begin lines behind a sequence start or a front matter, whatever is before the first message in its line', () => {
  const [system, user] = ['<|im_start|>system\na<|im_end|>\n', '<|im_start|>user\nb<|im_end|>\n']
  const body = '<|im_start|>user\n$0b<|im_end|>\n'
  checkEdit('insertBelow', `[BOS]$0${system}${user}`, `[BOS]${system}<|im_start|>user\n$0<|im_end|>\n${user}`)
  checkEdit('insertAbove', `[BOS]$0${system}`, `[BOS]<|im_start|>user\n$0<|im_end|>\n${system}`)
  checkEdit('moveUp', `[BOS]${system}${body}`, `[BOS]${body}${system}`)
  checkEdit('duplicate', `[BOS]${system}${body}`, `[BOS]${system}${user}${body}`)
  checkEdit('delete', `[BOS]$0${system}${user}`, `[BOS]$0${user}`)
  checkEdit('split', `[BOS]${body}`, `[BOS]<|im_start|>user\n<|im_end|>\n${body}`)
  const front = '---\nversion: 2.2\n---\ntext '
  checkEdit('insertAbove', `${front}$0${a}`, `${front}<|start|>user<|message|>$0<|end|>\n${a}`)
})

test('no message begins a line where it would make messages part of the preamble', () => {
  const answer = '<|start|>assistant<|channel|>final<|message|>$0<|end|>'
  const [one, two] = ['<|start|>user<|message|>a', '<|start|>user<|message|><|start|> b<|end|>']
  checkEdit('insertBelow', `text $0${a}\n`, `text ${a}${answer}\n`)
  checkEdit('duplicate', `text $0${a}\n`, `text ${a}$0${a}\n`)
  checkEdit('duplicate', `text $0${a} ${b}`, `text ${a} $0${a} ${b}`)
  checkEdit('moveUp', `text ${a} $0${b}\n`, `text $0${b} ${a}\n`)
  checkEdit('delete', `text ${a} $0${b}\n`, `text ${a} $0`)
  checkEdit('split', `text ${one}$0b<|end|>`, `text ${one}<|end|><|start|>user<|message|>$0b<|end|>`)
  checkUnit('join', `text $0${one}<|end|>${two}`, 'preamble')
  checkUnit('moveUp', `--- ${a} $0${b}`, 'preamble')
})

const commands: readonly MessageCommand[] = [
  'moveUp',
  'moveDown',
  'duplicate',
  'delete',
  'split',
  'join',
  'insertAbove',
  'insertBelow',
]
const change: Readonly<Record<MessageCommand, number>> = {
  moveUp: 0,
  moveDown: 0,
  duplicate: 1,
  delete: -1,
  split: 1,
  join: -1,
  insertAbove: 1,
  insertBelow: 1,
}

/** Transcripts whose first message begins a line or not; in some, no message does. */
const beginnings = fc
  .tuple(transcriptText, fc.constantFrom('', '[BOS]', '---\n---\n', 'text '), fc.boolean())
  .map(([text, start, isOneLine]) => {
    const lines = isOneLine ? text.replace(/\s+(?=<\|(?:im_)?start)/g, '') : text
    return start + (start === '' ? lines : lines.replace(/^[^<]*/, ''))
  })

test('commands change the number of messages by what they say, and no other message', () => {
  const bodies = (text: string) =>
    [...Transcript.parse(text).segments()].flatMap(({ segment, start }) =>
      factsOf(segment) ? [bodyAt(analyze(Transcript.parse(text)), start)] : [],
    )
  fc.assert(
    fc.property(beginnings, fc.nat(1000), fc.constantFrom(...commands), (text, at, command) => {
      const offset = Math.round((at / 1000) * text.length)
      const analysis = analyze(Transcript.parse(text))
      const result = messageEdit(analysis, offset, command)
      if (typeof result === 'string') return
      const edited = applyEdits(text, result.edits)
      assert.ok(0 <= result.cursor && result.cursor <= edited.length)
      const [before, after] = [bodies(text), bodies(edited)]
      if (command === 'delete') return // what was cut off before it may end elsewhere now
      assert.equal(after.length, before.length + change[command])
      if (command.startsWith('move')) assert.deepEqual([...after].sort(), [...before].sort())
      if (command === 'split') assert.equal(after.join(''), before.join(''))
    }),
    { numRuns: propertyRuns },
  )
})
