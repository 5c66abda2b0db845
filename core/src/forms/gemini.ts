/** Gemini: contents with parts, in camel case or in snake case. */

import type { JsonPlace } from '../conversation/conversation.ts'
import {
  field,
  isEmpty,
  isObject,
  noteUnknownFields,
  objectAt,
  objectIn,
  textField,
} from '../conversation/json-input.ts'
import type { LossList } from '../conversation/loss.ts'
import { toolOf } from '../embedded/request-tools.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localizable, localize } from '../text/localize.ts'
import { spokenRole } from '../vocabulary/role-words.ts'
import { defineForm, type ReadContext } from './form.ts'
import { noteInexactJson } from './json-source/inexact-json.ts'
import type { Piece } from './samples/piece-reader.ts'
import { withoutColumns } from './samples/prompt.ts'
import { Columns } from './samples/sample-columns.ts'
import { inputValue, noteName, noteTurn, type Turn, turnsOf, withoutInstructions } from './samples/turns.ts'

/** Columns besides `contents` that are read as messages. */
const ownColumns = ['systemInstruction', 'system_instruction', 'candidates']

/** The form. */
export const gemini = defineForm({
  name: 'gemini',
  title: 'Gemini',
  summary: localizable`A request with contents and parts`,
  documentation: '`contents` with `parts`, `systemInstruction`, and `candidates`',
  language: 'json',
  holds: 'json',
  lists: ['contents'],
  ownKeys: ownColumns,
  recognizedBy: {
    contents: (sample) =>
      Array.isArray(sample.at('contents')) ||
      isObject(sample.at('systemInstruction')) ||
      isObject(sample.at('system_instruction')) ||
      Array.isArray(sample.at('candidates')),
  },
  read(value, context) {
    const root = objectIn(value, localize`The document`)
    const columns = new Columns(root, context)
    for (const key of ['systemInstruction', 'system_instruction']) {
      const instruction = columns.value(key)
      if (isObject(instruction)) readContent(instruction, { parent: root, key }, 'system', columns, context)
      else if (instruction !== undefined) columns.said('system', [key])
    }
    const contents = columns.list('contents') ?? []
    for (let index = 0; index < contents.length; index++) {
      const content = objectAt(contents, index, localize`Content ${index + 1}`)
      const word = textField(content, 'role', localize`Content ${index + 1}`)
      const role = word === undefined ? 'user' : (spokenRole(word) ?? word)
      readContent(content, { parent: contents, key: index }, role, columns, context)
    }
    readCandidates(columns, context)
    return columns.conversation()
  },
  write(conversation, { losses }) {
    const { side, tools, turns } = turnsOf(conversation, losses, { answers: true, replies: false })
    const { instructions, others } = withoutInstructions(turns, losses)
    const contents: { role: string; parts: JsonValue[] }[] = []
    for (const turn of others) {
      const { role } = turn
      noteName(turn, losses)
      if (role === 'system' || role === 'developer') {
        noteTurn(turn, losses)
        continue
      }
      const own = role === 'assistant' ? 'model' : 'user'
      contents.push({ role: own, parts: [...partsOf(turn, losses)] })
    }
    return {
      ...withoutColumns(side, losses, ownColumns),
      ...(instructions !== undefined && { systemInstruction: { parts: [{ text: instructions }] } }),
      ...(tools && { tools: [{ functionDeclarations: tools.map((it) => toolOf(it, 'function') ?? it) }] }),
      contents,
    }
  },
})

function partsOf(turn: Turn, losses: LossList): readonly JsonValue[] {
  const { role, reasoning, text, calls, callId, tool } = turn
  const id = (it: string | undefined) => (it === undefined || it === '' ? {} : { id: it })
  if (role === 'tool')
    return [
      {
        functionResponse: {
          ...id(callId),
          name: tool ?? 'unknown',
          response: responseOf(text ?? '', losses),
        },
      },
    ]
  return [
    ...(reasoning === undefined ? [] : [{ text: reasoning, thought: true }]),
    ...(text === undefined || (text === '' && calls.length > 0) ? [] : [{ text }]),
    ...calls.map((call) => ({
      functionCall: { ...id(call.id), name: call.name, args: inputValue(call, losses) },
    })),
  ]
}

/** An object, as the API asks for: the one that `text` is the JSON of, or one with the text. */
function responseOf(text: string, losses: LossList): JsonObject {
  try {
    const value = JSON.parse(text) as JsonValue // what JSON.parse gives is a JSON value
    if (isObject(value)) {
      noteInexactJson(text, value, losses)
      return value
    }
  } catch {
    // It is not JSON.
  }
  losses.add('content-part', localize`A reply that is not a JSON object becomes the field \`output\` of one`)
  return { output: text }
}

