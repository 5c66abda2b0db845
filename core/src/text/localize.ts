/**
 * What users read, in their language. English is what the sources say; a bundle of translations takes its place.
 * The language belongs to the process: it is set once, before anything is shown.
 */

import { withoutBackticks } from './in-backticks.ts'
import { releaseTexts } from './memo.ts'

/** Translations by the English text, in which `{0}`, `{1}` … stand for what is filled in. */
export type Translations = Readonly<Record<string, string>>

/** What may be filled in; undefined is written as a template would write it. */
export type Filling = string | number | undefined

let translations: ReadonlyMap<string, string> | undefined

/** Sets the language of everything that is shown from now on; English without an argument. */
export function setTranslations(bundle?: Translations): void {
  const entries =
    bundle === undefined ? [] : Object.entries(bundle).filter(([, text]) => typeof text === 'string')
  translations = entries.length > 0 ? new Map(entries) : undefined
  releaseTexts() // what is remembered has messages in the language before
}

/** A tag: the text in the language that is set. What is filled in between backticks has `'` for backticks in it. */
export function localize(strings: TemplateStringsArray, ...values: readonly Filling[]): string {
  const fillings = values.some(hasBacktick)
    ? values.map((it, nth) => (isQuoted(strings, nth) ? withoutBackticks(String(it)) : it))
    : values
  const translated = translations?.get(keyOf(strings))
  if (translated !== undefined) return filled(translated, fillings)
  let text = strings[0] ?? ''
  for (let nth = 0; nth < fillings.length; nth++) text += String(fillings[nth]) + (strings[nth + 1] ?? '')
  return text
}

function hasBacktick(filling: Filling): boolean {
  return typeof filling === 'string' && filling.includes('`')
}

/** True if the place of a filling is between backticks. */
function isQuoted(strings: TemplateStringsArray, nth: number): boolean {
  const before = strings.slice(0, nth + 1).join('')
  return (before.split('`').length - 1) % 2 === 1
}

/** A tag for texts that are made before the language is set, in tables: as it stands, for {@link localized} to look up. */
export function localizable(strings: TemplateStringsArray): string {
  return strings[0] ?? ''
}

/** A text of a table in the language that is set: one that is {@link localizable}, or documentation of the vocabulary. */
export function localized(text: string): string {
  return translations?.get(text) ?? text
}

let keys: WeakMap<TemplateStringsArray, string> | undefined // made when it is first needed: bundlers may run a text before this line

function keyOf(strings: TemplateStringsArray): string {
  keys ??= new WeakMap()
  const known = keys.get(strings)
  if (known !== undefined) return known
  const key = strings.reduce((text, it, index) => `${text}{${index - 1}}${it}`)
  keys.set(strings, key)
  return key
}

/** What is filled in is text, whatever it says: it is never looked through for more places. */
function filled(text: string, fillings: readonly Filling[]): string {
  return text.replace(/\{(\d+)\}/g, (place, index) => String(fillings[Number(index)] ?? place))
}
