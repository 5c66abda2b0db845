/** What a profile of growth is made of: a text of any size that repeats, nests or leaves open one construct. */

/** A kind of text that may be slow, at any size. */
export interface GrowthProfile {
  /** What the text repeats, unique among all profiles. */
  readonly name: string
  /** The text, of about `size` code units. */
  readonly text: (size: number) => string
  /** What the text is made of, if it is one unit again and again. */
  readonly parts?: { readonly before: string; readonly unit: string; readonly behind: string }
}

/** A name and what its text repeats, or how it is made. */
export type ProfileEntry = readonly [name: string, unit: string | ((size: number) => string)]

/** `unit` as often as `size` has room for it, at least once. */
export function repeated(unit: string, size: number): string {
  return unit.repeat(Math.max(1, Math.floor(size / unit.length)))
}

/** Units with a number each, up to about `size` code units. */
export function numbered(unit: (index: number) => string, size: number): string {
  const parts: string[] = []
  for (let length = 0, index = 0; length < size; index++) {
    const part = unit(index)
    parts.push(part)
    length += part.length
  }
  return parts.join('')
}

/** `open` as often as fits, then `inner`, then as often `close`. */
export function nested(open: string, inner: string, close: string, size: number): string {
  const depth = Math.max(1, Math.floor((size - inner.length) / (open.length + close.length)))
  return open.repeat(depth) + inner + close.repeat(depth)
}

/** Profiles of `entries`, each text between `before` and `behind`, with the name of the group before their own. */
export function profilesOf(
  group: string,
  { before, behind }: { readonly before: string; readonly behind: string },
  entries: readonly ProfileEntry[],
): readonly GrowthProfile[] {
  return entries.map(([name, unit]) => ({
    name: `${group}: ${name}`,
    text: (size) => before + (typeof unit === 'string' ? repeated(unit, size) : unit(size)) + behind,
    ...(typeof unit === 'string' && { parts: { before, unit, behind } }),
  }))
}

/** Two profiles in one text: their units in turn where both are in the same place of a text, else one after the other. */
export function paired(one: GrowthProfile, other: GrowthProfile): GrowthProfile {
  const name = `${one.name} + ${other.name}`
  const [parts, added] = [one.parts, other.parts]
  if (!parts || parts.before !== added?.before || parts.behind !== added.behind)
    return { name, text: (size) => `${one.text(size / 2)}\n${other.text(size / 2)}` }
  const { before, behind } = parts
  return { name, text: (size) => before + repeated(parts.unit + added.unit, size) + behind }
}
