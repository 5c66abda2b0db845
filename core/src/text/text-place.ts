/**
 * Finds one text in another in time that is linear in both. The engine's own search compares as many characters as both
 * lengths multiplied where texts repeat themselves, such as `aaabaaa` in `aaaaaaaaa`.
 */

const longestProbe = 64 // code units; looking for as many takes at most 64 comparisons a place, and mostly one
const mostCompared = 2 // times the way so far, until the search goes on with a table

/** Where `sought` is in `text` for the first time, from `from` on; -1 if it is not. As `indexOf`. */
export function placeOfText(text: string, sought: string, from = 0): number {
  if (sought.length <= longestProbe) return text.indexOf(sought, from)
  const probe = sought.slice(0, longestProbe)
  let compared = 0
  for (let at = text.indexOf(probe, from); at !== -1; at = text.indexOf(probe, at + 1)) {
    if (text.startsWith(sought, at)) return at
    compared += sought.length
    if (compared > mostCompared * (at - from + sought.length)) return walkedPlace(text, sought, at + 1)
  }
  return -1
}

/** Where `sought` is in `text` for the last time; -1 if it is not. As `lastIndexOf`. */
export function lastPlaceOfText(text: string, sought: string): number {
  if (sought.length <= longestProbe) return text.lastIndexOf(sought)
  const probe = sought.slice(0, longestProbe)
  let compared = 0
  for (let at = text.lastIndexOf(probe); at !== -1; at = at === 0 ? -1 : text.lastIndexOf(probe, at - 1)) {
    if (text.startsWith(sought, at)) return at
    compared += sought.length
    if (compared > mostCompared * (text.length - at)) return lastWalkedPlace(text, sought)
  }
  return -1
}

/** As {@link placeOfText}, without going back in `text`. */
function walkedPlace(text: string, sought: string, from: number): number {
  const borders = bordersOf(sought)
  let matched = 0
  for (let at = from; at < text.length; at++) {
    matched = matchedAfter(sought, borders, matched, text.charCodeAt(at))
    if (matched === sought.length) return at + 1 - matched
  }
  return -1
}

/** As {@link lastPlaceOfText}, from the first place to the last. */
function lastWalkedPlace(text: string, sought: string): number {
  const borders = bordersOf(sought)
  let matched = 0
  let last = -1
  for (let at = 0; at < text.length; at++) {
    matched = matchedAfter(sought, borders, matched, text.charCodeAt(at))
    if (matched === sought.length) last = at + 1 - matched
  }
  return last
}

/** How much of `sought` ends at a place with `unit`, if `matched` of it ends before. */
function matchedAfter(sought: string, borders: Uint32Array, matched: number, unit: number): number {
  let length = matched === sought.length ? (borders[matched] ?? 0) : matched
  while (length > 0 && sought.charCodeAt(length) !== unit) length = borders[length] ?? 0
  return sought.charCodeAt(length) === unit ? length + 1 : 0
}

/** For each length of a beginning of `text`, the longest shorter beginning that it ends with. */
function bordersOf(text: string): Uint32Array {
  const borders = new Uint32Array(text.length + 1)
  for (let index = 1, length = 0; index < text.length; index++) {
    length = matchedAfter(text, borders, length, text.charCodeAt(index))
    borders[index + 1] = length
  }
  return borders
}
