/**
 * Whether a value fits a JSON Schema, as the library says: the whole vocabulary of draft 7 and 2020-12. Nothing is fetched, and
 * what cannot be decided within a bounded number of steps is not decided.
 */
import {
  dereference,
  initialBaseURI,
  type OutputUnit,
  type SchemaDraft,
  validate,
} from '@cfworker/json-schema'
import { append } from '../text/append.ts'
import { type LibraryRun, type LibrarySchema, LibrarySchemaReader, withFormats } from './library-schema.ts'
import type { SchemaValue } from './tool-schema.ts'

/** A schema as it is written. */
export interface WrittenSchema {
  readonly schema: SchemaValue
  /** The document around it, in which references may lead on; read when it is needed. */
  readonly document?: () => SchemaValue | undefined
}

/** A place that does not fit. */
export interface SchemaError {
  /** The keyword of the schema that does not hold; `false` for a value that must not be there. */
  readonly keyword: string
  readonly path: readonly string[]
}

/** What the library says; `unknown` if it was not asked to the end. */
export type LibraryVerdict =
  | { readonly kind: 'valid' }
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'invalid'
      /** Outer before inner: that of an object comes before those of its properties. */
      readonly errors: readonly SchemaError[]
    }

/** The check that one schema makes. */
export interface SchemaLibrary {
  /** True if `validatorOf` decides all that the schema says, so that the library need not be asked about what it lets pass. */
  readonly isPlain: boolean
  /** `valid`, or the first reason why not. */
  decide(value: unknown): LibraryVerdict['kind']
  /** The same with every reason. */
  explain(value: unknown): LibraryVerdict
}

/** Work that one question may cost: some ten milliseconds. */
const stepLimit = 100_000
const errorsAtMost = 10_000

/** The check that `written` makes; undefined if the library cannot read it. */
export function schemaLibrary(written: WrittenSchema): SchemaLibrary | undefined {
  const draft = draftOf(written.schema)
  const reader = new LibrarySchemaReader(draft === '7' || draft === '4')
  try {
    const schema = reader.read(written.schema)
    const lookup = dereference(schema)
    resolveReferences(reader, lookup, written)
    return new Library(reader, schema, { lookup, draft })
  } catch {
    // Addresses that are none, two schemas of one address, and endless nesting: nothing is decided by such a schema.
    return undefined
  }
}

type Lookup = Record<string, LibrarySchema>

/** What leads elsewhere than into the schema or its document allows everything. */
function resolveReferences(reader: LibrarySchemaReader, lookup: Lookup, { document }: WrittenSchema): void {
  // References of what is found in the document are added to the list while it is gone through.
  for (const node of reader.references) {
    const { $ref = '', __absolute_ref__: address = $ref } = node
    if (lookup[address] !== undefined) continue
    const target = $ref.startsWith('#/') ? valueAt(document?.(), $ref) : undefined
    if (target === undefined) {
      lookup[address] = true
      reader.isPermissive = true
      continue
    }
    const found = reader.read(target)
    dereference(found, lookup, initialBaseURI, $ref.slice(1))
    lookup[address] ??= found
  }
}

function valueAt(document: SchemaValue | undefined, pointer: string): SchemaValue | undefined {
  let at: unknown = document
  for (const step of pointer.slice(2).split('/')) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Readonly<Record<string, unknown>>)[name]
  }
  return at as SchemaValue | undefined
}

/** True if `$schema` names a vocabulary that only its author knows: then nothing is known of the meaning of `schema`. */
export function hasOwnVocabulary(schema: SchemaValue): boolean {
  const name = dialectOf(schema)
  return name !== '' && !/^https?:\/\/json-schema\.org\/(?:draft|schema)\b/.test(name)
}

/** As `$schema` says; else the last one, which reads the older ones but for words next to `$ref`. */
function draftOf(schema: SchemaValue): SchemaDraft {
  const name = dialectOf(schema)
  if (/draft-0[67]/.test(name)) return '7'
  if (name.includes('draft-04')) return '4'
  return name.includes('2019-09') ? '2019-09' : '2020-12'
}

