/** Distinguishes a conversation in JSON from a transcript. */
import {
  type DialectName,
  detectForm,
  formOf,
  isDatasetName,
  isJsonSource,
  isObject,
  looksLikeConversation,
  otherText,
} from '../../../core/src/internal.ts'
import { FileProblem } from './file-problem.ts'
import { type Source, shownInput } from './read-source.ts'

/** True for a conversation in one of the forms of JSON: by the name of its file, or on standard input by what it holds. */
export function isJsonConversation({ path, text }: Source): boolean {
  if (path === shownInput) return holdsMessages(text)
  // Of files of lines, only a session is one conversation.
  if (!/\.(?:jsonl?|ndjson)$/i.test(path)) return false
  return isJsonSource(detectForm(text))
}

/** The dialect that a source is read in: the one that is asked for is that of a transcript, which JSON is not. */
export function dialectFor(source: Source, dialect: DialectName | 'auto'): DialectName | 'auto' {
  return isJsonConversation(source) ? 'auto' : dialect
}

/** True for a text that is parsed as a transcript, in any dialect; others are read as the form that they are in, and say what is wrong. */
export function isTranscriptText(text: string): boolean {
  const form = formOf(detectForm(text))
  return form.holds === 'text' && (form.name === otherText || form.dialect !== undefined)
}

/** True for the name of a transcript. */
export function isTranscriptName(path: string): boolean {
  return /\.ocm$/i.test(path)
}

/** True for what is checked as a transcript whatever it holds: `*.ocm`, and standard input. */
export function isNamedTranscript({ path }: Source): boolean {
  return path === shownInput || isTranscriptName(path)
}

/** What is said about a text that is checked as a transcript although its name, or its form, suggests something else. */
export function mismatchOf({ path, text }: Source): string | undefined {
  if (/\.json$/i.test(path)) return 'checked as a transcript, because it is not JSON'
  if (path === shownInput || !/^\s*[{[]/.test(text)) return undefined
  const form = detectForm(text)
  return isJsonSource(form)
    ? `checked as a transcript, although it looks like JSON in the form ${form}; rename it to *.json or *.jsonl to check it as that`
    : undefined
}

/** @throws FileProblem for a dataset and for JSON, which the command `name` does not read */
export function refuseAllButTranscripts(source: Source, name: string): void {
  if (isDatasetName(source.path))
    throw new FileProblem(source.path, `is a dataset; \`ocm ${name}\` works on transcripts`)
  if (isJsonConversation(source) || isOtherJson(source))
    throw new FileProblem(source.path, 'is JSON; `ocm convert` makes a transcript of a conversation')
}

/** True for valid JSON that could not be the header of a transcript. */
function isOtherJson({ text }: Pick<Source, 'text'>): boolean {
  if (!/^[\s\ufeff]*[{[]/.test(text)) return false
  try {
    const value: unknown = JSON.parse(text.trimStart())
    return !isObject(value) || !Object.hasOwn(value, 'version')
  } catch {
    return false
  }
}

/** What a model wrote may begin like JSON, or be the arguments of a call: that is checked as a transcript. */
function holdsMessages(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  if (looksLikeConversation(text)) return isJsonSource(detectForm(text))
  // Of messages that are not JSON, the mistake is named.
  return beginsMessages.test(text) && !text.trimEnd().endsWith('|>') // which ends what a model writes
}

const beginsMessages = /"(?:messages|input)"\s*:\s*\[/
