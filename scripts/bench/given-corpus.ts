/** Conversations of a folder instead of generated ones: what people and models wrote, as often as a size needs it. */
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { convert, Transcript } from '../../core/src/internal.ts'
import type { Corpus } from './corpus.ts'

/** A conversation in both forms. */
interface Conversation {
  /** The messages of the transcript, without its header. */
  readonly ocm: string
  /** The same as Chat Completions has it: a list in JSON. */
  readonly json: string
}

const header = 'version: 2.2\n\n'

/**
 * A corpus of about `size` UTF-16 code units of the conversations in `folder`: transcripts (`*.ocm`), JSON (`*.json`), and JSONL
 * (`*.jsonl`), in the order of their names, and again from the first one on. One document has all of them,
 * so call IDs differ each time, and system messages are left out.
 */
export function givenCorpus(folder: string, size: number): Corpus {
  const conversations = conversationsIn(folder)
  const parts: string[] = [header]
  const lists: string[] = []
  let length = header.length
  let messageCount = 0
  for (let index = 0; length < size; index++) {
    const chosen = conversations[index % conversations.length] as Conversation
    const ocm = chosen.ocm.replace(/(?<= call_id=)[\w-]+/g, (id) => `${id}_${index}`)
    const json = chosen.json.replace(/(?<="(?:tool_call_id|id)":")[\w-]+(?=")/g, (id) => `${id}_${index}`)
    parts.push(ocm)
    lists.push(json.slice(1, -1))
    length += ocm.length
    messageCount += ocm.split('<|start|>').length - 1
  }
  return { ocm: parts.join(''), json: `{"messages":[${lists.join(',')}]}`, messageCount }
}

const known = new Map<string, readonly Conversation[]>()

function conversationsIn(folder: string): readonly Conversation[] {
  const before = known.get(folder)
  if (before) return before
  const found = readdirSync(folder)
    .sort()
    .flatMap((name) => textsIn(join(folder, name)))
    .map(conversationOf)
    .filter(({ ocm }) => ocm !== '')
  if (found.length === 0) throw new Error(`No conversations in ${folder}: *.ocm, *.json or *.jsonl`)
  known.set(folder, found)
  return found
}

function textsIn(path: string): readonly string[] {
  switch (extname(path)) {
    case '.ocm':
    case '.json':
      return [readFileSync(path, 'utf8')]
    case '.jsonl':
      return readFileSync(path, 'utf8')
        .split('\n')
        .filter((line) => line.trim() !== '')
    default:
      return []
  }
}

function conversationOf(text: string): Conversation {
  const from = text.trimStart().startsWith('{') ? 'auto' : 'ocm'
  const chat = JSON.parse(convert(text, { from, to: 'messages' }).text) as {
    readonly messages: readonly { readonly role: string }[]
  }
  const json = JSON.stringify(chat.messages.filter(({ role }) => role !== 'system'))
  const transcript = convert(`{"messages":${json}}`, { from: 'messages', to: 'ocm' }).text
  const { segment } = Transcript.parse(transcript).segment(0)
  return { ocm: transcript.slice(segment.kind === 'preamble' ? segment.length : 0), json }
}
