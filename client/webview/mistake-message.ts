/** Why a sample cannot be read, and where, as the list and a review say it. */
import { localize } from '../render/page-texts.ts'
import type { UnreadSampleWords } from '../src/datasets/dataset-protocol.ts'
import { make } from './elements.ts'
import { numberText } from './number-text.ts'

/** The sentence; what is in backticks is code. */
export function mistakeMessage(document: Document, sample: UnreadSampleWords): HTMLElement {
  const pieces = textOf(document, sample).split(/`([^`]*)`/)
  const nodes = pieces.map((it, index) => (index % 2 === 1 ? make(document, 'code', {}, it) : it))
  return make(document, 'span', 'message', ...nodes)
}

function textOf(document: Document, { samples, number: place, origin, content }: UnreadSampleWords): string {
  const { line, column, message } = content
  if (origin !== undefined) return localize`${origin}: ${message}`
  const number = numberText(document, place)
  switch (samples) {
    case 'lines':
      return localize`Line ${number}, column ${column}: ${message}`
    case 'list':
      return localize`Place ${number}, line ${line}, column ${column}: ${message}`
    case 'rows':
      return localize`Row ${number}: ${message}`
  }
}
