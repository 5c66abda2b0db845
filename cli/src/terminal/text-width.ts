/** How many columns of a terminal a text takes. */
import { displayable, tab } from './displayable.ts'

/** A character as people see it, made displayable. */
export interface Cell {
  readonly shown: string
  /** Columns that `shown` takes. */
  readonly width: number
  /** UTF-16 code units that it stands for. */
  readonly length: number
}

// Scripts whose characters take two columns, and emoji. What a terminal does not know it may draw otherwise.
const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\ufe0f/u
const plain = /^[\x20-\x7e]*$/
const invisible = /^[\p{Mark}\p{Format}]+$/u

let segmenter: Intl.Segmenter | undefined

/** The characters of `line`, which holds no line break. */
export function cellsOf(line: string): readonly Cell[] {
  if (plain.test(line)) return Array.from(line, (shown) => ({ shown, width: 1, length: 1 }))
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segmenter.segment(line), ({ segment }) => cellOf(segment))
}

/** The columns that `cells` take. */
export function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, { width }) => sum + width, 0)
}

function cellOf(character: string): Cell {
  const { length } = character
  if (character === '\t') return { shown: tab, width: tab.length, length }
  const shown = displayable(character).replaceAll('\n', '␊')
  if (shown !== character) return { shown, width: shown.length, length }
  if (wide.test(character)) return { shown, width: 2, length }
  return { shown, width: invisible.test(character) ? 0 : 1, length }
}
