/** Converts the samples of a dataset: one line each. */
import {
  formOf,
  type HeaderStyle,
  type JsonValue,
  type RenderPurpose,
  type TargetForm,
  writeConversation,
} from '../../../core/src/internal.ts'
import type { Doing, Work } from '../parallel/work.ts'
import { type SampleResults, type SampleSetup, type ShownStretch, sampleWork } from './sample-results.ts'

/** How samples are converted. */
export interface ConvertSetup extends SampleSetup {
  readonly to: TargetForm
  readonly purpose: RenderPurpose | undefined
  readonly dropsReasoning: boolean
  readonly headers: HeaderStyle
}

/** A stretch becomes lines. */
export type ConvertWork = Work<ConvertSetup, ShownStretch, SampleResults>

/** Converts stretches. */
export function convertWork(setup: ConvertSetup): Doing<ConvertWork> {
  const { to, purpose, dropsReasoning, headers } = setup
  const writing = { to, purpose, dropsReasoning, headers, isCompact: true }
  return sampleWork(setup, 'all', ({ sample: { frame } }, _where, collector) => {
    const result = writeConversation(collector.read(), writing)
    collector.lose(result.losses)
    collector.print(lineOf(result.text, to, frame))
    collector.print('\n')
  })
}

/** A text stands in an object; what stood beside the text of the line stays on the line. */
function lineOf(
  text: string,
  to: TargetForm,
  frame: Readonly<Record<string, JsonValue>> | undefined,
): string {
  if (formOf(to).holds === 'text') return textLine(text, frame)
  if (frame === undefined) return text
  const { text: _text, ...rest } = frame
  const keys = Object.keys(rest)
  if (keys.length === 0) return text
  const mayCollide = !text.startsWith('{"') || keys.some((key) => text.includes(`${JSON.stringify(key)}:`))
  if (mayCollide) return JSON.stringify({ ...rest, ...JSON.parse(text) })
  return `${JSON.stringify(rest).slice(0, -1)},${text.slice(1)}`
}

/** The line that has `text`, beside the other fields of `frame`. */
export function textLine(text: string, frame: Readonly<Record<string, JsonValue>> | undefined): string {
  return frame === undefined ? `{"text":${JSON.stringify(text)}}` : JSON.stringify({ ...frame, text })
}
