/** Numbers as the language of the page writes them. */
import { localize } from '../render/page-texts.ts'

/** `1,234`. */
export function numberText(document: Document, value: number): string {
  return value.toLocaleString(document.documentElement.lang || 'en')
}

/** `1 token`, `1,234 tokens`. */
export function tokensText(document: Document, count: number): string {
  return count === 1 ? localize`1 token` : localize`${numberText(document, count)} tokens`
}

/** `12 ms`, `1.5 s`, `2 min 5 s`. */
export function durationText(document: Document, milliseconds: number): string {
  if (milliseconds < 1000) return localize`${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 60) return localize`${numberText(document, Math.round(seconds * 10) / 10)} s`
  return localize`${numberText(document, Math.floor(seconds / 60))} min ${Math.round(seconds % 60)} s`
}
