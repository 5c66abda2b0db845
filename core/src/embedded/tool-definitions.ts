/**
 * Everything that a body declares: namespaces of tools, tools as JSON objects, response formats. A body without any of the
 * words that begin such a thing costs a few searches; a definition is parsed when its parameters or problems are asked for.
 */
import { append } from '../text/append.ts'
import { localize } from '../text/localize.ts'
import { perText } from '../text/memo.ts'
import type { Range } from '../text/range.ts'
import {
  type DefinitionProblem,
  type Parameters,
  problemsAt,
  type ResponseFormat,
  type ToolDeclarations,
  type ToolDefinition,
  type ToolNamespace,
} from './tool-definition.ts'
import { jsonDefinitions, leadingJsonDefinitions, mayHaveJsonTools } from './tool-json-definitions.ts'
import { type NamespaceBlock, type NamespaceMember, namespaceBlocks } from './tool-namespaces.ts'
import { mayHaveResponseFormats, responseFormats } from './tool-response-formats.ts'
import { memberMeaning } from './tool-type-schema.ts'
import { memberSyntax } from './tool-type-syntax.ts'

/** What counts as a declaration besides namespaces, which count everywhere (D19). */
export interface DeclarationOptions {
  /** True where tools as JSON objects and response formats count: in the body of a developer. */
  readonly isDeveloper: boolean
}

/**
 * What `text`, the body of a developer or system message, declares; undefined if it declares nothing. Samples of a dataset
 * declare the same few tools again and again, so the last ones are remembered, with all that is known of them.
 */
export function toolDeclarations(
  text: string,
  { isDeveloper }: DeclarationOptions,
): ToolDeclarations | undefined {
  if (!mayDeclare(text, { isDeveloper })) return undefined
  const most = isDeveloper && mayHaveJsonTools(text) ? jsonReadAtMost : readAtMost
  if (text.length > most) return notRead(most)
  return isDeveloper ? ofDeveloper(text) : ofOthers(text)
}

// Code units of one message: each keystroke in it reads them all, and no one has so many tools.
const readAtMost = 500_000
const jsonReadAtMost = 250_000 // twice as much to read: a tree of all objects

/** That nothing in a message of more than `most` characters is taken for a definition. */
function notRead(most: number): ToolDeclarations {
  const message = localize`Definitions are not read in a message of more than ${most} characters`
  const problems: readonly DefinitionProblem[] = [{ kind: 'too-large', range: { start: 0, end: 1 }, message }]
  return new Declarations([], [], { formats: [], problems })
}

const remembered = { texts: 32, length: 1 << 18 } // code units: the definitions of some services
const ofDeveloper = perText((text) => declarationsIn(text, true), remembered)
const ofOthers = perText((text) => declarationsIn(text, false), remembered)

/** False if `text` declares nothing, and no text with more around it would. Cheap. */
export function mayDeclare(text: string, { isDeveloper }: DeclarationOptions): boolean {
  if (text.includes('namespace')) return true
  if (!isDeveloper) return false
  return mayHaveResponseFormats(text) || mayHaveJsonTools(text)
}

function declarationsIn(text: string, isDeveloper: boolean): ToolDeclarations | undefined {
  const blocks = text.includes('namespace') ? namespaceBlocks(text) : []
  const found =
    isDeveloper && mayHaveResponseFormats(text)
      ? responseFormats(text)
      : { formats: [], problems: [], range: undefined }
  const namespaces = blocks.map(namespaceOf)
  const definitions = blocks.flatMap((block) =>
    block.members.map((it) => new TypeScriptTool(text, block, it)),
  )
  const problems = [...blocks.flatMap((it) => it.problems), ...found.problems]
  const declarations = new Declarations(namespaces, definitions, { formats: found.formats, problems })
  if (!isDeveloper || !mayHaveJsonTools(text)) return declarations.orNothing()
  const read = [...blocks.map(({ range }) => range), ...(found.range ? [found.range] : [])]
  return declarations.with(jsonDefinitions(blanked(text, read))).orNothing()
}

/** What the JSON after `<|function_list|>` declares (0.1 §8.1); undefined if it declares nothing. */
export function functionListDeclarations(text: string): ToolDeclarations | undefined {
  const nothing = new Declarations([], [], { formats: [], problems: [] })
  return nothing.with(leadingJsonDefinitions(text)).orNothing()
}

const checkedAtMost = 100_000 // code units of one definition: each keystroke in it checks all of it

/** That the definition at `range` is not parsed until a call needs it. */
function notChecked(range: Range): DefinitionProblem {
  const message = localize`The definition is not checked: it has more than ${checkedAtMost} characters`
  return { kind: 'too-large', range, message }
}

interface Further {
  readonly formats: readonly ResponseFormat[]
  readonly problems: readonly DefinitionProblem[]
}

class Declarations implements ToolDeclarations {
  readonly namespaces: readonly ToolNamespace[]
  readonly definitions: readonly ToolDefinition[]
  readonly formats: readonly ResponseFormat[]
  readonly #problems: readonly DefinitionProblem[]

