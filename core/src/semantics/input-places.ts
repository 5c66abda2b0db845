/** Where the names of inputs are: in their declarations, in the templates of bodies, and in the cases of the header. */
import { type HeaderEntry, valueAt } from '../embedded/yaml-header.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Range } from '../text/range.ts'
import type { Analysis } from './analysis.ts'
import { casesKey, type Input, inputsOf } from './inputs.ts'
import { nearest } from './nearest.ts'
import { placeAt, placeBehind, rangeIn } from './place.ts'
import { templateOf } from './template-body.ts'

/** The name of an input in the text. */
export interface InputPlace {
  readonly kind: 'declaration' | 'use' | 'case'
  readonly name: string
  readonly segment: Segment
  /** The name without quotes. */
  readonly range: Range
}

/** The inputs that the header declares; undefined if it declares none. */
export function declaredInputs(analysis: Analysis): readonly Input[] | undefined {
  return analysis.settings.inputs && inputsOf(analysis.header.filled)
}

/** The name of an input that touches `offset`, declared or not; undefined in a transcript without `inputs`. */
export function inputPlaceAt(analysis: Analysis, offset: number): InputPlace | undefined {
  if (!analysis.settings.inputs) return undefined
  const here = placeAt(analysis, offset)
  const behind = placeBehind(analysis, offset)
  for (const { segment } of here.segment === behind.segment ? [here] : [here, behind]) {
    const found = placesOf(analysis, segment).find(
      ({ range }) => range.start <= offset && offset <= range.end,
    )
    if (found) return found
  }
  return undefined
}

/** The places of the input called `name` in document order: those in the header and in at most `atMost` messages, the nearest to `from`. */
export function inputPlaces(
  analysis: Analysis,
  { name, segment: from }: Pick<InputPlace, 'name' | 'segment'>,
  atMost: number,
): readonly InputPlace[] {
  const users = [...(analysis.templates?.users(name) ?? [])]
  const found = [analysis.preamble, ...nearest(users, from, atMost)].flatMap((segment) =>
    placesOf(analysis, segment).filter((it) => it.name === name),
  )
  return found.sort((one, other) => one.range.start - other.range.start)
}

function placesOf(analysis: Analysis, segment: Segment): readonly InputPlace[] {
  if (segment === analysis.preamble) return placesInHeader(analysis)
  const template = templateOf(segment)
  const located = template && analysis.transcript.locate(segment)
  if (!located) return []
  return template.names.map(({ name, range }) => ({
    kind: 'use',
    name,
    segment,
    range: rangeIn(located, template.source.spanOf(range)),
  }))
}

function placesInHeader(analysis: Analysis): readonly InputPlace[] {
  const { header, preamble: segment } = analysis
  const inputs = inputsOf(header.filled) ?? []
  const names = new Set(inputs.map(({ name }) => name))
  const placeOf = (kind: 'declaration' | 'case', { key, keyRange }: HeaderEntry): readonly InputPlace[] => {
    if (!keyRange) return []
    const { start, end } = withoutQuotes(header.yaml.text, keyRange)
    const range = { start: header.offset + start, end: header.offset + end }
    return [{ kind, name: String(key), segment, range }]
  }
  const cases = valueAt(header.filled, [casesKey])?.children ?? []
  return [
    ...inputs.flatMap(({ entry }) => placeOf('declaration', entry)),
    ...cases.flatMap(({ children }) =>
      children.filter(({ key }) => names.has(String(key))).flatMap((it) => placeOf('case', it)),
    ),
  ]
}

/** The inside of the key of `text` at `range`. */
export function withoutQuotes(text: string, { start, end }: Range): Range {
  const isQuoted = /^["'].*["']$/s.test(text.slice(start, end))
  return isQuoted ? { start: start + 1, end: end - 1 } : { start, end }
}
