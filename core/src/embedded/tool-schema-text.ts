/** Schemas in the words of other formats: the TypeScript that Harmony shows, sentences, and plain JSON Schema. */

import { inBackticks } from '../text/in-backticks.ts'
import { jsonText } from '../text/json-text.ts'
import { localizable, localize, localized } from '../text/localize.ts'
import { shortened } from '../text/shortened.ts'
import { resolved, type Schema, valuesOf } from './tool-schema.ts'

const longestType = 240 // code units; a signature is read at a glance
const deepest = 6 // levels that a signature shows

/** `schema` as a TypeScript type on one line, shortened where it is long. */
export function typeText(schema: Schema | undefined): string {
  return shortened(typeOf(schema, 0), longestType)
}

function typeOf(schema: Schema | undefined, depth: number): string {
  const target = resolved(schema)
  if (!target) return 'any'
  if (depth > deepest) return '…'
  const { values, anyOf, allOf, types, properties } = target
  if (values)
    return values
      .slice(0, 20)
      .map((it) => JSON.stringify(it))
      .join(' | ')
  if (anyOf)
    return anyOf
      .slice(0, 20)
      .map((it) => typeOf(it, depth + 1))
      .join(' | ')
  if (types) return types.map((type) => namedType(type, target, depth)).join(' | ')
  if (properties?.size) return namedType('object', target, depth)
  return allOf?.length ? typeOf(allOf[0], depth + 1) : 'any'
}

function namedType(type: string, schema: Schema, depth: number): string {
  if (type === 'integer') return 'integer'
  if (type === 'array') {
    const item = schema.items ? typeOf(schema.items, depth + 1) : 'any'
    return / \| /.test(item) ? `(${item})[]` : `${item}[]`
  }
  if (type !== 'object' || !schema.properties?.size) return type
  const members = [...schema.properties.values()]
    .slice(0, 20)
    .map(
      ({ name, isRequired, schema: member }) =>
        `${keyText(name)}${isRequired ? '' : '?'}: ${typeOf(member, depth + 1)}`,
    )
  return `{ ${members.join(', ')} }`
}

/** A property's name as TypeScript writes it. */
export function keyText(name: string): string {
  return /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(name) ? name : jsonText(name)
}

/** What a value of `schema` must be, as the end of a sentence: `` a string ``, `` `"a"` or `"b"` ``. */
export function expectation(schema: Schema | undefined): string {
  const target = resolved(schema)
  const values = valuesOf(target)
  if (values) {
    const shown = values.slice(0, alternativesAtMost).map((it) => code(JSON.stringify(it)))
    return alternatives(shown, values.length)
  }
  if (target?.types) return alternatives(target.types.map(typeInWords))
  if (target?.anyOf) {
    const words = target.anyOf.slice(0, variantsAtMost).map((it) => expectation(it))
    const different = [...new Set(words)]
    return alternatives(different, different.length + target.anyOf.length - words.length)
  }
  return target?.properties ? localize`an object` : localize`something else`
}

const alternativesAtMost = 8 // more than that no one reads; the related place has them all

const variantsAtMost = 100 // of a schema, that are put into words to find those that differ

/** The first of `words`, which may be the beginning of a longer list, as the end of a sentence. */
function alternatives(words: readonly string[], count = words.length): string {
  const shown = words.slice(0, alternativesAtMost)
  if (count > shown.length) return localize`${shown.join(', ')} or ${count - shown.length} others`
  const last = shown.at(-1) ?? localize`nothing`
  return shown.length > 1 ? localize`${shown.slice(0, -1).join(', ')} or ${last}` : last
}

const articles: Readonly<Record<string, string>> = {
  object: localizable`an object`,
  array: localizable`an array`,
  integer: localizable`an integer`,
  string: localizable`a string`,
  number: localizable`a number`,
  boolean: localizable`a boolean`,
  null: '`null`',
}

function typeInWords(type: string): string {
  const words = articles[type]
  return words === undefined ? `a ${type}` : localized(words)
}

const longestValue = 40 // code units of a value that a message repeats

/** A value of the text as a message names it: `` the number `7` ``, `` an object ``. */
export function found(type: string, text: string): string {
  if (type === 'null') return '`null`'
  if (type === 'object' || type === 'array') return typeInWords(type)
  switch (type) {
    case 'string':
      return localize`the string ${code(text)}`
    case 'number':
      return localize`the number ${code(text)}`
    case 'boolean':
      return localize`the boolean ${code(text)}`
    default:
      return localize`the ${type} ${code(text)}`
  }
}

function code(text: string): string {
  const line = text.slice(0, longestValue + 1).replace(/\s+/g, ' ')
  return inBackticks(text.length > longestValue ? `${line.slice(0, longestValue)}…` : line)
}
