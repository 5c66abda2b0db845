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