function dialectOf(schema: SchemaValue): string {
  if (typeof schema !== 'object' || schema === null || !('$schema' in schema)) return ''
  return typeof schema.$schema === 'string' ? schema.$schema : ''
}

class TooManySteps extends Error {}

class Run implements LibraryRun {
  readonly comparisons: number
  readonly names: readonly string[]
  #steps = 0

  constructor(value: unknown, { hasUniqueItems, hasNamePatterns }: LibrarySchemaReader) {
    this.comparisons = hasUniqueItems ? mostComparisons(value) : 0
    this.names = hasNamePatterns ? namesIn(value) : []
  }

  readonly charge = (steps: number): void => {
    this.#steps += steps
    if (this.#steps > stepLimit) throw new TooManySteps()
  }
}

class Library implements SchemaLibrary {
  readonly isPlain: boolean
  readonly #reader: LibrarySchemaReader
  readonly #schema: LibrarySchema
  readonly #context: { readonly lookup: Lookup; readonly draft: SchemaDraft }

  constructor(
    reader: LibrarySchemaReader,
    schema: LibrarySchema,
    context: { readonly lookup: Lookup; readonly draft: SchemaDraft },
  ) {
    this.#reader = reader
    this.#schema = schema
    this.#context = context
    this.isPlain = reader.isPlain && !reader.isPermissive
  }

  decide(value: unknown): LibraryVerdict['kind'] {
    const errors = this.#errors(value, true)
    if (!errors) return 'unknown'
    return errors.length === 0 ? 'valid' : 'invalid'
  }

  explain(value: unknown): LibraryVerdict {
    const errors = this.#errors(value, false) ?? this.#errors(value, true)
    if (!errors) return { kind: 'unknown' }
    if (errors.length === 0) return { kind: 'valid' }
    try {
      return { kind: 'invalid', errors: errors.slice(0, errorsAtMost).map(errorOf) }
    } catch {
      return { kind: 'unknown' } // half a character in a name, of which the library makes no address
    }
  }

  /** The errors of `value`; undefined if that was too much, or cannot be told. */
  #errors(value: unknown, isShort: boolean): readonly OutputUnit[] | undefined {
    const reader = this.#reader
    const { lookup, draft } = this.#context
    try {
      reader.run = new Run(value, reader)
      const { valid, errors } = withFormats(reader.formats, () =>
        validate(value, this.#schema, draft, lookup, isShort),
      )
      if (valid) return []
      // Something that was left out allows everything, and `not` makes that nothing.
      return reader.isPermissive && reader.negates ? undefined : errors
    } catch {
      // Too many steps, references in a circle, or names that the library cannot write as addresses.
      return undefined
    } finally {
      reader.run = undefined
    }
  }
}

function errorOf({ keyword, instanceLocation }: OutputUnit): SchemaError {
  const path = instanceLocation.split('/').slice(1)
  return {
    keyword,
    path: path.map((it) => decodeURI(it).replaceAll('~1', '/').replaceAll('~0', '~')),
  }
}

/** The comparisons that looking for equal items takes at most, over all lists of `value`, with what each one looks at. */
function mostComparisons(value: unknown): number {
  let most = 0
  const sizeOf = (it: unknown): number => {
    if (typeof it === 'string') return 1 + it.length / 16
    if (typeof it !== 'object' || it === null) return 1
    let size = 1
    for (const child of Object.values(it)) size += sizeOf(child)
    if (Array.isArray(it)) most = Math.max(most, size * it.length)
    return size
  }
  sizeOf(value)
  return most
}

function namesIn(value: unknown): readonly string[] {
  const names = new Set<string>()
  const open: unknown[] = [value]
  while (open.length > 0) {
    const it = open.pop()
    if (typeof it !== 'object' || it === null) continue
    if (!Array.isArray(it)) for (const name of Object.keys(it)) names.add(name)
    append(open, Object.values(it))
  }
  return [...names]
}
