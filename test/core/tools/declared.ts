/** What a developer message declares, as tests look at it. */
import assert from 'node:assert/strict'
import type {
  DefinitionProblem,
  ToolDeclarations,
  ToolDefinition,
} from '../../../core/src/embedded/tool-definition.ts'
import { toolDeclarations } from '../../../core/src/embedded/tool-definitions.ts'
import { jsonSchemaOf } from './plain-schema.ts'

/** The declarations of a text that has some. */
export function declared(text: string): ToolDeclarations {
  const declarations = toolDeclarations(text, { isDeveloper: true })
  assert.ok(declarations, 'nothing is declared')
  for (const { range } of declarations.problems) {
    assert.ok(
      0 <= range.start && range.start <= range.end && range.end <= text.length,
      'a range leaves the text',
    )
  }
  return declarations
}

/** The parameters of a tool as plain JSON Schema, or the kind if there is none. */
export function shownParameters({ parameters }: ToolDefinition): unknown {
  return parameters.kind === 'schema'
    ? JSON.parse(JSON.stringify(jsonSchemaOf(parameters.schema)))
    : parameters.kind
}

/** Keys that are declared twice: the later one, the first one, and where the later one stands. */
export function duplicatesIn(text: string, problems: readonly DefinitionProblem[]): unknown {
  return problems.map(({ kind, range, related }) => {
    assert.equal(kind, 'duplicate')
    assert.ok(related && related.range.end <= range.start)
    const first = text.slice(related.range.start, related.range.end)
    return [text.slice(range.start, range.end), first, range.start]
  })
}
