/** What a case may say: the inputs as keys of the header's schema, for proposals and explanations. */
import type { HeaderSchema, HeaderType, HeaderWord } from '../embedded/header-schema.ts'
import { markdownCode } from '../text/backticks.ts'
import { localize } from '../text/localize.ts'
import { perValue } from '../text/memo.ts'
import { casesKey, type Input, type InputType, inputsKey } from './inputs.ts'
import { plain } from './tool-text.ts'

const section = '2.2 §2'
/** Of an input without a type; only truth values are proposed by their type alone, which would be too much here. */
const anyType: readonly HeaderType[] = ['string', 'number', 'array', 'object']
const types: Readonly<Record<InputType, HeaderType>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  array: 'array',
  object: 'object',
}

/** Cases by name, each with values for `inputs`: what a file of cases is, and the key `cases` of a header. */
export const caseSchema = perValue(
  (inputs: readonly Input[]): HeaderSchema => ({
    type: 'object',
    description: localize`Sets of values for \`inputs\`, by name`,
    section,
    additionalProperties: {
      type: 'object',
      description: localize`The values of one case, by the names of inputs`,
      section,
      properties: Object.fromEntries(inputs.map((input) => [input.name, valueSchema(input)])),
    },
  }),
)

function valueSchema({ name, type, description, values, default: initial }: Input): HeaderSchema {
  const words = values?.flatMap((value): readonly HeaderWord[] =>
    typeof value === 'string' ? [{ name: value, summary: '' }] : [],
  )
  return {
    type: type ? types[type] : words && words.length > 0 ? 'string' : anyType,
    description: description === undefined ? localize`The input ${markdownCode(name)}` : plain(description),
    section,
    ...(words && words.length > 0 && { words }),
    ...(typeof initial === 'string' && { default: initial }),
  }
}

/** `schema` with what cases of a header with `inputs`, and the defaults of these, may say. */
export function withCaseSchema(schema: HeaderSchema, inputs: readonly Input[] | undefined): HeaderSchema {
  if (!inputs || !schema.properties) return schema
  const { [inputsKey]: declarations, ...others } = schema.properties
  const declared = declarations && { [inputsKey]: withDefaults(declarations, inputs) }
  return { ...schema, properties: { ...others, ...declared, [casesKey]: caseSchema(inputs) } }
}

function withDefaults(schema: HeaderSchema, inputs: readonly Input[]): HeaderSchema {
  const { additionalProperties: input } = schema
  const initial = input?.properties?.default
  if (!input || !initial) return schema
  const declared = inputs.map((it) => {
    const { type, words } = valueSchema(it)
    const own: HeaderSchema = { ...initial, type, ...(words && { words }) }
    return [it.name, { ...input, properties: { ...input.properties, default: own } }]
  })
  return { ...schema, declaredProperties: Object.fromEntries(declared) }
}
