/** Renders a template as Python's Jinja2 does, set up as transformers sets it up for chat templates (S12, S15). */
import { withLineFeeds } from '../text/long-text.ts'
import type { Range } from '../text/range.ts'
import { parseTemplate } from './parse-template.ts'
import { type KnownValues, type PythonValue, pythonValue } from './python-value.ts'
import { TemplateBudget } from './template-budget.ts'
import { type PrefixPair, type PrefixRequest, PrefixWatch } from './template-prefixes.ts'
import { problemOf, TemplateFault, type TemplateProblem } from './template-problem.ts'
import { runTemplate } from './template-runtime.ts'
import { TemplateTrace, type WrittenStretches } from './template-trace.ts'
import type { TemplateStatement } from './template-tree.ts'

/** The text of a template. */
export interface TemplateRendering {
  readonly text: string
  /** What `{% generation %}` blocks wrote, in order, in UTF-16 code units of `text`. */
  readonly spans: readonly Range[]
  /** Which parts of the template wrote what; undefined if that was not asked for, or is too much. */
  readonly written?: WrittenStretches | undefined
  /** The renderings with fewer items of a list, by their number, as far as this rendering shows them. */
  readonly prefixes?: ReadonlyMap<number, PrefixPair>
}

/** What a template may ask for. */
export interface TemplateOptions {
  /** What `strftime_now` writes; the current time if absent. */
  readonly now?: Date
  /** The source of a template that `{% include %}` names; undefined if there is none. Without it, nothing can be included. */
  readonly include?: (name: string) => string | undefined
  /** What the rendering may use; by default that of a rendering alone. */
  readonly budget?: TemplateBudget
  /** False for a rendering whose text is all that is needed: then there are no spans. */
  readonly hasSpans?: boolean
  /** What objects of the context are as values, for one that is rendered again and again with others. */
  readonly known?: KnownValues
  /** True to note which parts of the template write what. */
  readonly isTraced?: boolean | undefined
  /** Asks for renderings with fewer items of a list. */
  readonly prefixes?: PrefixRequest
}

/** A template that can be rendered many times. */
export interface ParsedTemplate {
  readonly source: string
  readonly statements: readonly TemplateStatement[]
  /** True if it has a `{% generation %}` block. */
  readonly hasGeneration: boolean
  /** True if such a block may be in text that is captured before it is written, in a macro for example. */
  readonly hasCapturedGeneration: boolean
}

