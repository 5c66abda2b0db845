/** Which messages and definitions of tools of a sample a rendering does not have. */
import { isObject } from '../conversation/json-input.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { inexactText } from '../forms/json-source/inexact-json.ts'
import { changedNumbers } from '../forms/json-source/rounded-numbers.ts'
import { placeOfText } from '../text/text-place.ts'
import type { TemplateSample } from './template-sample.ts'

/** Code units of a rendering that are searched for what is not where it is expected; beyond it, nothing is reported. */
const mostSearched = 100_000_000

/** The messages of which something is missing, by index. */
export function lostMessages(text: string, { messages }: TemplateSample): readonly number[] {
  let at = 0 // most messages are after the one before
  let left = Math.max(mostSearched, 20 * text.length)
  const isFound = (words: string) => {
    const found = placeOf(text, words, at)
    left -= found === -1 ? 2 * text.length : found < at ? text.length + found - at : found - at
    if (found !== -1) at = found + words.length
    return found !== -1
  }
  const lost: number[] = []
  for (const [index, message] of messages.entries()) {
    if (left < 0) break
    if (!wordsOf(message).every(isFound)) lost.push(index)
  }
  return lost
}

/** The tools whose definitions are missing or incomplete, by name. */
export function lostTools(text: string, { context: { tools } }: TemplateSample): readonly string[] {
  if (!Array.isArray(tools)) return []
  const lost: string[] = []
  let left = Math.max(mostSearched, 20 * text.length)
  for (const tool of tools) {
    left -= 2 * text.length
    if (left < 0) break
    const definition = isObject(tool) ? ((tool as JsonObject).function ?? tool) : undefined
    if (!isObject(definition)) continue
    const { name, description } = definition as JsonObject
    if (typeof name !== 'string' || name === '') continue
    // Calls have the name, too, so that it does not show that the definition is there.
    const words = typeof description === 'string' ? longestPlainRun(description) : ''
    if (placeOfText(text, name) === -1 || placeOfText(text, words) === -1) lost.push(name)
  }
  return lost
}

/** The part of a description that every notation writes as it is: JSON, comments, and lists. */
function longestPlainRun(description: string): string {
  let longest = ''
  for (const [run] of description.matchAll(/[\w ]+/g))
    if (run.trim().length > longest.length) longest = run.trim()
  return longest
}

/** What a message says that a rendering must have. Reasoning is not: templates drop that of earlier turns on purpose. */
export function wordsOf(message: JsonObject): readonly string[] {
  const { content, tool_calls: calls } = message
  const words = textsOf(content).map(outsideThoughts)
  if (Array.isArray(calls))
    for (const call of calls) {
      const called = isObject(call) ? (call as JsonObject).function : undefined
      if (!isObject(called)) continue
      const { name, arguments: input } = called as JsonObject
      if (typeof name === 'string') words.push(name)
      words.push(...numbersOnlyIn(inexactText(input ?? null), input))
    }
  return words.map((it) => it.trim()).filter((it) => it !== '')
}

/** Numbers of `text` that `value`, which was parsed of it, has as other ones, so that templates don't get them. */
function numbersOnlyIn(text: string | undefined, value: JsonValue | undefined): readonly string[] {
  if (text === undefined) return []
  return [...changedNumbers(text, value ?? null)].map(({ start, end }) => text.slice(start, end))
}

function textsOf(content: JsonValue | undefined): readonly string[] {
  if (typeof content === 'string') return [content]
  if (!Array.isArray(content)) return []
  return content.flatMap((part) => {
    const text = isObject(part) ? (part as JsonObject).text : undefined
    return typeof text === 'string' ? text : []
  })
}

function outsideThoughts(text: string): string {
  if (!text.includes('</think>')) return text // forwards, the engine searches several times as fast
  return text.slice(text.lastIndexOf('</think>') + '</think>'.length)
}

/** As it is, or as JSON writes it: templates put replies and calls into JSON. */
function placeOf(text: string, words: string, from: number): number {
  const found = firstPlaceOf(text, words, from)
  if (found !== -1) return found
  const json = JSON.stringify(words).slice(1, -1)
  return json === words ? -1 : firstPlaceOf(text, json, from)
}

/** Behind `from` if it is there, else anywhere. */
function firstPlaceOf(text: string, words: string, from: number): number {
  const found = placeOfText(text, words, from)
  return found === -1 && from > 0 ? placeOfText(text, words) : found
}
