/** Conversations that JSON holds as a text in a field. */
import type { JsonPlace } from '../conversation/conversation.ts'
import { field, isEmpty, isObject } from '../conversation/json-input.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { fittingForm } from './form-registry.ts'

/** The keys that such a text is under. */
export const textKeys: ReadonlySet<string> = new Set(['text', 'segments'])

/** Keys that nothing but messages may be under (F6). */
const refusedKeys = ['messages', 'conversations', 'conversation', 'input']

/** A conversation that a sample holds as text. */
export interface HeldText {
  readonly text: string
  /** Where it is: in the field `text`, or in a piece for each of `segments`, which say what is trained. */
  readonly pieces: readonly JsonPlace[]
}

/** The conversation of a sample that holds it as text, in `text` or `segments`; undefined for one that holds messages (F6, F24). */
export function sampleText(value: JsonValue): HeldText | undefined {
  if (!isObject(value) || refusedKeys.some((key) => !isEmpty(field(value, key)))) return undefined
  const found = typeof field(value, 'text') === 'string' ? textIn(value) : segmentsIn(value)
  return found && fittingForm(value) === undefined ? found : undefined
}

function textIn(value: JsonObject): HeldText {
  return { text: String(value.text), pieces: [{ parent: value, key: 'text' }] }
}

/** Texts that are joined: each of an object with `text`, or a string. */
function segmentsIn(value: JsonObject): HeldText | undefined {
  const list = field(value, 'segments')
  if (!Array.isArray(list) || list.length === 0) return undefined
  const segments: readonly JsonValue[] = list
  const pieces: JsonPlace[] = []
  let text = ''
  for (const [index, it] of segments.entries()) {
    const piece = isObject(it) ? field(it, 'text') : it
    if (typeof piece !== 'string') return undefined
    text += piece
    pieces.push(isObject(it) ? { parent: it, key: 'text' } : { parent: segments, key: index })
  }
  return { text, pieces }
}

/** The texts of the pieces of `text`. */
export function textsOf({ pieces }: HeldText): readonly string[] {
  return pieces.map(({ parent, key }) => String((parent as JsonObject)[key])) // of which each is a string
}
