/** The parts that a prompt includes, read before it is filled: a template never reads a file itself. */
import { type JinjaScan, scanJinja, tooLongTags } from '../embedded/jinja.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { templateOf } from '../semantics/template-body.ts'
import { localize } from '../text/localize.ts'
import { withLineFeeds } from '../text/long-text.ts'
import type { Range } from '../text/range.ts'
import { partPath } from './part-path.ts'

/** A part. */
export interface Part {
  /** Relative to the folder of the workspace, with `/` between names. */
  readonly path: string
  /** Line breaks are line feeds. */
  readonly text: string
  readonly scan: JinjaScan
}

/** Something in a prompt or in one of its parts that keeps it from being filled. */
export interface PromptProblem {
  /** A missing value, a name that is not declared, a part, a tag that is not closed, a template that fails, or too much work. */
  readonly kind: 'value' | 'name' | 'part' | 'syntax' | 'template' | 'limit'
  /** The path of the part; undefined for the prompt itself. */
  readonly path: string | undefined
  /** In the text of the prompt or part; undefined where it concerns all of it. */
  readonly range: Range | undefined
  readonly message: string
}

/** The result of reading a part: its text, or why there is none, as the end of a sentence that begins with its path. */
export type PartReading =
  | { readonly kind: 'read'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly reason: string }

/** Reads the part at a path relative to the folder of the workspace. What is outside of that it must refuse, links followed. */
export type ReadPart = (path: string) => Promise<PartReading>

/** The parts of a prompt. */
export interface Parts {
  /** By their paths. */
  readonly byPath: ReadonlyMap<string, Part>
  readonly problems: readonly PromptProblem[]
}

/** The most bytes of a part. */
export const largestPart = 1_000_000
/** How many parts may be inside each other. */
export const deepestPart = 16
const mostParts = 200 // of one prompt

interface Inclusion {
  readonly path: string
  /** The files on the way, the outermost first. */
  readonly way: readonly string[]
  /** Where it is included. */
  readonly at: Pick<PromptProblem, 'kind' | 'path' | 'range'>
  readonly isOptional: boolean
}

/** Reads all parts of the prompt at `path`, which is relative to the folder of the workspace. Never throws unless `read` does. */
export async function readParts(analysis: Analysis, path: string, read: ReadPart): Promise<Parts> {
  const byPath = new Map<string, Part>()
  const missing = new Set<string>()
  const problems: PromptProblem[] = []
  const queue = inclusionsInPrompt(analysis, path, problems)
  for (const { path: wanted, way, at, isOptional } of queue) {
    if (way.includes(wanted)) {
      problems.push({
        ...at,
        message: localize`${[...way.slice(way.indexOf(wanted)), wanted].join(' → ')}: parts include each other`,
      })
      continue
    }
    if (way.length > deepestPart) {
      problems.push({ ...at, message: localize`Parts are nested more than ${deepestPart} levels deep` })
      continue
    }
    if (!byPath.has(wanted) && !missing.has(wanted)) {
      if (byPath.size >= mostParts) {
        problems.push({ ...at, message: localize`A prompt has at most ${mostParts} parts` })
        break
      }
      const reading = await read(wanted)
      if (reading.kind === 'read') byPath.set(wanted, partOf(wanted, reading.text))
      else if (reading.kind === 'missing') missing.add(wanted)
      else {
        problems.push({ ...at, message: `${wanted}: ${reading.reason}` })
        missing.add(wanted)
        continue
      }
    }
    const part = byPath.get(wanted)
    if (part) {
      if (queue.length < 10 * mostParts)
        queue.push(...inclusionsIn(part.scan, { path: wanted, way: [...way, wanted], problems }))
      else {
        problems.push({ ...at, message: localize`A prompt has at most ${10 * mostParts} inclusions` })
        break
      }
    } else if (!isOptional) problems.push({ ...at, message: localize`${wanted}: this part does not exist` })
  }
  for (const part of byPath.values()) problems.push(...problemsOf(part, analysis, byPath))
  return { byPath, problems }
}

/** A name without a value makes a hole in the prompt. */
function problemsOf(
  { path, scan }: Part,
  analysis: Analysis,
  parts: Parts['byPath'],
): readonly PromptProblem[] {
  const given = new Set(analysis.settings.inputs)
  for (const { locals } of [...parts.values()].map((it) => it.scan))
    for (const name of locals) given.add(name)
  for (const { segment } of analysis.transcript.segments()) {
    for (const name of templateOf(segment)?.locals ?? []) given.add(name)
  }
  const broken = scan.problems.map(({ kind, range, word }) => ({
    kind: 'part' as const,
    path,
    range,
    message:
      kind === 'too-long' ? tooLongTags() : localize`\`${word}\` is unclosed or unmatched in this part`,
  }))
  const undefinedNames = scan.names.flatMap(({ name, range }) =>
    given.has(name)
      ? []
      : [
          {
            kind: 'part' as const,
            path,
            range,
            message: localize`\`${name}\` is not declared under \`inputs\``,
          },
        ],
  )
  return [...broken, ...undefinedNames]
}

function partOf(path: string, read: string): Part {
  // Jinja2 takes one line break off the end of a template.
  const text = withLineFeeds(read.replace(/^\ufeff/, '')).replace(/\n$/, '')
  return { path, text, scan: scanJinja(text) }
}

function inclusionsInPrompt(analysis: Analysis, path: string, problems: PromptProblem[]): Inclusion[] {
  const found: Inclusion[] = []
  for (const { segment, start } of analysis.transcript.segments()) {
    const template = templateOf(segment)
    if (!template) continue
    const place = (range: Range) => {
      const { from, to } = template.source.spanOf(range)
      return { start: start + from, end: start + to }
    }
    found.push(...inclusionsIn(template, { path, way: [path], problems, place }))
  }
  return found
}

interface Including {
  readonly path: string
  readonly way: readonly string[]
  readonly problems: PromptProblem[]
  /** In the prompt itself: from a range of the body to one of the document. */
  readonly place?: (range: Range) => Range
}

function inclusionsIn(
  { includes }: Pick<JinjaScan, 'includes'>,
  { path: from, way, problems, place }: Including,
): readonly Inclusion[] {
  return includes.flatMap(({ path, pathRange, isOptional, isIsolated }): readonly Inclusion[] => {
    const at = {
      kind: 'part' as const,
      ...(place ? { path: undefined, range: place(pathRange) } : { path: from, range: pathRange }),
    }
    if (path === undefined) {
      problems.push({ ...at, message: localize`The path of a part must be a string in quotes` })
      return []
    }
    if (isIsolated) {
      problems.push({
        ...at,
        message: localize`Parts always get the inputs and variables of the prompt; remove \`without context\``,
      })
      return []
    }
    const wanted = partPath(from, path)
    if (wanted.kind === 'path') return [{ path: wanted.path, way, at, isOptional }]
    problems.push({ ...at, message: wanted.reason })
    return []
  })
}
