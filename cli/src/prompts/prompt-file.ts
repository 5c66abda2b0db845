/** A prompt with its cases and parts, read from the files that belong to it. */
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { readWorkspaceFile } from '../../../client/disk/read-workspace-file.ts'
import { refusalText } from '../../../client/disk/refusal-text.ts'
import {
  type Analysis,
  analyze,
  casesInHeader,
  casesPath,
  type DialectName,
  largestPart,
  type Parts,
  type PromptCase,
  type ReadPart,
  readCases,
  readParts,
  Transcript,
} from '../../../core/src/internal.ts'
import { FileProblem } from '../files/file-problem.ts'
import { positionIn } from '../files/place-in.ts'
import { readTextBeside } from '../files/read-beside.ts'
import { type Source, shownInput } from '../files/read-source.ts'

/** A prompt that can be filled. */
export interface PromptFile {
  readonly source: Source
  readonly analysis: Analysis
  /** Those of the header first. */
  readonly cases: readonly PromptCase[]
  readonly parts: Parts
  /** Relative to the folder that parts are read from, with `/` between names. */
  readonly path: string
  /** That folder. */
  readonly root: string
  /** The files that were read with it, or looked for. */
  readonly files: readonly string[]
}

const largestCasesFile = 2_000_000 // bytes; what is read of it is bounded in characters

/** The prompt in `source` with what belongs to it. @throws FileProblem if its cases cannot be read */
export async function readPrompt(source: Source, dialect: DialectName | 'auto'): Promise<PromptFile> {
  const analysis = analyze(Transcript.parse(source.text, { dialect }))
  const { root, path } = placeOf(source.path)
  const files = source.path === shownInput ? [] : [casesPath(source.path)]
  const readPart = partReader(root)
  const parts = await readParts(analysis, path, (part) => {
    files.push(join(root, part))
    return readPart(part)
  })
  const cases = [...casesInHeader(analysis), ...(await casesBeside(source.path, analysis))]
  return { source, analysis, cases, parts, path, root, files }
}

/** Parts are in the current directory; those of a prompt elsewhere, in its folder. */
function placeOf(shown: string): { readonly root: string; readonly path: string } {
  const here = process.cwd()
  if (shown === shownInput) return { root: here, path: 'stdin.ocm' }
  const file = resolve(shown)
  const below = relative(here, file)
  const isBelow = below !== '..' && !below.startsWith(`..${sep}`) && !isAbsolute(below)
  const root = isBelow ? here : dirname(file)
  return { root, path: relative(root, file).split(sep).join('/') }
}

/** Reads parts from `root` and from nowhere else, wherever links lead. */
export function partReader(root: string): ReadPart {
  return async (path) => {
    const reading = await readWorkspaceFile(join(root, path), {
      bytes: largestPart,
      within: [root],
      isConfined: true,
    })
    if (reading.kind === 'missing') return { kind: 'missing' }
    if (reading.kind === 'refused') return { kind: 'refused', reason: refusalText(reading.refusal) }
    try {
      return { kind: 'read', text: new TextDecoder('utf-8', { fatal: true }).decode(reading.bytes) }
    } catch {
      return { kind: 'refused', reason: 'is not UTF-8' }
    }
  }
}

async function casesBeside(path: string, analysis: Analysis): Promise<readonly PromptCase[]> {
  if (path === shownInput) return []
  const file = casesPath(path)
  const text = await readTextBeside(file, { bytes: largestCasesFile })
  if (text === undefined) return []
  const { cases, problems } = readCases(text, analysis)
  const [problem] = problems
  if (problem) throw new FileProblem(file, problem.message, positionIn(text, problem.range.start))
  return cases
}
