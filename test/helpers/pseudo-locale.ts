/** A language that nobody speaks, in which every translated letter is wide: what is left in plain letters was not translated. */
import { readFileSync } from 'node:fs'
import type { Translations } from '../../core/src/internal.ts'

/** All texts of the bundle in that language. */
export function pseudoLocale(): Translations {
  const bundle: Translations = JSON.parse(readFileSync('l10n/bundle.l10n.json', 'utf8'))
  return Object.fromEntries(Object.entries(bundle).map(([english, text]) => [english, wide(text)]))
}

/** `text` in wide letters; what stands in backticks, and places to be filled in, stay. */
export function wide(text: string): string {
  return text.replace(/(`[^`]*`|\{\d+\})|[A-Za-z]/g, (letter, kept) =>
    kept === undefined ? String.fromCharCode(letter.charCodeAt(0) + 0xfee0) : letter,
  )
}

/** The words of `text` that are in no other language than English; what stands in backticks and in code blocks is none of them. */
export function plainWords(text: string): readonly string[] {
  const prose = text
    .replace(/^(`{3,}).*?^\1/gms, '')
    .replace(/``.*?``|`[^`]*`/gs, '')
    .replace(/\*OpenChatML [^*]*\*/g, '')
  return prose.match(/[A-Za-z]{2,}/g) ?? []
}
