/** What is wrong with a sample as a model is trained on it: a mask without tokens, a stop token that is not learned, lost text (S16). */
import { isObject } from '../conversation/json-input.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { localize } from '../text/localize.ts'
import type { TemplateSample } from './template-sample.ts'
import type { TrainingView } from './training-view.ts'

/** Something that is wrong. */
export interface TrainingFinding {
  readonly code: 'W-MASK-EMPTY' | 'W-MASK-STOP' | 'W-MASK-PREFIX' | 'W-TEMPLATE-LOST' | 'W-DATA-LENGTH'
  /** One sentence without a final stop. */
  readonly message: string
}

/** The findings in `view`, the rendering of `sample`; without a sample, what it says is not looked for. */
export function trainingFindings(view: TrainingView, sample?: TemplateSample): readonly TrainingFinding[] {
  const findings: TrainingFinding[] = []
  const { nTrained, nCut, unstable, mask, unit } = view
  const isByMessages = mask === 'assistant' || mask === 'last' || mask === 'completion'
  if (nTrained === 0) findings.push({ code: 'W-MASK-EMPTY', message: localize`Nothing is trained` })
  else if (endsBeforeStop(view))
    findings.push({
      code: 'W-MASK-STOP',
      message: localize`The stop token of the last answer is not trained`,
    })
  if (isByMessages && unstable.length > 0) {
    const which = unstable.map((it) => it + 1).join(', ')
    findings.push({
      code: 'W-MASK-PREFIX',
      message: localize`Messages are rendered differently without what follows: ${which}`,
    })
  }
  const lost = sample ? lostMessages(view.text, sample) : []
  if (lost.length > 0) {
    const which = lost.map((it) => it + 1).join(', ')
    findings.push({
      code: 'W-TEMPLATE-LOST',
      message: localize`Text or calls of these messages are not in the rendering: ${which}`,
    })
  }
  if (nCut > 0) {
    const count = nCut.toLocaleString('en')
    const message =
      unit === 'tokens'
        ? localize`${count} tokens are beyond the maximal length`
        : localize`${count} characters are beyond the maximal length`
    findings.push({ code: 'W-DATA-LENGTH', message })
  }
  return findings
}

/** What ends an answer in the templates of the field: `<|im_end|>`, `</s>`, `<end_of_turn>`, `<｜end▁of▁sentence｜>`. */
const stopAfter = /^\s{0,8}(?:<\|[\w-]{1,40}\|>|<\/s>|<end_of_turn>|<turn\|>|<｜[^｜<>]{1,40}｜>)/
const stopAtEnd = /(?:<\|[\w-]{1,40}\|>|<\/s>|<end_of_turn>|<turn\|>|<｜[^｜<>]{1,40}｜>)\s{0,8}$/
const longestStop = 60 // code units

/** True if the last trained stretch stops right before what would end the answer. */
function endsBeforeStop({ text, trained, nCut }: TrainingView): boolean {
  const last = trained.at(-1)
  if (!last || nCut > 0) return false
  if (stopAtEnd.test(text.slice(Math.max(last.start, last.end - longestStop), last.end))) return false
  return stopAfter.test(text.slice(last.end, last.end + longestStop))
}

/** The messages of which something is missing, by index. */
function lostMessages(text: string, { messages }: TemplateSample): readonly number[] {
  return messages.flatMap((message, index) => (wordsOf(message).every((it) => isIn(text, it)) ? [] : index))
}

/** What a message says that a rendering must have. Reasoning is not: templates drop that of earlier turns on purpose. */
function wordsOf(message: JsonObject): readonly string[] {
  const { content, tool_calls: calls } = message
  const words = textsOf(content).flatMap(outsideThoughts)
  if (Array.isArray(calls))
    for (const call of calls) {
      const called = isObject(call) ? (call as JsonObject).function : undefined
      if (isObject(called) && typeof (called as JsonObject).name === 'string')
        words.push((called as JsonObject).name as string) // it is a string
    }
  return words.map((it) => it.trim()).filter((it) => it !== '')
}

function textsOf(content: JsonValue | undefined): readonly string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part) => {
    const text = isObject(part) ? (part as JsonObject).text : undefined
    return typeof text === 'string' ? text : []
  })
}

function outsideThoughts(text: string): string[] {
  const end = text.lastIndexOf('</think>')
  return [end === -1 ? text : text.slice(end + '</think>'.length)]
}

/** As it is, or as JSON writes it: templates put replies and calls into JSON. */
function isIn(text: string, words: string): boolean {
  return text.includes(words) || text.includes(JSON.stringify(words).slice(1, -1))
}
