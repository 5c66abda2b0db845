/** Finds keys and tokens by the prefixes that services give them. A secret itself is never part of what is reported. */
import type { Range } from './range.ts'

/** A secret in a text. */
export interface Secret {
  readonly range: Range
  /** Whose it is: a proper name, which is not translated. */
  readonly what: string
}

/** Prefixes that are unlikely elsewhere, each with the shape of what follows. Services document them for scanners. */
const kinds: readonly (readonly [what: string, shape: RegExp])[] = [
  ['AWS', /^(?:AKIA|ASIA)[A-Z2-7]{16}$/],
  ['GitHub', /^(?:gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59})$/],
  ['GitLab', /^glpat-[\w-]{20,64}$/],
  ['OpenAI', /^sk-(?:proj|svcacct|admin)-[\w-]{40,200}$|^sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}$/],
  ['Anthropic', /^sk-ant-[a-z]{3,10}\d\d-[\w-]{80,120}$/],
  ['Hugging Face', /^hf_[A-Za-z]{34}$/],
  ['Google', /^AIza[\w-]{35}$/],
  ['Slack', /^xox[abprs]-\d{8,14}-[\w-]{16,120}$/],
  ['Stripe', /^[rs]k_live_[A-Za-z0-9]{24,120}$/],
  ['npm', /^npm_[A-Za-z0-9]{36}$/],
  ['PyPI', /^pypi-AgEIcHlwaS5vcmc[\w-]{50,250}$/],
  ['SendGrid', /^SG\.[\w-]{22}\.[\w-]{43}$/],
  ['Groq', /^gsk_[A-Za-z0-9]{52}$/],
  ['xAI', /^xai-[A-Za-z0-9]{80}$/],
  ['Replicate', /^r8_[A-Za-z0-9]{37}$/],
  ['Shopify', /^shp(?:at|ca|pa|ss)_[a-f0-9]{32}$/],
  ['Linear', /^lin_api_[A-Za-z0-9]{40}$/],
  ['DigitalOcean', /^do[opr]_v1_[a-f0-9]{64}$/],
  ['Docker', /^dckr_[a-z]{3}_[\w-]{27,40}$/],
]

const candidates =
  /(?<![\w-])(?:AKIA|ASIA|gh[pousr]_|github_pat_|glpat-|sk-|hf_|AIza|xox[abprs]-|[rs]k_live_|npm_|pypi-|SG\.|gsk_|xai-|r8_|shp(?:at|ca|pa|ss)_|lin_api_|do[opr]_v1_|dckr_)[\w.-]{16,260}/g
const privateKey =
  /-----BEGIN (?:[A-Z]{2,10} )?PRIVATE KEY(?: BLOCK)?-----[\s\\nr]{1,8}(?:[A-Za-z0-9+/=]{16,80}[\s\\nr]{1,8}){2}/g
/** Secrets without a prefix, next to what says that they are one. */
const named: readonly (readonly [what: string, pattern: RegExp])[] = [
  ['AWS', /(?<=secret_?access_?key["']?[ \t]{0,3}[:=][ \t]{0,3}["']?)[A-Za-z0-9/+]{40}(?![\w/+=])/gi],
  // The password of a person or program, not of an example: it has letters and digits, and its host is not this machine.
  [
    'URL password',
    /(?<=:\/\/[\w.+-]{0,64}:)(?=[^\s:/@]{0,63}\d)(?=[^\s:/@]{0,63}[A-Za-z])[^\s:/@"'<>{}$*]{10,64}(?=@(?!localhost|127\.|host\b)[\w-])/g,
  ],
]

/** The secrets in `text`, in its order. Linear. */
export function secretsIn(text: string): readonly Secret[] {
  if (!quickLook.test(text)) return nothing
  const found: Secret[] = []
  for (const { 0: match, index } of text.matchAll(candidates)) {
    // Linear: a candidate has 280 characters at most.
    const word = match.replace(/[.-]+$/, '')
    const what = kinds.find(([, shape]) => shape.test(word))?.[0]
    if (what === undefined || isPlaceholder(word)) continue
    found.push({ range: { start: index, end: index + word.length }, what })
  }
  for (const [what, pattern] of named)
    for (const { 0: word, index } of text.matchAll(pattern))
      if (!isPlaceholder(word)) found.push({ range: { start: index, end: index + word.length }, what })
  for (const { 0: match, index } of text.matchAll(privateKey)) {
    const end = text.indexOf('-----END', index)
    const close = end === -1 ? -1 : text.indexOf('-----', end + 8)
    const stop = close === -1 ? index + match.length : close + 5
    found.push({ range: { start: index, end: stop }, what: 'private key' })
  }
  return found.sort((one, other) => one.range.start - other.range.start)
}

const nothing: readonly Secret[] = []

/** What is written in place of a secret. */
export const redacted = '[REDACTED]'

/** `text` with each of its secrets replaced. */
export function withoutSecrets(text: string): string {
  let result = ''
  let from = 0
  for (const { range } of secretsIn(text)) {
    if (range.start < from) continue // inside of the one before
    result += text.slice(from, range.start) + redacted
    from = range.end
  }
  return from === 0 ? text : result + text.slice(from)
}

/** Quick, because nearly every message has none: a search for single characters, and what is before them only where they are. */
const quickLook =
  // Linear: what is looked at before a character is at most eleven characters long.
  /[_-](?<=(?:gh[pousr]|github_pat|hf|k_live|npm|gsk|r8|shp(?:at|ca|pa|ss)|lin_api|v1|dckr)_|(?:glpat|sk|xox[abprs]|pypi|xai)-)|AKIA|ASIA|AIza|SG\.|PRIVATE KEY|[Ss]ecret_?[Aa]ccess|SECRET_ACCESS|:\/\/[\w.+-]{0,64}:[^\s:/@]{10}/

/** Documentation writes keys with few different characters, or says that they are examples. */
function isPlaceholder(word: string): boolean {
  return (
    new Set(word).size < 10 ||
    /example|x{6}|1234567|abcdefg|your[-_]|\.\.\.|passw|secret|changeme/i.test(word)
  )
}
