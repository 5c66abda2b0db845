/** A report for programs, and for `--merge`. */
import { isObject, isStatisticsData, type StatisticsData } from '../../../core/src/internal.ts'
import { datasetsOfPart } from '../dataset/report-title.ts'
import { type UnreadData, unreadOfPart } from '../dataset/unread-input.ts'
import { areProblemSums, type ProblemSumsData } from './problem-sums.ts'
import type { PlacedMark } from './report-work.ts'

const schemaVersion = 1

/** The parts of a report, which merge to the whole; what its samples are compared by is apart. */
export interface ReportParts {
  readonly datasets: readonly string[]
  readonly statistics: StatisticsData
  readonly problems: ProblemSumsData
  readonly unread: UnreadData
}

/** A report that was written for `--merge`. */
export interface ReadReport extends ReportParts {
  /** Those of the dataset that is compared with come first, and are not part of it. */
  readonly others: readonly PlacedMark[]
  readonly marks: readonly PlacedMark[]
}

/** One JSON object. The marks of samples have no text, and duplicates in other parts are found by them. */
export function reportJson(
  { datasets, statistics, problems, unread }: ReportParts,
  { others, marks }: { readonly others: PackedMarks; readonly marks: PackedMarks },
): string {
  const { samples } = statistics
  const parts = { schemaVersion, kind: 'report', datasets, unread, samples, statistics, problems }
  const head = JSON.stringify(parts).slice(0, -1)
  return `${head},"others":[${others.json()}],"marks":[${marks.json()}]}`
}

/** Marks as they are written, which takes less memory than the marks: some 300 bytes each. */
export class PackedMarks {
  /** Some thousand marks each. */
  readonly #chunks: string[] = []
  #last: string[] = []

  add(mark: PlacedMark): void {
    this.#last.push(JSON.stringify(packed(mark)))
    if (this.#last.length < chunkLength) return
    this.#chunks.push(this.#last.join())
    this.#last = []
  }

  /** The elements of a list. */
  json(): string {
    return [...this.#chunks, ...(this.#last.length > 0 ? [this.#last.join()] : [])].join()
  }
}

const chunkLength = 4096

/** The report that {@link reportJson} wrote to the file `path`; undefined for any other text. */
export function reportFromJson(text: string, path: string): ReadReport | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  const {
    schemaVersion: version,
    kind,
    datasets,
    statistics,
    problems,
    unread,
    others,
    marks,
  } = value as Record<string, unknown>
  if (version !== schemaVersion || kind !== 'report') return undefined
  if (!isStatisticsData(statistics) || !areProblemSums(problems)) return undefined
  const [ofOthers, own] = [unpackedAll(others), unpackedAll(marks)]
  if (!ofOthers || !own) return undefined
  return {
    datasets: datasetsOfPart(datasets, path),
    statistics,
    problems,
    unread: unreadOfPart(unread),
    others: ofOthers,
    marks: own,
  }
}

function packed({ shown, number, mark }: PlacedMark): readonly unknown[] {
  const { hash, signature, longerBy = null } = mark
  const flags = [
    mark.hasTextArguments,
    mark.hasObjectArguments,
    mark.hasInlineReasoning,
    mark.hasSeparateReasoning,
  ].map(Number)
  const bytes = signature && Buffer.from(signature.buffer, signature.byteOffset, signature.byteLength)
  return [shown, number, ...hash, bytes?.toString('base64') ?? '', ...flags, longerBy]
}

function unpackedAll(value: unknown): readonly PlacedMark[] | undefined {
  if (!Array.isArray(value)) return undefined
  const marks = value.map(unpacked)
  return marks.every((it) => it !== undefined) ? marks : undefined
}

const signatureBytes = 160

function unpacked(value: unknown): PlacedMark | undefined {
  if (!Array.isArray(value) || value.length !== 10) return undefined
  const [shown, number, high, low, text, ...rest] = value
  const [hasText, hasObject, hasInline, hasSeparate, longerBy] = rest
  if (typeof shown !== 'string' || typeof text !== 'string') return undefined
  if (![number, high, low, ...rest.slice(0, 4)].every(Number.isSafeInteger)) return undefined
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length !== 0 && bytes.length !== signatureBytes) return undefined
  const signature = bytes.length === 0 ? undefined : new Uint16Array(Uint8Array.from(bytes).buffer)
  const mark = {
    hash: [high, low],
    signature,
    hasTextArguments: hasText === 1,
    hasObjectArguments: hasObject === 1,
    hasInlineReasoning: hasInline === 1,
    hasSeparateReasoning: hasSeparate === 1,
    longerBy: typeof longerBy === 'number' ? longerBy : undefined,
  } as const
  return { shown, number, mark }
}
