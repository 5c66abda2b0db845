/** The built-in tools as definitions (2.2 §8.3): what is known of them where the transcript does not declare them itself. */
import type { ToolDefinition } from '../embedded/tool-definition.ts'
import { toolDeclarations } from '../embedded/tool-definitions.ts'
import { builtinToolWords } from '../vocabulary/builtin-tools.ts'
import { withoutFunctionPrefix } from '../vocabulary/roles.ts'
import { keyOf } from './tool-index.ts'

let definitions: ReadonlyMap<string, ToolDefinition> | undefined

/** The definition of the built-in tool `name` (`browser.search`); undefined for others, and for `python`, which takes code. */
export function builtinDefinition(name: string): ToolDefinition | undefined {
  definitions ??= read()
  return definitions.get(withoutFunctionPrefix(name))
}

/** What the built-in tool that `name` belongs to is for: Markdown; undefined for tools that are only names. */
export function builtinDocumentation(name: string): string | undefined {
  const [namespace] = withoutFunctionPrefix(name).split('.')
  return builtinToolWords.find((it) => it.name === namespace)?.documentation
}

function read(): ReadonlyMap<string, ToolDefinition> {
  const found = new Map<string, ToolDefinition>()
  for (const { declaration } of builtinToolWords) {
    const declared =
      declaration === undefined ? undefined : toolDeclarations(declaration, { isDeveloper: false })
    for (const definition of declared?.definitions ?? []) found.set(keyOf(definition), definition)
  }
  return found
}
