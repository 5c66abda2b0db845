/** One line of a review file (S9): what a person said about a sample, or about a message of it. */
import type { JsonObject } from '../embedded/yaml-header.ts'
import { localizable, localize, localized } from '../text/localize.ts'
import { type Decision, decisions } from '../vocabulary/decisions.ts'

/** The labels that reviewers are offered where no configuration names others (S10). */
export const usualLabels: readonly string[] = ['good', 'wrong', 'unsafe', 'refusal', 'duplicate']

/** A line. What is undefined is not said, and leaves what was said before. */
export interface ReviewLine {
  /** Where the sample was: its line from 1, or its element or row from 0. */
  readonly place: number
  /** `sha256:` and the digest of the canonical conversation in hexadecimal. */
  readonly hash: string
  /** Null takes a decision back. */
  readonly decision?: Decision | null
  readonly labels?: readonly string[]
  /** Null, or empty, takes a note back. */
  readonly note?: string | null
  /** The message of the conversation that the line is about, from 0; absent for all of the sample. */
  readonly message?: number
  /** The branch that the line is about (S11). */
  readonly branch?: string
  /** Who says so. */
  readonly by?: string
  /** When, as ISO 8601. */
  readonly at?: string
}

/** A line, or why it isn't one. */
export type ReadReviewLine =
  | { readonly kind: 'line'; readonly line: ReviewLine }
  | { readonly kind: 'broken'; readonly message: string }

const version = 1

/** Reads one line of a review file. Fields that this version does not know are left out; nothing is thrown. */
export function readReviewLine(text: string): ReadReviewLine {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { kind: 'broken', message: localize`This is not JSON` }
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { kind: 'broken', message: localize`Expected an object` }
  const object = value as JsonObject
  if (object.v !== version) return { kind: 'broken', message: localize`Expected \`"v":${version}\`` }
  for (const [key, isRight, expected] of fields) {
    if (object[key] !== undefined && !isRight(object[key]))
      return { kind: 'broken', message: localize`\`${key}\` must be ${localized(expected)}` }
  }
  for (const key of ['place', 'hash'])
    if (object[key] === undefined) return { kind: 'broken', message: localize`\`${key}\` is missing` }
  const known = fields.flatMap(([key]) => (object[key] === undefined ? [] : [[key, object[key]] as const]))
  return { kind: 'line', line: Object.fromEntries(known) as unknown as ReviewLine } // each was checked
}

/** The line as text, without a line break. */
export function writeReviewLine(line: ReviewLine): string {
  return JSON.stringify({ v: version, ...Object.fromEntries(fields.map(([key]) => [key, line[key]])) })
}

const isText = (value: unknown) => typeof value === 'string'
const isIndex = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0
const isTexts = (value: unknown) => Array.isArray(value) && value.every(isText)

/** The fields in the order in which they are written. */
const fields: readonly (readonly [
  key: keyof ReviewLine & string,
  isRight: (value: unknown) => boolean,
  expected: string,
])[] = [
  ['place', isIndex, localizable`a whole number`],
  [
    'hash',
    (value) => isText(value) && /^sha256:[\da-f]{64}$/.test(value as string),
    localizable`\`sha256:\` and 64 hexadecimal digits`,
  ],
  [
    'decision',
    (value) => value === null || decisions.some((it) => it === value),
    '`keep`, `reject`, `fix`, or null',
  ],
  ['labels', isTexts, localizable`a list of strings`],
  ['note', (value) => value === null || isText(value), localizable`a string or null`],
  ['message', isIndex, localizable`a whole number`],
  ['branch', isText, localizable`a string`],
  ['by', isText, localizable`a string`],
  ['at', isText, localizable`a string`],
]
