/** Reads samples whose columns a user has named (F4). */

import type { Conversation } from '../../conversation/conversation.ts'
import { isEmpty, objectIn } from '../../conversation/json-input.ts'
import { field, isObject } from '../../embedded/json-value.ts'
import type { JsonObject, JsonValue } from '../../embedded/yaml-header.ts'
import { localize } from '../../text/localize.ts'
import type { DatasetMapping } from '../../vocabulary/dataset-mapping.ts'
import type { SpokenRole } from '../../vocabulary/role-words.ts'
import type { ReadContext } from '../form.ts'
import { framedColumns, readFramedColumns, readHistory, readPrompt, readResponse } from './prompt.ts'
import { Columns } from './sample-columns.ts'
import { type ItemShape, messageShape } from './sample-reader.ts'

/** The columns that are read where a mapping names none. */
const usualColumns: NonNullable<DatasetMapping['columns']> = {
  prompt: 'instruction',
  query: 'input',
  response: 'output',
  messages: 'conversations',
}

/** The conversation in `value`, read as `mapping` says. @throws ShapeError */
export function readMapped(value: JsonValue, mapping: DatasetMapping, context: ReadContext): Conversation {
  const root = objectIn(value, localize`The document`)
  const { formatting, ranking, columns: names = usualColumns } = mapping
  const columns = new Columns(root, context, {
    ...(names.tools !== undefined && { tools: field(root, names.tools) }),
    ...(names.system !== undefined && { system: names.system }),
  })
  if (names.tools !== undefined) columns.take(names.tools)
  if (formatting === 'alpaca' && readFramedTexts(columns, mapping, names)) return columns.conversation()
  if (formatting === 'alpaca') {
    readHistory(columns, names.history)
    const prompt = [names.prompt, names.query].flatMap((key) => key ?? [])
    if (prompt.length > 1) columns.said('user', prompt, '\n')
    else if (prompt[0] !== undefined) readPrompt(columns, prompt[0])
  } else if (names.messages !== undefined) {
    columns.messages(names.messages, formatting === 'openai' ? messageShape : shapeOf(mapping))
  }
  if (ranking && names.chosen !== undefined && names.rejected !== undefined) {
    const shape = formatting === 'openai' ? messageShape : shapeOf(mapping)
    columns.branches([names.chosen, names.rejected], (name) => readBranch(columns, name, shape))
  } else if (formatting === 'alpaca' && names.response !== undefined && isThere(root, names.response))
    readResponse(columns, names.response)
  return columns.conversation()
}

/** Texts with frames: a column alone, a prompt with its response, or with each branch (F24); false for others. */
function readFramedTexts(
  columns: Columns,
  { ranking }: DatasetMapping,
  { prompt, query, response, chosen, rejected }: NonNullable<DatasetMapping['columns']>,
): boolean {
  const [before, answer] = [prompt, response].map((key) =>
    key !== undefined && isThere(columns.root, key) ? [key] : [],
  ) as [string[], string[]]
  if (query !== undefined && !isEmpty(field(columns.root, query))) return false
  if (!ranking || chosen === undefined || rejected === undefined) {
    const keys = [...before, ...answer]
    return keys.length > 0 && readFramedColumns(columns, keys)
  }
  const branches = [chosen, rejected]
  if (!branches.every((it) => framedColumns(columns, [...before, it]))) return false
  columns.branches(branches, (it) => readFramedColumns(columns, [...before, it]))
  return true
}

/** A branch: a text, or messages in the words of the mapping. */
function readBranch(columns: Columns, name: string, shape: ItemShape): void {
  const value = columns.value(name)
  if (Array.isArray(value)) columns.reader.list(value, shape)
  else if (isObject(value)) columns.reader.item(value, name, { parent: columns.root, key: name }, shape)
  else readResponse(columns, name)
}

function isThere(root: JsonObject, key: string): boolean {
  return (field(root, key) ?? undefined) !== undefined
}

function shapeOf({ tags }: DatasetMapping): ItemShape {
  const words = new Map<string, SpokenRole>([
    [tags.user_tag, 'user'],
    [tags.assistant_tag, 'assistant'],
    [tags.observation_tag, 'tool'],
    [tags.function_tag, 'call'],
    [tags.system_tag, 'system'],
  ])
  return { roles: [tags.role_tag], texts: [tags.content_tag], words }
}
