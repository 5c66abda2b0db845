/** Renders samples for training, on the thread that counts tokens. */
import {
  type ByteEncoding,
  configObject,
  harmonyTokenizer,
  isTemplateProblem,
  packedView,
  renderForTraining,
  type Tokenizer,
} from '../../../core/src/internal.ts'

import {
  answerTo,
  type Rendering,
  type RenderRequest,
  type ThreadAnswer,
  type ThreadRequest,
  type TokenizerChoice,
} from './count-protocol.ts'

/** Makes tokenizers of `tokenizer.json`: the module is large, and most users never need it. */
export type LoadTokenizers = () => Promise<typeof import('#tokenizer-json')>

/** Answers what the thread is asked. */
export class ThreadAnswers {
  readonly #encoding: ByteEncoding
  readonly #load: LoadTokenizers
  #known: { readonly key: string; readonly tokenizer: Tokenizer | string } | undefined

  constructor(encoding: ByteEncoding, load: LoadTokenizers) {
    this.#encoding = encoding
    this.#load = load
  }

  /** The answer to `request`. Never fails. */
  async answerTo(request: ThreadRequest): Promise<ThreadAnswer> {
    const { id } = request
    if ('texts' in request) return answerTo(request, this.#encoding)
    try {
      return { id, rendering: await this.#rendering(request) }
    } catch {
      return { id, rendering: undefined } // what went wrong could hold text of the sample
    }
  }

  async #rendering({ rendering, tokenizer: choice }: RenderRequest): Promise<Rendering> {
    const tokenizer = typeof choice === 'object' ? await this.#tokenizer(choice) : this.#builtIn(choice)
    if (tokenizer === 'files') return { kind: 'files' }
    if (typeof tokenizer === 'string') return { kind: 'tokenizer', problem: tokenizer }
    const view = renderForTraining(rendering, tokenizer, this.#encoding)
    if (isTemplateProblem(view)) return { kind: 'template', problem: view }
    return { kind: 'view', view: packedView(view), doubt: tokenizer?.doubt }
  }

  #builtIn(name: 'o200k_harmony' | undefined): Tokenizer | undefined {
    return name && harmonyTokenizer(this.#encoding)
  }

  /** The tokenizer, or why there is none. */
  async #tokenizer({ key, files }: TokenizerChoice): Promise<Tokenizer | string> {
    if (this.#known?.key === key) return this.#known.tokenizer
    if (!files) return 'files'
    this.#known = undefined // two large vocabularies are not held at once
    const json = configObject(files.json)
    const { tokenizerOfJson } = await this.#load()
    const tokenizer = json ? tokenizerOfJson(json, configObject(files.config)) : 'not a tokenizer.json'
    this.#known = { key, tokenizer }
    return tokenizer
  }
}
