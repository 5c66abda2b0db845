/** Colours for code: a bounded set of languages, and a bounded amount of work. */
import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import lua from 'highlight.js/lib/languages/lua'
import makefile from 'highlight.js/lib/languages/makefile'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import powershell from 'highlight.js/lib/languages/powershell'
import python from 'highlight.js/lib/languages/python'
import r from 'highlight.js/lib/languages/r'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import scala from 'highlight.js/lib/languages/scala'
import shell from 'highlight.js/lib/languages/shell'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'

const languages = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  lua,
  makefile,
  markdown,
  php,
  powershell,
  python,
  r,
  ruby,
  rust,
  scala,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
}

for (const [name, definition] of Object.entries(languages)) hljs.registerLanguage(name, definition)

/** Longer code stays plain: colouring it would hold up the page (UTF-16 code units). */
const longestCode = 60_000

/**
 * How much of a code is looked at together, in characters. Expressions of many languages look ahead, so their time grows with
 * the square of what they see. At this length, a character costs at most some 10 µs (see `npm run bench`), and colours come
 * out the same: what is open at the end of one piece, such as a comment, goes on in the next one.
 */
export const pieceLength = 512

/** What is cut off next: whole lines, or if there is none, whole words. */
// Linear: a match takes at most as many steps as a piece has characters.
const piece = new RegExp(
  `[^]{0,${pieceLength - 1}}\\n|[^]{0,${pieceLength - 1}}\\s|[^]{1,${pieceLength}}`,
  'u',
)

/**
 * Milliseconds that a code may take; common code takes a tenth of it. Nested constructs, such as comments of Rust, cost what
 * their depth is for every piece, which no length of pieces bounds.
 */
const longestWork = 500

/** When the code at hand becomes too slow, and the clock that measures it. */
let deadline = { end: Number.POSITIVE_INFINITY, now: () => 0 }

/**
 * `code` as HTML with spans of classes `hljs-…`, or `undefined` if it stays plain: in an unknown language, too long, or too slow.
 * `now` is a clock in milliseconds.
 */
export function highlighted(
  code: string,
  language: string,
  now: () => number = () => performance.now(),
): string | undefined {
  if (code.length > longestCode || !hljs.getLanguage(language)) return undefined
  const name = code.length > pieceLength ? inPieces(language) : language
  deadline = { end: now() + longestWork, now }
  const { value, errorRaised } = hljs.highlight(code, { language: name, ignoreIllegals: true })
  return errorRaised ? undefined : value
}

/** Called at every piece. The highlighter catches the error, and returns it with the plain code. */
function checkDeadline(): void {
  if (deadline.now() > deadline.end) throw new Error('This code takes too long to color')
}

/** The name of a language that is `language`, piece by piece. */
function inPieces(language: string): string {
  const definition = hljs.getLanguage(language)
  const own = hljs.listLanguages().find((it) => hljs.getLanguage(it) === definition)
  const name = `${own} in pieces`
  if (own !== undefined && !hljs.getLanguage(name)) {
    // The highlighter lets a language within another one go on where it stopped.
    const contains = [{ match: piece, subLanguage: own, 'on:begin': checkDeadline }]
    hljs.registerLanguage(name, () => ({ unicodeRegex: true, contains }))
  }
  return name
}

/** What to call a language above its code: its usual name, or the word that was written. */
export function languageLabel(word: string): string {
  return hljs.getLanguage(word)?.name ?? word
}
