/** Where an input is named in the files that belong to a prompt, which features for one document do not see. */
import { scanJinja } from '../embedded/jinja.ts'
import { readMapping } from '../embedded/yaml-header.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { withoutQuotes } from '../semantics/input-places.ts'
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

/** True if a part that uses the input `name` would take it for something else if it were called `renamed`. */
export function isNameTakenIn(
  analysis: Analysis,
  files: readonly PromptFileText[],
  { name, renamed }: { readonly name: string; readonly renamed: string },
): boolean {
  const parts = files.filter(({ kind }) => kind === 'part')
  if (parts.every((it) => namesIn(it, name).length === 0)) return false
  return hasVariable(analysis, parts, renamed) || parts.some((it) => namesIn(it, renamed).length > 0)
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
