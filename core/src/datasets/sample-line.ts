/** A sample as a line of JSONL: byte for byte, or in another form. */

import type { Loss } from '../conversation/loss.ts'
import { type Reading, writeConversation } from '../convert/convert.ts'
import type { JsonValue } from '../embedded/yaml-header.ts'
import { formOf, type TargetForm } from '../forms/form-registry.ts'

type Writing = Parameters<typeof writeConversation>[1]

/** The JSON that `bytes` are on one line: JSON has line breaks between its words only, and they go with the indentation after them. */
export function sampleLine(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(10) && !bytes.includes(13)) return bytes
  const line = new Uint8Array(bytes.length)
  let length = 0
  let isIndented = true
  for (const byte of bytes) {
    const isBreak = byte === 10 || byte === 13
    if (isBreak) isIndented = true
    else if (isIndented && (byte === 32 || byte === 9)) continue
    else {
      isIndented = false
      line[length++] = byte
    }
  }
  return line.subarray(0, length)
}

/** A line in another form, and what it does not say. */
export interface ConvertedLine {
  readonly line: string
  readonly losses: readonly Loss[]
}

/** What was read as a line of the form that `writing` names. The fields of `frame`, next to a text, stay. */
export function convertedLine(
  reading: Reading,
  writing: Writing & { readonly to: TargetForm },
  frame: Readonly<Record<string, JsonValue>> | undefined,
): ConvertedLine {
  const { text, losses } = writeConversation(reading, { ...writing, isCompact: true })
  return { line: lineOf(text, writing.to, frame), losses }
}

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

/** The line that has `text`, next to the other fields of `frame`. */
export function textLine(text: string, frame: Readonly<Record<string, JsonValue>> | undefined): string {
  return frame === undefined ? `{"text":${JSON.stringify(text)}}` : JSON.stringify({ ...frame, text })
}
