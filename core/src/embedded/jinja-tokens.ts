/** The words inside one tag of Jinja. */

/** A word of an expression. Offsets are those of the template. */
export interface JinjaToken {
  readonly kind: 'name' | 'string' | 'number' | 'sign'
  /** A name or sign as written; a string as its value. */
  readonly text: string
  readonly start: number
  readonly end: number
  /** How many brackets are open around it; a bracket itself counts as outside. */
  readonly depth: number
}

/** A tag as words. */
export interface LexedTag {
  readonly tokens: readonly JinjaToken[]
  /** Where its inside ends, and where it ends; undefined if it has no end. */
  readonly end: { readonly inside: number; readonly outside: number } | undefined
  /** True if a string in it has no end. */
  readonly hasOpenString: boolean
}

const word = /[\p{L}_][\p{L}\p{N}_]*/uy
const number = /\d[\d_]*(?:\.\d+)?/y
const doubled: ReadonlySet<string> = new Set(['==', '!=', '<=', '>=', '**', '//'])
const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

/** Reads the tag whose inside begins at `from` up to `closer`, which counts where no bracket is open. */
export function lexTag(text: string, from: number, closer: '}}' | '%}'): LexedTag {
  const tokens: JinjaToken[] = []
  let depth = 0
  let at = from
  while (at < text.length) {
    const character = text.charAt(at)
    if (depth === 0 && closesAt(text, at, closer)) {
      const outside = at + ('-+'.includes(character) ? 3 : 2)
      return { tokens, end: { inside: at, outside }, hasOpenString: false }
    }
    if (character.trim() === '') {
      at++
      continue
    }
    if (character === '"' || character === "'") {
      const string = stringAt(text, at)
      if (!string) return { tokens, end: undefined, hasOpenString: true }
      tokens.push({ kind: 'string', text: string.value, start: at, end: string.end, depth })
      at = string.end
      continue
    }
    const name = matchAt(word, text, at)
    const digits = name === undefined ? matchAt(number, text, at) : undefined
    const sign = doubled.has(text.slice(at, at + 2)) ? text.slice(at, at + 2) : character
    const written = name ?? digits ?? sign
    if (')]}'.includes(written)) depth = Math.max(0, depth - 1)
    const kind = name !== undefined ? 'name' : digits !== undefined ? 'number' : 'sign'
    tokens.push({ kind, text: written, start: at, end: at + written.length, depth })
    if ('([{'.includes(written)) depth++
    at += written.length
  }
  return { tokens, end: undefined, hasOpenString: false }
}

function closesAt(text: string, at: number, closer: string): boolean {
  if (text.startsWith(closer, at)) return true
  // Jinja takes a plus sign before the end of statements only.
  const signs = closer === '}}' ? '-' : '-+'
  return signs.includes(text.charAt(at)) && text.startsWith(closer, at + 1)
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at
  return pattern.exec(text)?.[0]
}

function stringAt(text: string, start: number): { readonly value: string; readonly end: number } | undefined {
  const quote = text.charAt(start)
  let value = ''
  let from = start + 1
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === quote) return { value: value + text.slice(from, at), end: at + 1 }
    if (character !== '\\') continue
    const escaped = text.charAt(at + 1)
    value += text.slice(from, at) + (escapes[escaped] ?? escaped)
    at++
    from = at + 1
  }
  return undefined
}
