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
  /** What is wrong with its cases. Cases of the header have problems only here: the rule `unfit-case` reports them. */
  readonly misfits: ReadonlyMap<PromptCase, readonly FileProblem[]>
}

const largestCasesFile = 2_000_000 // bytes; what is read of it is bounded in characters

/** The prompt in `source`, read in `dialect`, with what belongs to it. @throws FileProblem if its file of cases cannot be read */
export function readPrompt(source: Source, dialect: DialectName | 'auto'): Promise<PromptFile> {
  return promptOf(source, analyze(Transcript.parse(source.text, { dialect })))
}

/** The same for a source whose text was analyzed already. */
export async function promptOf(source: Source, analysis: Analysis): Promise<PromptFile> {
  const { root, path } = placeOf(source.path)
  const files = source.path === shownInput ? [] : [casesPath(source.path)]
  const readPart = partReader(root)
  const parts = await readParts(analysis, path, (part) => {
    files.push(join(root, part))
    return readPart(part)
  })
  const misfits = new Map<PromptCase, readonly FileProblem[]>()
  const add = (cases: readonly PromptCase[], file: CasesFile) => {
    for (const it of cases)
      misfits.set(
        it,
        it.problems.map(({ message, range }) => problemAt(file, message, range.start)),
      )
  }
  add(casesInHeader(analysis), source)
  const beside = await casesBeside(source.path)
  if (beside) add(casesIn(beside, analysis), beside)
  return { source, analysis, cases: [...misfits.keys()], parts, path, root, files, misfits }
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

type CasesFile = Pick<Source, 'path' | 'text'>

async function casesBeside(prompt: string): Promise<CasesFile | undefined> {
  if (prompt === shownInput) return undefined
  const path = casesPath(prompt)
  const text = await readTextBeside(path, { bytes: largestCasesFile })
  return text === undefined ? undefined : { path, text }
}

/** @throws FileProblem if they are not what YAML says: a case that does not fit is a problem of that case */
function casesIn(file: CasesFile, analysis: Analysis): readonly PromptCase[] {
  const { cases, problems } = readCases(file.text, analysis)
  const ofCases = new Set(cases.flatMap((it) => it.problems))
  const broken = problems.find((it) => !ofCases.has(it))
  if (broken) throw problemAt(file, broken.message, broken.range.start)
  return cases
}

function problemAt({ path, text }: CasesFile, message: string, offset: number): FileProblem {
  return new FileProblem(path, message, positionIn(text, offset))
}
