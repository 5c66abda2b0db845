/** The peers that read a conversation in the same process, loaded from where `bench.mjs` installed them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { getLanguageService, type JSONSchema } from 'vscode-json-languageservice'
import { TextDocument } from 'vscode-languageserver-textdocument'

/** Finds every `<|`, as fast as the engine searches. */
export function countOpenings(text: string): number {
  let count = 0
  for (let at = text.indexOf('<|'); at !== -1; at = text.indexOf('<|', at + 2)) count++
  return count
}

/** Parses and validates `text` with the library behind VS Code's support for JSON: without a schema, only its syntax is judged. */
export async function validateJson(text: string, schema?: JSONSchema): Promise<unknown> {
  const service = getLanguageService({})
  const document = TextDocument.create('file:///conversation.json', 'json', 1, text)
  const tree = service.parseJSONDocument(document)
  return [tree, await service.doValidation(document, tree, { schemaValidation: 'error' }, schema)]
}

const text: JSONSchema = { type: 'string' }

/** What a conversation of the corpus looks like as JSON: roles, channels, and which members there are, but nothing about bodies. */
export const conversationSchema: JSONSchema = {
  type: 'object',
  required: ['version', 'messages'],
  properties: {
    version: text,
    messages: {
      type: 'array',
      items: {
        type: 'object',
        required: ['role'],
        properties: {
          role: { enum: ['system', 'developer', 'user', 'assistant', 'tool'] },
          channel: { enum: ['analysis', 'commentary', 'final'] },
          name: text,
          call_id: text,
          content: text,
          tool_call: {
            type: 'object',
            required: ['id', 'recipient'],
            properties: { id: text, recipient: text, content_type: text, arguments: text },
          },
        },
      },
    },
  },
}

/** Parses Markdown with the parser of CodeMirror. */
export async function lezerMarkdown(peers: string): Promise<(text: string) => unknown> {
  const { parser } = (await importFrom(peers, '@lezer', 'markdown', 'dist', 'index.js')) as {
    parser: { parse(text: string): unknown }
  }
  return (text) => parser.parse(text)
}

/**
 * Encodes a conversation and parses the tokens with the reference implementation of Harmony.
 *
 * It would load its vocabulary from the network; it is handed the same file from a package, so that no network is needed.
 */
export async function harmonyReference(peers: string): Promise<(text: string) => unknown> {
  const vocabulary = await readFile(join(peers, 'gpt-tokenizer', 'data', 'o200k_base.tiktoken'))
  const fetchBefore = globalThis.fetch
  globalThis.fetch = async (input) => {
    const url = input instanceof Request ? input.url : String(input)
    if (url.startsWith('file:')) {
      return new Response(await readFile(new URL(url)), { headers: { 'content-type': 'application/wasm' } })
    }
    return Object.defineProperty(new Response(vocabulary), 'url', { value: url })
  }
  try {
    const { load_harmony_encoding: load } = (await importFrom(
      peers,
      'openai-harmony',
      'dist',
      'openai_harmony.js',
    )) as { load_harmony_encoding(name: string, base: string): Promise<HarmonyEncoding> }
    const encoding = await load('HarmonyGptOss', 'http://localhost/')
    const specialTokens = encoding.specialTokens()
    return (text) => encoding.parseMessagesFromCompletionTokens(encoding.encode(text, specialTokens))
  } finally {
    globalThis.fetch = fetchBefore
  }
}

interface HarmonyEncoding {
  specialTokens(): string[]
  encode(text: string, allowed: string[]): Uint32Array
  parseMessagesFromCompletionTokens(tokens: Uint32Array): string
}

function importFrom(peers: string, ...path: string[]): Promise<unknown> {
  return import(pathToFileURL(join(peers, ...path)).href)
}
