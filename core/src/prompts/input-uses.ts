/** Where an input is named in the files that belong to a prompt, which features for one document do not see. */
import { isCutOff, scanJinja } from '../embedded/jinja.ts'
import { readMapping } from '../embedded/yaml-header.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { withoutQuotes } from '../semantics/input-places.ts'
import { nameTaken, usesUnknown } from '../semantics/inputs.ts'
import { templateOf } from '../semantics/template-body.ts'
import type { Range } from '../text/range.ts'
import { largestCases } from './cases.ts'

/** A file that belongs to a prompt. */
export interface PromptFileText {
  readonly kind: 'part' | 'cases'
  readonly uri: string
  readonly text: string
}

/** The places of an input in a file. */
export interface InputUses {
  readonly file: PromptFileText
  readonly ranges: readonly Range[]
}

/** The places of the input `name` in `files`, which belong to the prompt of `analysis`: keys of cases, and names in parts. Linear. */
export function inputUses(
  analysis: Analysis,
  files: readonly PromptFileText[],
  name: string,
): readonly InputUses[] {
  // Where a template gives the name another value, the parts that it includes may get that.
  const isVariable = hasVariable(analysis, files, name)
  const found = files.map((file) => ({
    file,
    ranges: file.kind === 'cases' ? keysIn(file, name) : isVariable ? [] : namesIn(file, name),
  }))
  return found.filter(({ ranges }) => ranges.length > 0)
}

/** Why the input `name` cannot be called `renamed` because of what the parts among `files` say; undefined if it can. */
export function refusalByParts(
  analysis: Analysis,
  files: readonly PromptFileText[],
  { name, renamed }: { readonly name: string; readonly renamed: string },
): string | undefined {
  const parts = files.filter(({ kind }) => kind === 'part')
  if (parts.some(({ text }) => isCutOff(scanJinja(text)))) return usesUnknown(name)
  if (parts.every((it) => namesIn(it, name).length === 0)) return undefined
  const isTaken = hasVariable(analysis, parts, renamed) || parts.some((it) => namesIn(it, renamed).length > 0)
  return isTaken ? nameTaken() : undefined
}

function keysIn({ text }: PromptFileText, name: string): readonly Range[] {
  return readMapping(text, largestCases)
    .entries.flatMap(({ children }) => children)
    .flatMap(({ key, keyRange }) => (String(key) === name && keyRange ? withoutQuotes(text, keyRange) : []))
}

function namesIn({ text }: PromptFileText, name: string): readonly Range[] {
  return scanJinja(text).names.flatMap((it) => (it.name === name ? it.range : []))
}

function hasVariable({ transcript }: Analysis, files: readonly PromptFileText[], name: string): boolean {
  if (files.some(({ kind, text }) => kind === 'part' && scanJinja(text).locals.has(name))) return true
  for (const { segment } of transcript.segments()) if (templateOf(segment)?.locals.has(name)) return true
  return false
}