  constructor(
    namespaces: readonly ToolNamespace[],
    definitions: readonly ToolDefinition[],
    { formats, problems }: Further,
  ) {
    this.namespaces = namespaces
    this.definitions = definitions
    this.formats = formats
    this.#problems = problems
  }

  get problems(): readonly DefinitionProblem[] {
    const all = [...this.#problems]
    for (const definition of this.definitions) {
      if (definition.text.length > checkedAtMost) all.push(notChecked(definition.nameRange))
      else append(all, definition.problems)
    }
    return all.sort((one, other) => one.range.start - other.range.start)
  }

  /** These and what JSON objects declare: tools in the namespace `functions`. */
  with(found: {
    readonly definitions: readonly ToolDefinition[]
    readonly problems: readonly DefinitionProblem[]
  }): Declarations {
    const [first] = found.definitions
    if (!first && found.problems.length === 0) return this
    const declared: readonly ToolNamespace[] = first
      ? [
          {
            name: first.namespace,
            nameRange: first.nameRange,
            description: '',
            range: undefined,
            isComplete: found.problems.length === 0,
          },
        ]
      : []
    return new Declarations([...this.namespaces, ...declared], [...this.definitions, ...found.definitions], {
      formats: this.formats,
      problems: [...this.#problems, ...found.problems],
    })
  }

  orNothing(): ToolDeclarations | undefined {
    const { namespaces, definitions, formats } = this
    const isEmpty = namespaces.length + definitions.length + formats.length + this.#problems.length === 0
    return isEmpty ? undefined : this
  }
}

function namespaceOf({ name, nameRange, description, range, problems }: NamespaceBlock): ToolNamespace {
  return { name, nameRange, description, range, isComplete: problems.length === 0 }
}

class TypeScriptTool implements ToolDefinition {
  readonly namespace: string
  readonly name: string
  readonly description: string
  readonly nameRange: Range
  readonly range: Range
  readonly notation = 'typescript'
  readonly text: string
  readonly #source: string
  readonly #isClosed: boolean
  #meaning: MemberMeaning | undefined

  constructor(body: string, { name }: NamespaceBlock, member: NamespaceMember) {
    this.namespace = name
    this.name = member.name
    this.description = member.description
    this.nameRange = member.nameRange
    this.range = member.range
    this.text = body.slice(member.start, member.range.end)
    this.#source = body.slice(member.range.start, member.range.end)
    this.#isClosed = member.isClosed
  }

  get parameters(): Parameters {
    return this.#read().parameters
  }

  get problems(): readonly DefinitionProblem[] {
    if (this.#meaning) return this.#meaning.problems
    return problemsAt(memberOf(this.#source).problems(this.#name, this.#isClosed), this.range.start)
  }

  get #name(): Range {
    return shifted(this.nameRange, -this.range.start)
  }

  #read() {
    this.#meaning ??= meaningOf(this.#source, this.#name, {
      isClosed: this.#isClosed,
      origin: this.range.start,
    })
    return this.#meaning
  }
}

interface MemberMeaning {
  readonly parameters: Parameters
  readonly problems: readonly DefinitionProblem[]
}

/** What the member `source` of a namespace means, with its places counted from `origin`. */
function meaningOf(
  source: string,
  name: Range,
  { isClosed, origin }: { readonly isClosed: boolean; readonly origin: number },
): MemberMeaning {
  const syntax = memberSyntax(source, name)
  const isUnclosed = !isClosed && syntax.type === undefined
  if (!isUnclosed) return memberMeaning(syntax, source, origin)
  const problem: DefinitionProblem = {
    kind: 'syntax',
    range: shifted(syntax.problems[0]?.range ?? name, origin),
    message: localize`The definition is not closed, or has one bracket too many`,
  }
  return { parameters: { kind: 'unknown' }, problems: [problem] }
}

/** Problems of a member by its text: typing in one of a thousand definitions leaves the others as they were. */
class Member {
  readonly #source: string
  #known:
    | (Range & { readonly isClosed: boolean; readonly problems: readonly DefinitionProblem[] })
    | undefined

  constructor(source: string) {
    this.#source = source
  }

  /** Relative to the member, whose name is at `name`. */
  problems({ start, end }: Range, isClosed: boolean): readonly DefinitionProblem[] {
    const known = this.#known
    if (known?.start === start && known.end === end && known.isClosed === isClosed) return known.problems
    const { problems } = meaningOf(this.#source, { start, end }, { isClosed, origin: 0 })
    this.#known = { start, end, isClosed, problems }
    return problems
  }
}

const memberOf = perText((source) => new Member(source), { texts: 10_000, length: readAtMost })

function shifted({ start, end }: Range, by: number): Range {
  return { start: start + by, end: end + by }
}

/** `text` with spaces in place of `ranges`, so that every place stays where it was. */
function blanked(text: string, ranges: readonly Range[]): string {
  const parts: string[] = []
  let at = 0
  for (const { start, end } of [...ranges].sort((one, other) => one.start - other.start)) {
    if (end <= at) continue
    const from = Math.max(start, at)
    parts.push(text.slice(at, from), ' '.repeat(end - from))
    at = end
  }
  return parts.join('') + text.slice(at)
}
