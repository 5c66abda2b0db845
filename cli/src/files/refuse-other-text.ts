/** Refuses text that is not a conversation: prose, tables and source code must not look like a conversation without messages. */
import {
  analyze,
  conversationForm,
  datasetKind,
  isObject,
  lookedAt,
  type ReadOptions,
  sessionForm,
  Transcript,
} from '../../../core/src/internal.ts'
import { FileProblem } from './file-problem.ts'
import { foreignName } from './foreign-bytes.ts'
import { isTranscriptName } from './json-conversation.ts'
import { isDataset, type Source, shownInput } from './read-source.ts'

/**
 * Refuses text that is not a conversation, and text that holds none.
 *
 * @param from the form that the user says it is in: what does not fit is reported when it is read
 * @throws FileProblem
 */
export function refuseOtherText(
  { path, text }: Pick<Source, 'path' | 'text'>,
  from: ReadOptions['from'] = 'auto',
): void {
  refuseNothing({ path, text })
  if (from !== 'auto') return
  refuseUnnamedDataset({ path, text })
  if (isEmptyList(text)) throw new FileProblem(path, 'is an empty list')
  if (conversationForm(text) === undefined) refuseOtherThanTranscript({ path, text })
}

/** Refuses text that is blank, unless its name says that it is a transcript. @throws FileProblem */
export function refuseNothing({ path, text }: Pick<Source, 'path' | 'text'>): void {
  if (isNothing({ path, text })) throw new FileProblem(path, 'is empty')
}

/** Refuses text that is not a transcript, although it may hold a conversation in another form. @throws FileProblem */
export function refuseOtherThanTranscript({ path, text }: Pick<Source, 'path' | 'text'>): void {
  if (!isTranscript(text))
    throw new FileProblem(
      path,
      foreignName(path) ?? 'is not a conversation: it has no messages, and no header with a `version`',
    )
}

/** True for text without any conversation: nothing, or an empty list in JSON. */
export function holdsNothing({ path, text }: Pick<Source, 'path' | 'text'>): boolean {
  return isNothing({ path, text }) || ((path === shownInput || /\.json$/i.test(path)) && isEmptyList(text))
}

/** A transcript may be blank still, but only its name says that it is one: standard input may be what a failed program wrote. */
function isNothing({ path, text }: Pick<Source, 'path' | 'text'>): boolean {
  return isBlank(text) && !isTranscriptName(path)
}

function isEmptyList(text: string): boolean {
  const value = text.trim()
  return value.startsWith('[') && value.endsWith(']') && isBlank(value.slice(1, -1))
}

function isBlank(text: string): boolean {
  return text.trim() === ''
}

/** False for text whose lines could be taken for keys of a header. */
function isTranscript(text: string): boolean {
  if (isBlank(text)) return true
  const analysis = analyze(Transcript.parse(text))
  // Files and tasks of OpenChatML 0.1 hold no message.
  for (const { segment } of analysis.transcript.segments()) if (segment.kind !== 'preamble') return true
  return analysis.header.yaml.value?.version !== undefined
}

/** Refuses a dataset whose name does not say that it is one, such as standard input. A session counts as one conversation. @throws FileProblem */
export function refuseUnnamedDataset({ path, text }: Pick<Source, 'path' | 'text'>): void {
  if (isTranscriptName(path)) return
  const kind = kindOf(text)
  if (kind === undefined) return
  const reason =
    kind === 'lines'
      ? 'has a JSON value on each line; pass `--jsonl` to read the lines as samples'
      : 'is a list of conversations; pass `--jsonl` to read them as samples'
  throw new FileProblem(path, reason)
}

/** Refuses a dataset where a command reads one conversation only. @throws FileProblem */
export function refuseDataset({ path, text }: Pick<Source, 'path' | 'text'>): void {
  if (kindOf(text) !== undefined) throw new FileProblem(path, isDataset)
}

/** What kind of dataset a text is; undefined for one conversation. */
function kindOf(text: string): 'lines' | 'list' | undefined {
  const lines = text.trimStart().split('\n', 2)
  const areLines = lines.length === 2 && lines.every(isJsonObject)
  if (!areLines && datasetKind(text.slice(0, lookedAt)) !== 'list') return undefined
  if (sessionForm(text) !== undefined) return undefined
  return areLines ? 'lines' : 'list'
}

function isJsonObject(line: string): boolean {
  try {
    return isObject(JSON.parse(line))
  } catch {
    return false
  }
}
