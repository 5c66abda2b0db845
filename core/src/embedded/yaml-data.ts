/** What is read of a YAML text, in types of our own: the public API has no others. */
import type { Range } from '../text/range.ts'
import type { EmbeddedProblem } from './embedded-problem.ts'

/** What can be wrong with a YAML text. */
export type YamlProblemKind =
  | 'syntax-error'
  | 'not-a-mapping'
  | 'second-document'
  | 'duplicate-key'
  | 'unresolved-alias'
  | 'circular-alias'
  | 'alias-limit'
  | 'too-deep'
  | 'too-large'

/** A mistake in a YAML text. */
export type YamlProblem = EmbeddedProblem<YamlProblemKind>

/** A value as JSON has it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/** An object without prototype. */
export interface JsonObject {
  readonly [key: string]: JsonValue
}

/** The type of a value as JSON Schema names it; `unknown` for what has no value, such as an unresolved alias. */
export type YamlType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null' | 'unknown'

/** A key of a mapping with its value, or an item of a sequence. Offsets are relative to the text. */
export interface YamlEntry {
  /** The key, or the zero-based index of an item. */
  readonly key: string | number
  /** The key as written, quotes included; undefined for items. */
  readonly keyRange?: Range
  /** The value as written, quotes included, without comments and white space; empty where it would be if it is missing. */
  readonly valueRange: Range
  /** From the key, or the value of an item, to the end of the value. */
  readonly range: Range
  readonly type: YamlType
  /** Undefined where `type` is `unknown`. */
  readonly value: JsonValue | undefined
  /** The keys or items inside, in text order; none inside an alias. */
  readonly children: readonly YamlEntry[]
}

/** What a document says. */
export interface YamlReading {
  readonly value: JsonValue | undefined
  readonly type: YamlType
  readonly range: Range
  readonly entries: readonly YamlEntry[]
  readonly problems: readonly YamlProblem[]
}
