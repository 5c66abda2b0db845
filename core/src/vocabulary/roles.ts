/** The roles, and the names that can take the place of a role (D5). */

/** Who speaks. Legacy reply roles such as `functions.search` count as `tool`. */
export type Role = 'system' | 'developer' | 'user' | 'assistant' | 'tool'

/** A word of the format with what a reader wants to know about it. */
export interface Word<Name extends string = string> {
  readonly name: Name
  /** One line. */
  readonly summary: string
  /** Who sees messages with this word. */
  readonly visibility: string
  /** Section of the specification. */
  readonly section: string
}

/** The roles in the order of their authority (2.2 §4). */
export const roles: readonly Word<Role>[] = [
  {
    name: 'system',
    summary: 'Ground rules with the highest authority',
    visibility: 'Never shown to users.',
    section: '2.2 §4',
  },
  {
    name: 'developer',
    summary: 'Developer instructions and tool definitions',
    visibility: 'Never shown to users.',
    section: '2.2 §4',
  },
  {
    name: 'user',
    summary: 'What the end user wrote',
    visibility: 'Shown to users on `final`, which is the default.',
    section: '2.2 §4',
  },
  {
    name: 'assistant',
    summary: 'What the model wrote',
    visibility:
      'Shown to users on `final`, and on `commentary` with `intent=preamble`; never on `analysis`, and never a tool call.',
    section: '2.2 §4',
  },
  {
    name: 'tool',
    summary: "A tool's reply; `name=` says which tool",
    visibility: 'Never shown to users, whatever its channel.',
    section: '2.2 §4',
  },
]

const roleByName: ReadonlyMap<string, Role> = new Map(roles.map(({ name }) => [name, name]))

/** The prefix of tools that a developer defines: `functions.NAME`. */
export const functionPrefix = 'functions.'

/** The built-in tools and their methods (2.2 §8.3); a tool without methods is called by its bare name. */
export const builtinTools: ReadonlyMap<string, readonly string[]> = new Map([
  ['browser', ['search', 'open', 'find']],
  ['python', []],
])

/**
 * The role that `word` denotes, or undefined for an unknown one.
 * `functions.NAME`, `python` and `browser.METHOD` are legacy reply roles and denote `tool`.
 */
export function roleOf(word: string): Role | undefined {
  return roleByName.get(word) ?? (isReplyRole(word) ? 'tool' : undefined)
}

/**
 * True for a tool's name in the place of a role: `functions.search`, `browser.open`, `python` (D5).
 *
 * @param declaredBuiltins further built-in tools that the document's header declares
 */
export function isReplyRole(word: string, declaredBuiltins?: ReadonlySet<string>): boolean {
  if (word.startsWith(functionPrefix)) return isName(word, functionPrefix.length)
  if (declaredBuiltins?.has(word)) return true
  // One word of prose begins no reply; `browser` replies as `browser.search`.
  return isBuiltin(word, declaredBuiltins) && (builtinTools.get(word)?.length ?? 0) === 0
}

/**
 * True for the name of a built-in tool: `python`, `browser`, `browser.search`, `functions.browser.search`,
 * and everything in a namespace that the header declares in `builtin_tools` (D5, D14).
 */
export function isBuiltin(name: string, declaredBuiltins?: ReadonlySet<string>): boolean {
  const bare = withoutFunctionPrefix(name)
  const dot = bare.indexOf('.')
  const namespace = dot === -1 ? bare : bare.slice(0, dot)
  if (declaredBuiltins?.has(namespace)) return true
  const methods = builtinTools.get(namespace)
  if (!methods) return false
  return dot === -1 || (methods.length > 0 && isName(bare, dot + 1))
}

/** True if a name begins at `from`; a `<` there begins an escaped token. */
function isName(word: string, from: number): boolean {
  return from < word.length && word.charAt(from) !== '<'
}

/** `name` without a leading `functions.`: names of tools compare this way (D12). */
export function withoutFunctionPrefix(name: string): string {
  return name.startsWith(functionPrefix) ? name.slice(functionPrefix.length) : name
}

/** The longest known role that `word` begins with, as in `assistantassistant`; undefined if there is none. */
export function rolePrefixOf(word: string): Role | undefined {
  for (const { name } of roles) {
    if (word.startsWith(name)) return name
  }
  return undefined
}
