/** The reference implementation of Harmony, compiled to WebAssembly, fed from files: it would fetch them from the network. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import type { JsHarmonyEncoding } from 'openai-harmony'

const require = createRequire(import.meta.url)
const baseUrl = 'https://vocabulary.invalid/'

/** The encoding of gpt-oss models. */
export async function reference(): Promise<JsHarmonyEncoding> {
  const fetched = globalThis.fetch
  globalThis.fetch = fromFiles
  try {
    const { load_harmony_encoding } = await import('openai-harmony')
    return await load_harmony_encoding('HarmonyGptOss', baseUrl)
  } finally {
    globalThis.fetch = fetched
  }
}

/** Answers for the program itself and its vocabulary; nothing else is asked for. */
async function fromFiles(input: string | URL | Request): Promise<Response> {
  const url = input instanceof Request ? input.url : String(input)
  if (url.startsWith('file:')) return answer(url, fileURLToPath(url), 'application/wasm')
  if (url === `${baseUrl}o200k_base.tiktoken`) {
    return answer(url, require.resolve('gpt-tokenizer/data/o200k_base.tiktoken'), 'text/plain')
  }
  throw new Error(`The reference asks for ${url}`)
}

/** A response that says where it comes from, which the program wants to know. */
function answer(url: string, path: string, type: string): Response {
  const response = new Response(readFileSync(path), { headers: { 'content-type': type } })
  return Object.defineProperty(response, 'url', { value: url })
}

/** What the reference makes of `text`: its messages, or the words of its error. */
export function parsedByReference(
  encoding: JsHarmonyEncoding,
  text: string,
  role?: string,
): readonly Record<string, unknown>[] | string {
  try {
    const tokens = encoding.encode(text, encoding.specialTokens())
    return JSON.parse(encoding.parseMessagesFromCompletionTokens(tokens, role))
  } catch (error) {
    return String(error)
  }
}