/** Reads `source`. Line breaks are read as `\n`. */
export function parsedTemplate(source: string): ParsedTemplate | TemplateProblem {
  const text = withLineFeeds(source)
  try {
    const statements = parseTemplate(text)
    const hasGeneration = /\{%[-+]?\s*generation\b/.test(text)
    return {
      source: text,
      statements,
      hasGeneration,
      hasCapturedGeneration: hasGeneration && statements.some((it) => capturesGeneration(it, false)),
    }
  } catch (error) {
    return problemIn(error, text)
  }
}

/** True if text that is captured may have a `{% generation %}` block in `statement`; an included template may have one anywhere. */
function capturesGeneration(statement: TemplateStatement, isCaptured: boolean): boolean {
  const isIn = (body: readonly TemplateStatement[], isHere = isCaptured) =>
    body.some((it) => capturesGeneration(it, isHere))
  switch (statement.kind) {
    case 'generation':
      return isCaptured || isIn(statement.body)
    case 'include':
      return true
    case 'if':
      return statement.branches.some(({ body }) => isIn(body))
    case 'for':
      return isIn(statement.body, isCaptured || statement.isRecursive) || isIn(statement.otherwise)
    case 'with':
      return isIn(statement.body)
    case 'capture':
    case 'filtered':
      return isIn(statement.body, true)
    case 'macro':
    case 'callBlock':
      return isIn(statement.macro.body, true)
    default:
      return false
  }
}

/** True for what has no rendering. */
export function isTemplateProblem<T extends object>(value: T | TemplateProblem): value is TemplateProblem {
  return 'message' in value && 'offset' in value
}

/**
 * The rendering of `template` with the names of `context`, which is data as JSON has it.
 *
 * It is bounded: a template that does too much work, writes more than 64 MB, or is nested too deeply is a problem of the
 * kind `limit`, on every machine at the same place. It reads nothing but `context`.
 */
export function renderTemplate(
  template: string | ParsedTemplate,
  context: Readonly<Record<string, unknown>>,
  options: TemplateOptions = {},
): TemplateRendering | TemplateProblem {
  const parsed = typeof template === 'string' ? parsedTemplate(template) : template
  if (isTemplateProblem(parsed)) return parsed
  const { include, isTraced = false, known, hasSpans = true, prefixes } = options
  const isMarked = hasSpans && parsed.hasCapturedGeneration
  try {
    const values = new Map<string, PythonValue>()
    for (const [name, value] of Object.entries(context))
      if (value !== undefined) values.set(name, pythonValue(value, known))
    const marks = isMarked ? unusedCharacters(parsed.source, context) : undefined
    const trace = isTraced ? new TemplateTrace(marks ?? []) : undefined
    const watch = prefixes && !marks ? new PrefixWatch(values.get(prefixes.list), prefixes) : undefined
    const written = runTemplate(parsed.statements, values, {
      now: options.now ?? new Date(),
      budget: options.budget ?? new TemplateBudget(),
      include: include && ((name) => included(include(name))),
      marks,
      trace,
      watch,
    })
    const spans = hasSpans && parsed.hasGeneration ? written.spans : []
    const rendering = marks ? unmarked(written.text, marks) : { text: written.text, spans }
    if (!trace && !watch) return rendering
    const result: { -readonly [Key in keyof TemplateRendering]: TemplateRendering[Key] } = rendering
    if (trace) result.written = trace.stretches()
    if (watch) result.prefixes = watch.pairs
    return result
  } catch (error) {
    return problemIn(error, parsed.source)
  }
}

function included(source: string | undefined): readonly TemplateStatement[] | undefined {
  return source === undefined ? undefined : parseTemplate(withLineFeeds(source))
}

function problemIn(error: unknown, source: string): TemplateProblem {
  if (error instanceof TemplateFault) return problemOf(error, source)
  // Deep data, or text that is longer than the engine allows: what the template asked for, not a mistake of this program.
  if (error instanceof RangeError)
    return problemOf(new TemplateFault('limit', 'The template takes too much'), source)
  throw error
}

const privateCharacter = /[\ue000-\uf8ff]/
const privateUse = { first: 0xe000, last: 0xf8ff }

/** Two characters that neither the template nor its input has, so that no text can pass for a mark. */
function unusedCharacters(source: string, context: unknown): readonly [string, string] {
  const used = new Set<string>()
  const note = (text: string) => {
    if (!privateCharacter.test(text)) return
    for (const [character] of text.matchAll(/[\ue000-\uf8ff]/g)) used.add(character)
  }
  note(source)
  for (const [, code = ''] of source.matchAll(/\\(?:u|U0000)([\da-fA-F]{4})/g))
    used.add(String.fromCharCode(Number.parseInt(code, 16)))
  const pending: unknown[] = [context]
  while (pending.length > 0) {
    const value = pending.pop()
    if (typeof value === 'string') note(value)
    else if (value !== null && typeof value === 'object')
      for (const [key, inner] of Object.entries(value)) {
        note(key)
        pending.push(inner)
      }
  }
  const free: string[] = []
  for (let code = privateUse.first; code <= privateUse.last && free.length < 2; code++) {
    const character = String.fromCharCode(code)
    if (!used.has(character)) free.push(character)
  }
  const [start, end] = free
  if (start === undefined || end === undefined)
    throw new TemplateFault('limit', 'The sample uses every private character of Unicode')
  return [start, end]
}

function unmarked(marked: string, [start, end]: readonly [string, string]): TemplateRendering {
  const spans: { start: number; end: number }[] = []
  const open: { start: number; end: number }[] = []
  let text = ''
  for (let at = 0; at < marked.length; ) {
    const [nextStart, nextEnd] = [marked.indexOf(start, at), marked.indexOf(end, at)]
    const next = Math.min(
      nextStart === -1 ? marked.length : nextStart,
      nextEnd === -1 ? marked.length : nextEnd,
    )
    text += marked.slice(at, next)
    if (next === marked.length) break
    if (next === nextStart) {
      const span = { start: text.length, end: text.length }
      spans.push(span)
      open.push(span)
    } else {
      const span = open.pop() // undefined where a template cut the mark of its beginning off
      if (span) span.end = text.length
    }
    at = next + 1
  }
  return { text, spans: spans.filter((it) => !open.includes(it)) }
}
