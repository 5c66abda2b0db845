/** Finds data of persons: only what its own check digits, or its shape, make certain. */
import type { Range } from '../text/range.ts'

/** Data of a person in a text. */
export interface PersonalDatum {
  readonly range: Range
  readonly kind: 'mail' | 'phone' | 'card' | 'iban' | 'address'
}

const mail = /(?<![\w.+-])[\w.+-]{1,64}@(?:[A-Za-z0-9-]{1,63}\.){1,4}[A-Za-z]{2,24}(?![\w-]|\.\w)/g
/** Names for documentation and tests (RFC 2606, RFC 6761), and others that stand for any name. */
const reservedNames = [
  'example',
  'test',
  'invalid',
  'localhost',
  'local',
  'domain',
  'email',
  'company',
  'yourdomain',
]
/** Addresses that belong to no particular person. */
const commonUsers = /^(?:no-?reply|git|user|username|name|info|support|you|me|test)$/i

/** What precedes the name or the password in an address such as `postgres://app:password@db`. */
const endsInAddress = /:\/\/(?:[\w.+-]{0,64}:)?$/

/** With the country, as people write it; the numbers of national plans look like any other number. */
const phone =
  /(?<![\w+.])\+[1-9]\d{0,2}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{2,4}(?:[ .-]?\d{2,4}){2,4}(?![\w.-]?\d)/g
/** In groups, as on a card: numbers without are ids of anything. */
const card = /(?<![\w.-])(?:(?:\d{4}[ -]){3}\d{4}|3[47]\d{2}[ -]\d{6}[ -]\d{5})(?![\w-])(?!\.\d)/g
const iban = /(?<!\w)[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?(?!\w)/g
const address = /(?<![\w.-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)/g
/** An IPv6 address that is routed on the Internet. */
const longAddress = /(?<![\w:.])[23][\da-f]{3}(?::[\da-f]{0,4}){2,7}(?![\w:/])(?!\.\d)/gi
/** Networks of documentation, and of public resolvers. */
const commonNetworks = /^(?:2001:0?db8|2001:4860:4860|2606:4700:4700|2620:fe|2620:119|3fff)(?::|$)/i

/** Card numbers that payment services publish for tests. */
const testCards =
  /^(?:4111111111111111|4242424242424242|5555555555554444|378282246310005|4012888888881881|4000\d+|5105105105105100|6011111111111117|30569309025904|3566002020360505)$/

/** The personal data in `text`, in its order. Linear. */
export function personalDataIn(text: string): readonly PersonalDatum[] {
  const found: PersonalDatum[] = []
  const add = (
    kind: PersonalDatum['kind'],
    pattern: RegExp,
    isMeant: (match: string, at: number) => boolean,
  ) => {
    for (const { 0: match, index } of text.matchAll(pattern))
      if (isMeant(match, index)) found.push({ kind, range: { start: index, end: index + match.length } })
  }
  if (text.includes('@'))
    add('mail', mail, (it, at) => isOfPerson(it) && !endsInAddress.test(text.slice(Math.max(0, at - 70), at)))
  if (!/\d{2}/.test(text)) return found
  if (text.includes('+')) add('phone', phone, isPhone)
  add('card', card, (it) => isCard(it.replace(/\D/g, '')))
  add('iban', iban, isIban)
  add(
    'address',
    address,
    (it, at) => isMachine(it) && !/version|release|v\.? ?$/i.test(text.slice(Math.max(0, at - 12), at)),
  )
  if (text.includes(':')) add('address', longAddress, isLongAddress)
  return found.sort((one, other) => one.range.start - other.range.start)
}

function isOfPerson(match: string): boolean {
  const at = match.indexOf('@')
  const labels = match
    .slice(at + 1)
    .toLowerCase()
    .split('.')
    .slice(-2)
  return !commonUsers.test(match.slice(0, at)) && !labels.some((it) => reservedNames.includes(it))
}

/** 555 is for fiction; and a number without any separator that is not long enough is a sum. */
function isPhone(match: string): boolean {
  const digits = match.replace(/\D/g, '')
  return digits.length >= 10 && digits.length <= 15 && !/^1\d{3}555|^1555|(\d)\1{5}|123456/.test(digits)
}

/** The check digit of Luhn, and a number that is not of a test. */
function isCard(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19 || !/^(?:4|5[1-5]|2[2-7]|3[47]|6011|65|35)/.test(digits))
    return false
  if (testCards.test(digits) || new Set(digits).size < 4) return false
  let sum = 0
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index])
    const doubled = index % 2 === 0 ? digit : digit * 2
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The check digits of ISO 7064. */
function isIban(match: string): boolean {
  const word = match.replaceAll(' ', '')
  if (word.length < 15 || word.length > 34) return false
  let rest = 0
  for (const character of word.slice(4) + word.slice(0, 4)) {
    const value = Number.parseInt(character, 36)
    rest = (value > 9 ? rest * 100 + value : rest * 10 + value) % 97
  }
  return rest === 1
}

/** A public IPv4 address: not of a private network, of documentation, or of a well-known service. */
function isMachine(match: string): boolean {
  const [a = 0, b = 0, c = 0, d = 0] = match.split('.').map(Number)
  if ([a, b, c, d].some((it) => it > 255) || /(?:^|\.)0\d/.test(match)) return false
  if (a === 0 || a === 10 || a === 127 || a >= 224) return false
  if ((a === 172 && b >= 16 && b < 32) || (a === 192 && b === 168) || (a === 169 && b === 254)) return false
  if (a === 100 && b >= 64 && b < 128) return false
  const isDocumented =
    (a === 192 && b === 0) || (a === 198 && (b === 51 || b === 18 || b === 19)) || (a === 203 && b === 0)
  // Versions have small numbers, and resolvers repeat theirs.
  const isShort = a < 20 && b < 20 && c < 20
  const isResolver =
    (a === b && b === c) || (a === b && c === d) || match === '1.1.1.1' || match === '9.9.9.9'
  return !isDocumented && !isShort && !isResolver && d !== 0 && !(b === 255 && c === 255)
}

/** Eight groups, or fewer with one gap; with a gap at its end, it is a network. */
function isLongAddress(match: string): boolean {
  const groups = match.split(':')
  const nEmpty = groups.filter((it) => it === '').length
  const isWhole = nEmpty === 0 ? groups.length === 8 : nEmpty === 1 && groups.length < 8
  return isWhole && !commonNetworks.test(match)
}
