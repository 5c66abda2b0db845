/**
 * Writes the data of a header as YAML. Every scalar is JSON, which YAML can read, unless it is plainly a word. The library `yaml`
 * takes 45 µs for a header of two keys, several times what a sample takes: see the rows "Check JSONL" of `npm run bench`.
 */
import { isObject } from '../embedded/json-value.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { perValue } from '../text/memo.ts'

/** The YAML of a mapping: nested mappings in blocks, lists and everything below {@link blockDepth} in flow style. */
export const yamlText = perValue((mapping: JsonObject): string => blockOf(mapping, 0))

const blockDepth = 4 // deeper data is for programs, and flow style keeps it short

function blockOf(mapping: JsonObject, depth: number): string {
  let text = ''
  const indent = '  '.repeat(depth)
  for (const [key, value] of Object.entries(mapping)) {
    if (value === undefined) continue
    const isBlock = isObject(value) && depth < blockDepth && Object.keys(value).length > 0
    text += `${indent}${word(key)}:`
    text += isBlock ? `\n${blockOf(value, depth + 1)}` : ` ${scalarOf(value)}\n`
  }
  return text
}

const plainWord = /^[A-Za-z][\w.-]*$/
const notAString = /^(?:null|true|false|yes|no|on|off|y|n)$/i

function word(text: string): string {
  return plainWord.test(text) && !notAString.test(text) ? text : JSON.stringify(text)
}

function scalarOf(value: JsonValue): string {
  if (typeof value === 'string') return word(value)
  return JSON.stringify(value)
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
    .replaceAll('\u0085', '\\u0085')
}
