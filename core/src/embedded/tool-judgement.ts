/**
 * Whether the arguments of a call fit what a definition says, and what is wrong with those that do not (D19). Of a definition
 * in JSON, the library decides by the schema as it is written; our own reading of it finds the place and the words.
 */
import { localizable, localize, localized } from '../text/localize.ts'
import { perValue } from '../text/memo.ts'
import type { JsonNode } from './json-tree.ts'
import { hasOwnVocabulary, type SchemaError, type SchemaLibrary, schemaLibrary } from './schema-library.ts'
import { argumentsSchema, deadlineName, declaresDeadline, takesOthers } from './tool-arguments.ts'
import type { ToolDefinition } from './tool-definition.ts'
import { mismatchAt, type SchemaMismatch, schemaMismatches } from './tool-mismatch.ts'
import type { Schema } from './tool-schema.ts'
import { validatorOf } from './tool-validator.ts'

/** Judges the arguments of calls of one tool. */
export interface ToolJudge {
  /** True if the arguments may be something else than an object. */
  readonly takesOthers: boolean
  /** True if there is nothing to say of `value`, which is as `JSON.parse` gives it. */
  fits(value: unknown): boolean
  /** What is wrong with the arguments at `root` in `text`, in order of the text; empty if nothing is. */
  mismatches(root: JsonNode, text: string): readonly SchemaMismatch[]
}

/** The judge of a definition's calls; undefined if it does not tell what fits. */
export const toolJudge = perValue((definition: ToolDefinition): ToolJudge | undefined => {
  const schema = argumentsSchema(definition)
  if (!schema) return undefined
  const { parameters } = definition
  const written = parameters.kind === 'schema' ? parameters.written : undefined
  if (written && hasOwnVocabulary(written.schema)) return undefined
  const library = written && schemaLibrary(written)
  return library ? new ExactJudge(definition, schema, library) : new OwnJudge(definition, schema)
})

/** By our own reading alone: of TypeScript it is all there is. */
class OwnJudge implements ToolJudge {
  readonly takesOthers: boolean
  readonly fits: ToolJudge['fits']
  readonly #schema: Schema

  constructor(definition: ToolDefinition, schema: Schema) {
    this.takesOthers = takesOthers(definition)
    this.#schema = schema
    this.fits = validatorOf(schema)
  }

  mismatches(root: JsonNode, text: string): readonly SchemaMismatch[] {
    return schemaMismatches(root, this.#schema, text)
  }
}

class ExactJudge implements ToolJudge {
  readonly takesOthers: boolean
  readonly fits: ToolJudge['fits']
  readonly #schema: Schema
  readonly #library: SchemaLibrary
  readonly #takesDeadline: boolean

  constructor(definition: ToolDefinition, schema: Schema, library: SchemaLibrary) {
    this.takesOthers = takesOthers(definition)
    this.#schema = schema
    this.#library = library
    this.#takesDeadline = declaresDeadline(definition)
    const fitsOwn = validatorOf(schema)
    this.fits = library.isPlain
      ? fitsOwn
      : (value) => fitsOwn(value) && library.decide(this.#withoutDeadline(value)) !== 'invalid'
  }

  mismatches(root: JsonNode, text: string): readonly SchemaMismatch[] {
    const found = schemaMismatches(root, this.#schema, text)
    const value = JSON.parse(text.slice(root.offset, root.offset + root.length)) as unknown
    const verdict = this.#library.explain(this.#withoutDeadline(value))
    switch (verdict.kind) {
      case 'unknown':
        return found
      case 'valid':
        // Nothing is wrong; what the schema does not speak of is worth a word (D19).
        return found.filter(
          (it) =>
            this.#isAboutDeadline(it) || (it.kind === 'unexpected' && it.schema.additional === undefined),
        )
      case 'invalid': {
        const { errors } = verdict
        const places = new Set(errors.map(({ path }) => placeOf(path)))
        const agreed = found.filter(
          (it) => it.kind === 'unexpected' || this.#isAboutDeadline(it) || places.has(placeOf(it.path)),
        )
        const explains = (it: SchemaMismatch) =>
          !this.#isAboutDeadline(it) && (it.kind !== 'unexpected' || it.schema.additional === false)
        return agreed.some(explains) ? agreed : [mismatchOf(errors, root, text), ...agreed]
      }
      default:
        return verdict satisfies never
    }
  }

  #isAboutDeadline({ path, kind, names }: SchemaMismatch): boolean {
    if (this.#takesDeadline) return false
    return (
      path[0] === deadlineName || (path.length === 0 && kind === 'unexpected' && names[0] === deadlineName)
    )
  }

  /** Every tool takes a deadline, whatever its schema says. */
  #withoutDeadline(value: unknown): unknown {
    if (this.#takesDeadline || typeof value !== 'object' || value === null) return value
    if (!Object.hasOwn(value, deadlineName)) return value
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== deadlineName))
  }
}

function placeOf(path: readonly (string | number)[]): string {
  return JSON.stringify(path.map(String))
}

/** Keywords of which an error only says that another one follows. */
const wrappers = new Set([
  '$ref',
  'allOf',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
  'if',
  'dependentSchemas',
])

/** What the library says first, where our own reading found nothing. */
function mismatchOf(errors: readonly SchemaError[], root: JsonNode, text: string): SchemaMismatch {
  const { keyword, path } = errors.find((it) => !wrappers.has(it.keyword)) ??
    errors[0] ?? { keyword: '', path: [] }
  return mismatchAt(root, { path, text, expected: inWords(keyword) })
}

const words: ReadonlyMap<string, string> = new Map([
  ['false', localizable`left out, as its schema requires`],
  ['pattern', localizable`text that matches the \`pattern\` of its schema`],
  ['format', localizable`text that matches the \`pattern\` of its schema`],
  ['not', localizable`a value that does not match \`not\` of its schema`],
  ['oneOf', localizable`a value that matches exactly one variant of \`oneOf\` in its schema`],
  ['anyOf', localizable`a value that matches a variant of \`anyOf\` in its schema`],
  ['uniqueItems', localizable`a list without duplicate items`],
  ['contains', localizable`a list with an item that matches \`contains\` of its schema`],
])

/** What a value must be to satisfy a keyword, as the end of a sentence. */
function inWords(keyword: string): string {
  const known = words.get(keyword)
  return known === undefined ? localize`a value that \`${keyword}\` of its schema allows` : localized(known)
}
