/** What words of other formats, and misspelt ones, say about who may see a message. All of them are readable forms. */
import { editDistance } from '../text/edit-distance.ts'
import { everyone, isToolRecipient } from '../vocabulary/attributes.ts'
import { builtinTools, functionPrefix, isBuiltin } from '../vocabulary/roles.ts'
import { readableForm } from './look-alikes.ts'

/** True for what other formats call reasoning, and for words that say that something is not to be seen. */
export function isPrivateWord(word: string): boolean {
  return privateWords.has(word)
}

/** True for a private word with a letter too many or too few, and in a compound: `chain-of-thought`, `reasoningContent`. */
export function hasPrivateWord(word: string): boolean {
  if (privateWords.has(word) || stems.some((it) => word.includes(it))) return true
  if (word.split(/[^a-z]/).some((it) => it !== 'reason' && privateWords.has(it))) return true
  return stems.some((it) => Math.abs(it.length - word.length) <= 1 && editDistance(word, it, 1) <= 1)
}

const privateWords: ReadonlySet<string> = new Set([
  'think',
  'thinking',
  'thought',
  'thoughts',
  'reasoning',
  'reason',
  'reflection',
  'reflect',
  'introspection',
  'introspect',
  'cot',
  'scratchpad',
  'monologue',
  'private',
  'hidden',
  'hide',
  'internal',
  'invisible',
  'secret',
  'unseen',
  'confidential',
])

/** Those that are long enough to be recognized in other words. */
const stems = ['thinking', 'thought', 'reasoning', 'reflection', 'introspect', 'scratchpad', 'monologue']

/** True for what reasoning is called in other languages, also in a compound. Unlike other words here, it may be of any script. */
export function hasForeignPrivateWord(word: string): boolean {
  return foreignWords.some((it) => word.includes(it))
}

/** Words of languages that models are often asked to think in, long or rare enough to be recognized in other words. */
const foreignWords: readonly string[] = [
  ...[
    '思考',
    '思维',
    '思維',
    '推理',
    '推論',
    '考え',
    '内心',
    '反思',
    '内省',
    '熟考',
    '独白',
    '생각',
    '사고',
    '추론',
  ],
  ...[
    'gedanke',
    'überlegung',
    'denkprozess',
    'raisonnement',
    'pensée',
    'réflexion',
    'pensamiento',
    'razonamiento',
  ],
  ...['reflexión', 'pensamento', 'raciocínio', 'reflexão', 'pensiero', 'ragionamento', 'riflessione'],
  ...['мысл', 'мышлени', 'рассужден', 'размышлен'],
].map(readableForm)

/** True for an attribute that says what a message is about, or who wrote it: its value says nothing of who may see it. */
export function isNameOfSubject(key: string): boolean {
  return subjectKeys.has(key)
}

const subjectKeys: ReadonlySet<string> = new Set(
  'name names author speaker persona topic topics subject title task domain source dataset split theme genre lang language locale model'.split(
    ' ',
  ),
)

/** True for how much a model thinks, which doesn't say that a message is reasoning: `reasoning=low`. */
export function isEffort(key: string, value: string): boolean {
  return (key === 'reasoning' || key === 'thinking') && efforts.has(value)
}

const efforts: ReadonlySet<string> = new Set(
  'low medium high minimal xhigh max auto default adaptive enabled disabled'.split(' ').map(readableForm),
)

/** True if the value of an attribute says what kind of message it is, so that a compound of private words counts. */
export function isNameOfKind(key: string): boolean {
  return key === 'type' || key === 'kind' || key === 'mode' || key === 'intent' || key === 'content_type'
}

/** True for `private=false` and the like, which say that a message is not private. */
export function isDenial(value: string): boolean {
  return denials.has(value)
}

// `o` is the readable form of 0.
const denials: ReadonlySet<string> = new Set([
  'false',
  'no',
  'off',
  'none',
  'null',
  'never',
  '0',
  'o',
  '[]',
  '{}',
])

/** True if `key=value` says that users see nothing of a message: `visible=false`, `audience=developer`. */
export function isHiding(key: string, value: string): boolean {
  if (audienceKeys.has(key)) return value !== '' && !audiences.has(value)
  return visibilityKeys.has(key) && isDenial(value)
}

const visibilityKeys: ReadonlySet<string> = new Set([
  'visible',
  'shown',
  'show',
  'display',
  'displayed',
  'public',
])
const audienceKeys: ReadonlySet<string> = new Set(['visibility', 'audience', 'visible_to', 'shown_to'])
const audiences: ReadonlySet<string> = new Set([
  'user',
  'users',
  everyone,
  'everyone',
  'anyone',
  'public',
  'visible',
  'shown',
  'true',
  'yes',
  'on',
  'i', // the readable form of 1
])

/** True for what other formats call the recipient, and the call. */
export function isNameOfRecipient(key: string): boolean {
  return recipientKeys.has(key.replace(/[-_.]/g, ''))
}

const recipientKeys: ReadonlySet<string> = new Set([
  'recipient',
  'recipients',
  'tool',
  'toolcall',
  'toolcalls',
  'tooluse',
  'toolname',
  'function',
  'functions',
  'functioncall',
  'functionname',
  'func',
  'fn',
  'call',
  'invoke',
])

/** True if `key` is `to`, or differs from it in one letter. */
export function isNearRecipient(key: string): boolean {
  return key.length <= 3 && editDistance(key, 'to') <= 1
}

/** True if `value`, as it is written, may name a tool, unlike numbers, times, and users. */
export function mayNameTool(value: string): boolean {
  return isToolRecipient(value) ? !/^[-+]?\d[-+\d.,:tz]*$/i.test(value) : !isForUsers(value)
}

function isForUsers(recipient: string): boolean {
  return recipient === 'user' || recipient === everyone
}

/** True for words that name a tool by themselves: `functions.x` after any signs, `browser.search`. */
export function isNameOfTool(word: string): boolean {
  const at = word.indexOf(functionPrefix)
  if (at === 0 || (at > 0 && /[^a-z0-9]/.test(word.charAt(at - 1)))) return true
  return word.includes('.') && isBuiltin(word)
}

/** True for a word that Harmony reads as a recipient, whatever tools there are (HARMONY P11). */
export function isRecipientLike(word: string): boolean {
  if (isNameOfTool(word) || isBuiltin(word) || builtinTools.has(word)) return true
  if (/^(?:functions?(?![a-z0-9])|mcp__|browser\.$)/.test(word)) return true
  const dot = word.indexOf('.')
  return dot > 0 && /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/.test(word)
}
