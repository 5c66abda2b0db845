/** The type of a value, written as Harmony writes types of tools: where a tool is declared from one of its calls. */
import { keyText } from './tool-schema-text.ts'

const deepest = 6 // levels of nesting that are spelled out
const membersAtMost = 100

/** The type of `value`, which comes from `JSON.parse`; objects on several lines. */
export function typeOfValue(value: unknown, depth = 0): string {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    default:
      if (value === null) return 'any'
      return Array.isArray(value) ? typeOfArray(value, depth) : typeOfObject(value as object, depth)
  }
}

function typeOfArray(items: readonly unknown[], depth: number): string {
  if (depth >= deepest) return 'Array<any>'
  const types = new Set(items.slice(0, membersAtMost).map((it) => typeOfValue(it, depth + 1)))
  const [only] = types
  return types.size === 1 && only !== undefined && !only.includes('|') ? `${only}[]` : 'Array<any>'
}

function typeOfObject(value: object, depth: number): string {
  const members = Object.entries(value).slice(0, membersAtMost)
  if (members.length === 0) return '{}'
  if (depth >= deepest) return 'object'
  const indent = '    '.repeat(depth)
  const lines = members.map(
    ([name, member]) => `${indent}${keyText(name)}: ${typeOfValue(member, depth + 1)},`,
  )
  return `{\n${lines.join('\n')}\n${indent}}`
}
