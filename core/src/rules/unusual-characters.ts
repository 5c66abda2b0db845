/** A quick look for characters that the scripts of Europe do without. */
import { copiesQuickly, copyUnits, mostUnits, units } from '../text/code-units.ts'

/** True if a character behind U+200A stands in `text`. */
export function hasUnusualCharacters(text: string): boolean {
  const isLongEnough = text.length >= shortestToCopy && text.length <= mostUnits
  if (copiesQuickly && isLongEnough && !hasHighBits(text)) return false
  return unusual.test(text)
}

/** One range of characters, which is searched fastest. */
const unusual = /[\u200b-\uffff]/

const shortestToCopy = 128 // UTF-16 code units
const pairs = new Int32Array(units.buffer)
units.fill(0xe000, 0, 2)
const highBits = pairs[0] as number // of two code units, in the order of this machine
units.fill(0, 0, 2)

/** True if a code unit of `text` is U+2000 or beyond: all of them are laid upon one another, several at once. */
function hasHighBits(text: string): boolean {
  const end = copyUnits(text, 0)
  units.fill(0, end, end + 7)
  let [a, b, c, d] = [0, 0, 0, 0]
  for (let at = 0; 2 * at < end; at += 4) {
    a |= pairs[at] as number
    b |= pairs[at + 1] as number
    c |= pairs[at + 2] as number
    d |= pairs[at + 3] as number
  }
  return ((a | b | c | d) & highBits) !== 0
}