const candidateFields: ReadonlySet<string> = new Set(['index', 'content'])

function readCandidates(columns: Columns, context: ReadContext): void {
  const candidates = columns.list('candidates') ?? []
  const read = (index: number) => {
    const where = localize`Candidate ${index + 1}`
    const candidate = objectAt(candidates, index, where)
    const content = field(candidate, 'content')
    if (context.rest !== 'source') noteUnknownFields(candidate, candidateFields, where, context.losses)
    if (isObject(content))
      readContent(content, { parent: candidates, key: index }, 'assistant', columns, context)
  }
  if (candidates.length < 2) {
    if (candidates.length === 1) read(0)
    return
  }
  columns.elements('candidates', candidates, read)
}

function readContent(
  content: JsonObject,
  item: JsonPlace,
  role: string,
  columns: Columns,
  { losses, rest }: ReadContext,
): void {
  const { reader } = columns
  const first = reader.messages.length
  reader.element(item, losses.places?.of(content))
  readParts(content, role, columns, { losses, rest })
  reader.keepSide(content, ['parts'], first)
}

function readParts(
  content: JsonObject,
  role: string,
  columns: Columns,
  { losses, rest }: Pick<ReadContext, 'losses' | 'rest'>,
): void {
  const { reader } = columns
  const value = field(content, 'parts')
  if (typeof value === 'string') {
    reader.say(role, reader.content(value, content, 'parts', role), { item: content })
    return
  }
  const parts: readonly JsonValue[] = Array.isArray(value) ? value : isObject(value) ? [value] : []
  const pieces = parts.flatMap((part, index) => {
    if (rest !== 'source' && isObject(part)) noteUnknownFields(part, partFields, localize`A part`, losses)
    return readPart(parts, index, role, columns, { losses })
  })
  reader.say(role, pieces, { item: content })
}

/** Keys that parts are read from; media are not read. */
const partFields: ReadonlySet<string> = new Set(
  [
    'text thought functionCall function_call functionResponse function_response executableCode executable_code',
    'codeExecutionResult code_execution_result inlineData inline_data fileData file_data',
  ].flatMap((it) => it.split(' ')),
)

function readPart(
  parts: readonly JsonValue[],
  index: number,
  role: string,
  { reader }: Columns,
  { losses }: Pick<ReadContext, 'losses'>,
): readonly Piece[] {
  const unit = { parent: parts, key: index }
  const given = parts[index]
  if (typeof given === 'string') return reader.text(given, unit, role, unit)
  const part = objectAt(parts, index, localize`A part`)
  const at = (camel: string, snake: string) => field(part, camel) ?? field(part, snake)
  const text = field(part, 'text')
  if (typeof text === 'string' && text !== '') {
    const place = { parent: part, key: 'text' }
    if (isThought(field(part, 'thought'))) return [{ kind: 'analysis', text, words: [place], unit }]
    return reader.text(text, place, role, unit)
  }
  const call = at('functionCall', 'function_call')
  if (isObject(call)) {
    const { id, name } = namesIn(call)
    reader.leaveFields(call)
    return [reader.callPiece(call, 'args', { id, name, unit })]
  }
  const reply = at('functionResponse', 'function_response')
  if (isObject(reply)) {
    const { id, name } = namesIn(reply)
    reader.leaveFields(reply)
    return [reader.replyPiece(reply, 'response', id, unit, name)]
  }
  const code = at('executableCode', 'executable_code')
  if (isObject(code)) return [reader.callPiece(code, 'code', { id: undefined, name: 'python', unit })]
  const result = at('codeExecutionResult', 'code_execution_result')
  if (isObject(result)) return [reader.replyPiece(result, 'output', undefined, unit, 'python')]
  const isMedia = at('inlineData', 'inline_data') ?? at('fileData', 'file_data')
  if (isMedia === undefined && Object.keys(part).length > 0)
    losses.addAt('content-part', localize`A part without text is left out`, parts, index)
  return []
}

/** True for what says that a part is a thought, also in a column of text or numbers; in doubt, it is. */
function isThought(value: JsonValue | undefined): boolean {
  return !(isEmpty(value) || value === false || value === 0 || value === 'false' || value === 'False')
}

function namesIn(it: JsonObject): { readonly id: string | undefined; readonly name: string | undefined } {
  const where = localize`A part`
  return { id: textField(it, 'id', where), name: textField(it, 'name', where) }
}
