/** Words as a reader sees them, so that a word that only looks like another one is recognized. */
import { editDistance } from '../text/edit-distance.ts'

/** `word` in lower case without what is invisible, and with Latin letters for characters that look like them. */
export function readableForm(word: string): string {
  if (/^[a-z_.=:-]*$/.test(word)) return word
  const visible = word.normalize('NFKD').replace(invisible, '').toLowerCase()
  return visible.replace(lookAlike, (it) => latin.get(it) ?? it)
}

/** True if `word`, a readable form, differs from `known` in at most two letters; in one, if `known` is short. */
export function isNearTo(word: string, known: string): boolean {
  const tolerated = known.length < 8 ? 1 : 2
  return Math.abs(word.length - known.length) <= tolerated && editDistance(word, known) <= tolerated
}

/** Format characters, marks on letters, and everything else that has no width. */
const invisible = /[\p{Cf}\p{Cc}\p{M}\p{Default_Ignorable_Code_Point}]/gu

/** For each Latin letter, what looks like it in other scripts and in small print. Lower case, after NFKD. */
const lookAlikes: Readonly<Record<string, string>> = {
  a: 'аαɑᴀ@4',
  c: 'сϲᴄ¢',
  d: 'ԁᴅ',
  e: 'еεҽєᴇ3',
  f: 'ƒꜰ',
  g: 'ɡɢ',
  h: 'һհʜ',
  i: 'іιıɪ!¡|1',
  k: 'кκᴋ',
  l: 'ӏⅼʟ',
  m: 'мᴍ',
  n: 'пηոɴ',
  o: 'оοօσᴏ0ø',
  p: 'рρᴘ',
  r: 'гʀ',
  s: 'ѕꜱ$5',
  t: 'тτᴛ',
  u: 'υսᴜ',
  y: 'уүγʏ',
}

const latin: ReadonlyMap<string, string> = new Map(
  Object.entries(lookAlikes).flatMap(([letter, others]) => [...others].map((it) => [it, letter] as const)),
)
// Linear: one code point.
const lookAlike = new RegExp(`[${[...latin.keys()].map((it) => it.replace(/[$|]/, '\\$&')).join('')}]`, 'gu')
