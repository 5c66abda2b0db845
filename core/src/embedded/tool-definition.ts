/** A tool as a text defines it, whatever the notation. All ranges are relative to the text that was handed in. */
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import type { EmbeddedProblem } from './embedded-problem.ts'
import type { WrittenSchema } from './schema-library.ts'
import type { Schema } from './tool-schema.ts'

/** What can be wrong with a definition. */
export type DefinitionProblemKind =
  | 'syntax'
  | 'stray-text'
  | 'unclosed-namespace'
  | 'unknown-type'
  | 'wrong-shape'
  | 'dead-reference'
  | 'too-deep'
  | 'too-large'
  | 'not-json'
  | 'duplicate'

/** A mistake in a definition. */
export type DefinitionProblem = EmbeddedProblem<DefinitionProblemKind>

/** The problem that `key` at `range` already occurs at `first` in the same object; the last one is read. */
export function declaredTwice(key: string, range: Range, first: Range): DefinitionProblem {
  const shown = key.replace(/\s+/g, ' ').slice(0, 48)
  return {
    kind: 'duplicate',
    range,
    message: localize`Duplicate key \`${shown}\` in this object; the last one is used`,
    related: { range: first, message: localize`\`${shown}\` first appears here` },
  }
}

/** `problems` by `offset` code units further on. */
export function problemsAt(
  problems: readonly DefinitionProblem[],
  offset: number,
): readonly DefinitionProblem[] {
  const shifted = ({ start, end }: Range) => ({ start: start + offset, end: end + offset })
  return problems.map((it) => ({
    ...it,
    range: shifted(it.range),
    ...(it.related && { related: { ...it.related, range: shifted(it.related.range) } }),
  }))
}

/** What a tool takes: nothing, arguments, or what a broken definition does not tell. */
export type Parameters =
  | { readonly kind: 'none' }
  | { readonly kind: 'unknown' }
  | {
      readonly kind: 'schema'
      readonly schema: Schema
      /** The JSON Schema that {@link schema} was read from, which says more than that. */
      readonly written?: WrittenSchema | undefined
    }

/** A tool. {@link parameters} and {@link problems} are read when they are asked for. */
export interface ToolDefinition {
  /** The namespace that declares it; `functions` for JSON objects. */
  readonly namespace: string
  readonly name: string
  /** Without a comment's markers; empty if there is none. */
  readonly description: string
  readonly nameRange: Range
  /** The whole definition. */
  readonly range: Range
  readonly notation: 'typescript' | 'json'
  /** The text of the definition with its description: definitions with equal text and context mean the same. */
  readonly text: string
  /** The document around it, if what it means reaches into that. */
  readonly context?: string | undefined
  readonly parameters: Parameters
  readonly problems: readonly DefinitionProblem[]
}

/** A namespace that a text declares. */
export interface ToolNamespace {
  readonly name: string
  readonly nameRange: Range
  readonly description: string
  /** From its keyword to its closing bracket; undefined where the tools are JSON objects. */
  readonly range: Range | undefined
  /** False if something in it could not be read, so that it may have further tools. */
  readonly isComplete: boolean
}

/** The schema of an answer (`# Response Formats`). */
export interface ResponseFormat {
  /** The heading; empty if there is none. */
  readonly name: string
  readonly nameRange: Range
  readonly description: string
  readonly range: Range
  readonly text: string
  readonly schema: Schema
}

/** Everything that a text declares. */
export interface ToolDeclarations {
  readonly namespaces: readonly ToolNamespace[]
  readonly definitions: readonly ToolDefinition[]
  readonly formats: readonly ResponseFormat[]
  /** In order of the text, those of the definitions included; read when asked for. */
  readonly problems: readonly DefinitionProblem[]
}
