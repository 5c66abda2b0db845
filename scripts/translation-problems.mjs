/** What is wrong with the translations in `l10n` and `package.nls.*.json`, compared with the English texts. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './repository.mjs'

/** The words that other languages take over; a text of nothing else may be the same in each. */
const sharedWords = new Set(
  [
    [
      'agent',
      'bytes',
      'code',
      'dataset',
      'fill',
      'header',
      'id',
      'in',
      'information',
      'labels',
      'markdown',
      'middle',
    ],
    [
      'min',
      'ms',
      'normal',
      'openchatml',
      'optional',
      'prompt',
      'reasoning',
      'review',
      's',
      'sample',
      'samples',
    ],
    ['system', 'text', 'token', 'tokenizer', 'tools', 'training', 'version', 'input'],
  ].flat(),
)

/** The languages that there are translations for, such as `de` and `zh-cn`. */
export function languages() {
  return readdirSync(join(root, 'l10n')).flatMap((name) => /^bundle\.l10n\.(.+)\.json$/.exec(name)?.[1] ?? [])
}

/** Every problem of all translations, one line each: the file, what is wrong, and the English text or key. */
export function translationProblems() {
  const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'))
  const bundle = read('l10n/bundle.l10n.json')
  const manifest = read('package.nls.json')
  return languages().flatMap((language) =>
    [
      [`l10n/bundle.l10n.${language}.json`, bundle],
      [`package.nls.${language}.json`, manifest],
    ].flatMap(([path, english]) => problemsOf(english, read(path)).map((it) => `${path}: ${it}`)),
  )
}

/** The problems of the texts in `translated`, which have the keys of `english`. */
export function problemsOf(english, translated) {
  const stale = Object.keys(translated).filter((key) => !Object.hasOwn(english, key))
  return [
    ...stale.map((key) => `stale: ${key}`),
    ...Object.entries(english).flatMap(([key, text]) => {
      if (!Object.hasOwn(translated, key)) return `missing: ${key}`
      return problemOf(text, translated[key]).map((it) => `${it}: ${key}`)
    }),
  ]
}

function problemOf(english, translated) {
  if (typeof translated !== 'string' || translated.trim() === '') return ['empty']
  const parts = [
    ['other placeholders', /\{\d+\}/g],
    ['other code', /(?<!`)`[^`]+`(?!`)|``.+?``/g],
    ['other line breaks', /\n/g],
    ['other bold text', /\*\*/g],
    ['other links', /\]\([^)\s]+\)|\$\([a-z-]+\)/g],
  ]
  const differing = parts.filter(
    ([, part]) => sortedMatches(english, part) !== sortedMatches(translated, part),
  )
  const problems = differing.map(([problem]) => problem)
  if (english.endsWith('…') !== translated.endsWith('…')) problems.push('other ellipsis')
  if (/^\s|\s$/.test(english) !== /^\s|\s$/.test(translated)) problems.push('other white space at its ends')
  if (english === translated && !isShared(english)) problems.push('not translated')
  return problems
}

function sortedMatches(text, part) {
  return (text.match(part) ?? []).sort().join('\n')
}

/** True if nothing of it needs to be translated: it is code, places to fill in, numbers, and {@link sharedWords}. */
function isShared(text) {
  const words = text.replace(/`[^`]*`|\{\d+\}/g, '').match(/[A-Za-z]+/g) ?? []
  return words.every((it) => sharedWords.has(it.toLowerCase()))
}
