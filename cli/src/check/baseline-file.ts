/** The file of `--baseline`: reading, comparing, and writing it. */
import { lstat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { UsageError } from '../arguments.ts'
import { FileProblem } from '../files/file-problem.ts'
import { readBeside } from '../files/read-beside.ts'
import { shownInput } from '../files/read-source.ts'
import { createFile, replaceFile } from '../files/replace-file.ts'
import type { BaselineFindings, BaselineSetup, KnownProblems } from './baseline.ts'

/** The options. */
export const baselineOptions = {
  baseline: {
    kind: 'text',
    placeholder: 'FILE',
    summary: 'Do not report problems that are in this file, even if their lines have moved',
  },
  'update-baseline': {
    kind: 'flag',
    summary: 'Write the problems of the files that are checked to the file of --baseline',
  },
} as const

/** What the options say. */
export interface BaselineValues {
  readonly baseline: string | undefined
  readonly 'update-baseline': boolean
  readonly shard: string | undefined
  readonly expect: boolean
  readonly diff: boolean
}

/** Problems of the baseline that no longer occur. */
export interface StaleProblems {
  readonly path: string
  readonly rule: string
  readonly count: number
}

type Counts = Map<string, Map<string, Map<string, number>>>

const largestBaseline = 100_000_000 // bytes: about a million problems
const schemaVersion = 1

/** A baseline and what a run finds. */
export class BaselineFile {
  readonly path: string
  readonly setup: BaselineSetup
  /** What the file has. */
  readonly #known: KnownProblems
  /** The file as it was read; undefined if there is none yet. */
  readonly #bytes: Uint8Array | undefined
  readonly #found: Counts = new Map()

  private constructor(path: string, known: KnownProblems, options: BaselineFileOptions) {
    this.path = path
    this.#known = known
    this.#bytes = options.bytes
    this.setup = { folder: dirname(resolve(path)), known: options.isUpdated ? undefined : known }
  }

  /** The file that the options name; undefined if they name none. @throws UsageError, FileProblem */
  static async open(values: BaselineValues): Promise<BaselineFile | undefined> {
    const { baseline: path, 'update-baseline': isUpdated, shard, expect, diff } = values
    if (path === undefined) {
      if (isUpdated) throw new UsageError('`--update-baseline` requires `--baseline FILE`')
      return undefined
    }
    if (expect || diff)
      throw new UsageError(`\`--baseline\` cannot be used with \`--${expect ? 'expect' : 'diff'}\``)
    if (isUpdated && shard !== undefined)
      throw new UsageError('`--update-baseline` cannot be used with `--shard`')
    const bytes = await readBeside(path, { bytes: largestBaseline, isNamed: true })
    if (bytes) return new BaselineFile(path, knownIn(path, bytes), { bytes, isUpdated })
    if (isUpdated) return new BaselineFile(path, new Map(), { bytes, isUpdated })
    throw new FileProblem(path, 'there is no such file; `--update-baseline` writes it')
  }

  /** Takes what was found in one piece of work. */
  add({ paths, found }: BaselineFindings): void {
    for (const path of paths) if (!this.#found.has(path)) this.#found.set(path, new Map())
    for (const it of found) addCount(this.#found, it)
  }

  /** What no longer occurs in files that were checked or are gone, for the rules that were asked for. */
  async stale(isJudged: (rule: string) => boolean): Promise<readonly StaleProblems[]> {
    const stale: StaleProblems[] = []
    for (const [path, rules] of this.#known) {
      if (!(await this.#isCovered(path))) continue
      for (const [rule, fingerprints] of rules) {
        if (!isJudged(rule)) continue
        let count = 0
        for (const [fingerprint, known] of fingerprints) {
          const now = this.#found.get(path)?.get(rule)?.get(fingerprint) ?? 0
          count += Math.max(0, known - now)
        }
        if (count > 0) stale.push({ path, rule, count })
      }
    }
    return stale
  }

  /** Writes what was found; what was not judged stays. @returns the number of problems @throws FileProblem */
  async write(isJudged: (rule: string) => boolean): Promise<number> {
    const written: Counts = new Map()
    let sum = 0
    const take = (all: KnownProblems, isTaken: (path: string, rule: string) => boolean) => {
      for (const [path, rules] of all)
        for (const [rule, fingerprints] of rules) {
          if (!isTaken(path, rule)) continue
          for (const [fingerprint, count] of fingerprints) {
            addCount(written, { path, rule, fingerprint, count })
            sum += count
          }
        }
    }
    const covered = new Set<string>()
    for (const path of this.#known.keys()) if (await this.#isCovered(path)) covered.add(path)
    take(this.#known, (path, rule) => !covered.has(path) || (this.#found.has(path) && !isJudged(rule)))
    take(this.#found, () => true)
    const text = `${JSON.stringify({ schemaVersion, files: sorted(written) }, undefined, 2)}\n`
    if (this.#bytes) await replaceFile(this.path, this.#bytes, text)
    else await createFile(this.path, text)
    return sum
  }

  /** True for a file that was checked, or that is gone. */
  async #isCovered(path: string): Promise<boolean> {
    if (this.#found.has(path)) return true
    return lstat(resolve(this.setup.folder, path)).then(
      () => false,
      ({ code }) => path !== shownInput && (code === 'ENOENT' || code === 'ENOTDIR'), // others may not be gone
    )
  }
}

interface BaselineFileOptions {
  readonly bytes: Uint8Array | undefined
  /** True if what is found is to be written. */
  readonly isUpdated: boolean
}

function addCount(
  counts: Counts,
  { path, rule, fingerprint, count }: BaselineFindings['found'][number],
): void {
  const rules = counts.get(path) ?? new Map<string, Map<string, number>>()
  counts.set(path, rules)
  const fingerprints = rules.get(rule) ?? new Map<string, number>()
  rules.set(rule, fingerprints)
  fingerprints.set(fingerprint, (fingerprints.get(fingerprint) ?? 0) + count)
}

/** As objects with sorted keys, so that a change of the file shows what changed. */
function sorted(counts: Counts | ReadonlyMap<string, unknown>): object {
  const entries = [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([key, it]) => [key, it instanceof Map ? sorted(it) : it]))
}

/** @throws FileProblem for what this program does not write */
function knownIn(path: string, bytes: Uint8Array): KnownProblems {
  const known: Counts = new Map()
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes))
    const { schemaVersion: version, files } = entriesIn(value)
    if (version !== schemaVersion) throw new FileProblem(path, 'is not a baseline of this version of ocm')
    for (const [file, rules] of Object.entries(entriesIn(files)))
      for (const [rule, fingerprints] of Object.entries(entriesIn(rules)))
        for (const [fingerprint, count] of Object.entries(entriesIn(fingerprints))) {
          if (!Number.isSafeInteger(count)) throw new TypeError('a count is a number')
          addCount(known, { path: file, rule, fingerprint, count: Number(count) })
        }
    return known
  } catch (error) {
    if (error instanceof FileProblem) throw error
    throw new FileProblem(
      path,
      'is not a baseline; `--update-baseline` writes a new one after you delete this file',
    )
  }
}

function entriesIn(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new TypeError('an object is expected')
  return value as Readonly<Record<string, unknown>> // whatever its values are
}
