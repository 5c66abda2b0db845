/**
 * Fills a prompt: the templates of its bodies with the values of a case. What values and parts say is text and nothing else:
 * control tokens in it are escaped, so no value begins or ends a message.
 */
import { escapeBody } from '../conversation/escape-body.ts'
import { Transcript } from '../document/transcript.ts'
import { isTooLong, tooLongTags } from '../embedded/jinja.ts'
import type { HeaderEntry, JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { applyEdits } from '../rules/apply-fix.ts'
import { type Analysis, analyze } from '../semantics/analysis.ts'
import { budgetsKey } from '../semantics/budgets.ts'
import { casesKey, inputsKey, inputsOf } from '../semantics/inputs.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { type TemplateBody, templateOf } from '../semantics/template-body.ts'
import { wholeBody } from '../semantics/tool-declarations.ts'
import { bodySpan } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { isTemplateProblem, renderTemplate } from '../templates/render-template.ts'
import { TemplateBudget } from '../templates/template-budget.ts'
import { lineStartAt } from '../text/line-breaks.ts'
import { localize } from '../text/localize.ts'
import type { Range, TextEdit } from '../text/range.ts'
import { valuesOf } from './cases.ts'
import {
  type MarkedPiece,
  type MarkedTemplate,
  type Marking,
  markedTemplate,
  markFor,
  type PieceSource,
  piecesOf,
} from './marked-template.ts'
import type { Parts, PromptProblem } from './parts.ts'

/** Text of a filled prompt that a variable or a part wrote. */
export interface FilledSpan {
  /** In the filled text. */
  readonly range: Range
  /** `input` or `part`. */
  readonly kind: PieceSource['kind']
  /** The names that its expression uses, or the path of the part. */
  readonly names: readonly string[]
  /** The file with the tag; undefined for the prompt itself. */
  readonly path: string | undefined
  /** The tag in that file. */
  readonly source: Range
}

/** A prompt, filled. */
export interface FilledPrompt {
  /** A transcript without `inputs` and `cases`, as far as it could be filled. */
  readonly text: string
  /** In order of the text; those of a part before those inside it. Found when they are asked for, because only views need them. */
  readonly spans: readonly FilledSpan[]
  /** Why it is not what is meant: empty if all is well. */
  readonly problems: readonly PromptProblem[]
}

/** What a prompt is filled with. */
export interface FillOptions {
  /** The path of the prompt, relative to the folder of the workspace. */
  readonly path: string
  readonly values: JsonObject
  readonly parts: Parts
  /** What filling may use; by default that of one prompt alone. */
  readonly budget?: FillBudget
}

const bodyCost = 2000 // units of work for a body, whatever is in it

/**
 * What filling may use in total, for all bodies and all cases that share it: each body may take as much as any template, and a part may
 * be included again and again.
 */
export class FillBudget {
  /** Work, as {@link TemplateBudget} counts it: about a second. */
  #units = 60_000_000
  /** Code units of templates with their parts, and of what they write. */
  #length = 40_000_000

  /** The template `text` with what `marking` adds; undefined if it is too long. */
  marked(template: TemplateBody, marking: Omit<Marking, 'atMost'>): MarkedTemplate | undefined {
    const marked = markedTemplate(template.source.text, template, { ...marking, atMost: this.#length })
    this.#length -= marked?.text.length ?? this.#length
    return marked
  }

  /** The rendering of `text`; undefined if it takes too much. */
  rendered(
    text: string,
    context: Readonly<Record<string, JsonValue>>,
  ): ReturnType<typeof renderTemplate> | undefined {
    const budget = new TemplateBudget(this.#units)
    const { units } = budget
    const rendering = renderTemplate(text, context, { budget })
    this.#units -= bodyCost + units - budget.units
    if (!isTemplateProblem(rendering)) this.#length -= rendering.text.length
    return this.#units > 0 && this.#length > 0 ? rendering : undefined
  }
}

/** Fills the prompt of `analysis`. Never throws; a body that cannot be filled is left empty. */
export function fillPrompt(
  analysis: Analysis,
  { path, values, parts, budget = new FillBudget() }: FillOptions,
): FilledPrompt {
  const problems: PromptProblem[] = [...parts.problems]
  const { hasEscapes } = analysis.transcript.framing
  const inputs = inputsOf(analysis.header.filled) ?? []
  const given = valuesOf(inputs, values)
  for (const { name, isRequired } of inputs) {
    if (isRequired && !given.has(name))
      problems.push({
        kind: 'value',
        path: undefined,
        range: undefined,
        message: localize`\`${name}\` has no value`,
      })
  }
  const context = Object.fromEntries(given)
  const mark = markFor(textsIn(analysis, context, parts))
  const edits: TextEdit[] = [...headerEdits(analysis)]
  const bodies: FilledBody[] = []
  let index = 0
  let isCut = false
  for (const { segment, start } of analysis.transcript.segments()) {
    index++
    const template = templateOf(segment)
    const body = template && bodySpan(segment)
    if (!body) continue
    const range = { start: start + body.from, end: start + body.to }
    // Copies of `range` with more keys would take most of the time and the memory in a prompt of many messages.
    const replace = (text: string) => edits.push({ start: range.start, end: range.end, text })
    problems.push(...undeclared(analysis, template, start))
    if (isTooLong(template)) {
      problems.push({
        kind: 'syntax',
        path: undefined,
        range: { ...range, end: range.start },
        message: tooLongTags(),
      })
      replace('')
      continue
    }
    const marked = isCut ? undefined : budget.marked(template, { path, parts: parts.byPath, mark })
    const rendering = marked && budget.rendered(marked.text, context)
    if (!marked || !rendering) {
      const message = localize`Filling this prompt takes too long, or makes it too large`
      if (!isCut)
        problems.push({ kind: 'limit', path: undefined, range: { ...range, end: range.start }, message })
      isCut = true
      replace('')
      continue
    }
    const place = { template, marked, start }
    if (isTemplateProblem(rendering)) problems.push(problemIn(rendering, place))
    const text = isTemplateProblem(rendering) ? '' : rendering.text
    const pieces = piecesOf(text, mark)
    const filled = pieces.map((it) => it.text).join('')
    const written = hasEscapes ? escapeBody(filled) : filled
    if (!hasEscapes && written.includes('<|')) {
      const message = localize`A value with a control token cannot be written in this dialect, which has no escapes`
      problems.push({
        kind: 'value',
        path: undefined,
        range,
        message,
      })
    }
    replace(hasEscapes || !written.includes('<|') ? written : '')
    bodies.push({ index: index - 1, pieces, place })
  }
  const text = applyEdits(analysis.transcript.text(), edits)
  let spans: readonly FilledSpan[] | undefined
  return {
    text,
    get spans() {
      spans ??= spansIn(text, analysis, bodies)
      return spans
    },
    problems,
  }
}

/** A name without a value makes a hole in the prompt. */
function undeclared(
  { settings }: Analysis,
  { names, source }: TemplateBody,
  start: number,
): readonly PromptProblem[] {
  return names.flatMap(({ name, range }) => {
    if (settings.inputs?.includes(name)) return []
    const { from, to } = source.spanOf(range)
    const message = localize`\`${name}\` is not declared under \`inputs\``
    return [{ kind: 'name', path: undefined, range: { start: start + from, end: start + to }, message }]
  })
}

interface BodyPlace {
  readonly template: TemplateBody
  readonly marked: MarkedTemplate
  /** Of the segment in the document. */
  readonly start: number
}

interface FilledBody {
  /** Of the segment: filling neither makes nor removes messages. */
  readonly index: number
  readonly pieces: readonly MarkedPiece[]
  readonly place: BodyPlace
}

function problemIn(
  { message, offset }: { readonly message: string; readonly offset: number },
  { template, marked, start }: BodyPlace,
): PromptProblem {
  const origin = marked.originOf(offset)
  const kind = template.problems.length > 0 ? 'syntax' : 'template'
  if (origin.path !== undefined)
    return {
      kind,
      path: origin.path,
      range: { start: origin.offset, end: origin.offset },
      message,
    }
  const { from, to } = template.source.spanOf({ start: origin.offset, end: origin.offset })
  return { kind, path: undefined, range: { start: start + from, end: start + to }, message }
}

/** Where the pieces are in the filled text: read back from it, so that escapes are where the reader finds them. */
function spansIn(text: string, analysis: Analysis, bodies: readonly FilledBody[]): readonly FilledSpan[] {
  if (bodies.every(({ pieces }) => pieces.every(({ sources }) => sources.length === 0))) return []
  const { transcript } = analyze(Transcript.parse(text, { dialect: analysis.transcript.forcedDialect }))
  const spans: FilledSpan[] = []
  for (const { index, pieces, place } of bodies) {
    const { segment, start } = transcript.segment(Math.min(index, transcript.segmentCount - 1))
    const facts = factsOf(segment)
    const body = facts && wholeBody(segment, facts)
    if (!body) continue
    const ranges: { start: number; end: number; source: PieceSource }[] = []
    let at = 0
    let before: readonly number[] = []
    const open: ((typeof ranges)[number] | undefined)[] = [] // by depth
    for (const piece of pieces) {
      const end = at + piece.text.length
      // The same source can write several pieces: a loop, or a part with inputs in it.
      for (const [depth, id] of piece.sources.entries()) {
        const source = place.marked.sources[id]
        const last = before[depth] === id ? open[depth] : undefined
        if (last) last.end = end
        else if (source) {
          open[depth] = { start: at, end, source }
          ranges.push(open[depth])
        }
      }
      before = piece.sources
      at = end
    }
    for (const { source, ...range } of ranges) {
      const { from, to } = body.spanOf(range)
      spans.push({
        range: { start: start + from, end: start + to },
        kind: source.kind,
        names: source.names,
        path: source.path,
        source: sourceRange(source, place),
      })
    }
  }
  return spans.sort((one, other) => one.range.start - other.range.start || other.range.end - one.range.end)
}

function sourceRange({ path, range }: PieceSource, { template, start }: BodyPlace): Range {
  if (path !== undefined) return range
  const { from, to } = template.source.spanOf(range)
  return { start: start + from, end: start + to }
}

/** All that the marks must not be part of. */
function* textsIn(
  analysis: Analysis,
  context: Readonly<Record<string, JsonValue>>,
  parts: Parts,
): IterableIterator<string> {
  for (const segment of segmentsOf(analysis)) yield segment.text
  for (const { text } of parts.byPath.values()) yield text
  yield JSON.stringify(context)
}

function* segmentsOf(analysis: Analysis): IterableIterator<Segment> {
  for (const { segment } of analysis.transcript.segments()) if (templateOf(segment)) yield segment
}

const ownKeys: ReadonlySet<string | number> = new Set([inputsKey, casesKey, budgetsKey])

/** Takes the keys that are for filling out of a header of lines; one in braces keeps them. */
function* headerEdits({ header }: Analysis): IterableIterator<TextEdit> {
  const { text, entries } = header.yaml
  for (const entry of entries) {
    if (!ownKeys.has(entry.key)) continue
    const start = lineStartAt(text, entry.range.start)
    if (text.slice(start, entry.range.start).trim() !== '') return
    yield { start: header.offset + start, end: header.offset + endOfLastLine(text, entry), text: '' }
  }
}

function endOfLastLine(text: string, { range }: HeaderEntry): number {
  const end = text.indexOf('\n', range.end)
  return end === -1 ? text.length : end + 1
}
