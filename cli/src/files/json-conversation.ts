/** Distinguishes a conversation in JSON from a transcript. */
import { detectForm, isJsonSource, looksLikeConversation } from '../../../core/src/internal.ts'
import { type Source, shownInput } from './read-source.ts'

/** True for a conversation in one of the forms of JSON: by the name of its file, or on standard input by what it holds. */
export function isJsonConversation({ path, text }: Source): boolean {
  if (path === shownInput) return holdsMessages(text)
  // Of files of lines, only a session is one conversation.
  if (!/\.(?:jsonl?|ndjson)$/i.test(path)) return false
  return isJsonSource(detectForm(text))
}

/** True for what is checked as a transcript whatever it holds: `*.ocm`, and standard input. */
export function isNamedTranscript({ path }: Source): boolean {
  return path === shownInput || /\.ocm$/i.test(path)
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

/** What a model wrote may begin like JSON, or be the arguments of a call: that is checked as a transcript. */
function holdsMessages(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  if (looksLikeConversation(text)) return isJsonSource(detectForm(text))
  // Of messages that are not JSON, the mistake is named.
  return beginsMessages.test(text) && !text.trimEnd().endsWith('|>') // which ends what a model writes
}

const beginsMessages = /"(?:messages|input)"\s*:\s*\[/
