/** What a key of the header was probably meant to be. Unknown keys are not a problem (2.2 §2), so this is offered and never reported. */
import { schemaAt } from '../embedded/header-schema.ts'
import { entryAt } from '../embedded/yaml-header.ts'
import { closestWord } from '../rules/closest-word.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { documentHeaderSchema } from '../semantics/document-header-schema.ts'
import { localize } from '../text/localize.ts'
import type { TextEdit } from '../text/range.ts'

/** A known key in the place of an unknown one. */
export interface HeaderTypo {
  readonly title: string
  readonly edit: TextEdit
}

/** The known key that the unknown one at `offset` is a slip of, unless its mapping has that key too. */
export function headerTypoAt({ preamble, header }: Analysis, offset: number): HeaderTypo | undefined {
  if (preamble.kind !== 'preamble' || offset > preamble.length) return undefined
  const place = entryAt(header.yaml, offset - header.offset)
  if (place?.part !== 'key' || !place.entry.keyRange) return undefined
  const key = String(place.path.at(-1))
  const mapping = place.path.slice(0, -1)
  const known = Object.keys(schemaAt(documentHeaderSchema, mapping)?.properties ?? {})
  if (known.includes(key)) return undefined
  const siblings = mapping.length === 0 ? header.yaml.entries : entryWithin(header.yaml.entries, mapping)
  const word = closestWord(key, known)
  if (word === undefined || siblings.some((it) => it.key === word)) return undefined
  const { start, end } = place.entry.keyRange
  const quote = /^["']/.exec(header.yaml.text.slice(start, end))?.[0] ?? ''
  return {
    title: localize`Write \`${word}\``,
    edit: { start: header.offset + start, end: header.offset + end, text: quote + word + quote },
  }
}

function entryWithin(entries: Analysis['header']['yaml']['entries'], path: readonly (string | number)[]) {
  let level = entries
  for (const key of path) level = level.find((it) => it.key === key)?.children ?? []
  return level
}
