/** What the server and the thread that counts tokens say to one another. Texts go there, numbers and renderings come back. */
import type {
  PackedTrainingView,
  RenderingRequest,
  TemplateProblem,
  TextEncoding,
} from '../../../core/src/internal.ts'

/** Asks how many tokens each text has. */
export interface CountRequest {
  readonly id: number
  readonly texts: readonly string[]
}

/** Answers the request with the same id. */
export interface CountAnswer {
  readonly id: number
  readonly counts: readonly number[]
}

/** A tokenizer. The thread keeps the last one, so that its files cross once. */
export interface TokenizerChoice {
  /** Another one for each content. */
  readonly key: string
  /** The `tokenizer.json` and the `tokenizer_config.json`; absent if the thread may have them. */
  readonly files?: { readonly json: string; readonly config: string } | undefined
}

/** Asks for a sample as a model is trained on it. */
export interface RenderRequest {
  readonly id: number
  readonly rendering: RenderingRequest
  /** `o200k_harmony` is built in; undefined counts characters. */
  readonly tokenizer: TokenizerChoice | 'o200k_harmony' | undefined
}

/** A rendering, or why there is none. */
export type Rendering =
  | { readonly kind: 'view'; readonly view: PackedTrainingView; readonly doubt: string | undefined }
  | { readonly kind: 'template'; readonly problem: TemplateProblem }
  | { readonly kind: 'tokenizer'; readonly problem: string }
  /** The request has to come again with the files of its tokenizer. */
  | { readonly kind: 'files' }

/** Answers the request with the same id; without a rendering after a mistake of this program. */
export interface RenderAnswer {
  readonly id: number
  readonly rendering: Rendering | undefined
}

/** What the thread is asked. */
export type ThreadRequest = CountRequest | RenderRequest

/** What it answers. */
export type ThreadAnswer = CountAnswer | RenderAnswer

/** The answer to a request for counts. */
export function answerTo({ id, texts }: CountRequest, encoding: TextEncoding): CountAnswer {
  return { id, counts: texts.map((it) => encoding.count?.(it) ?? encoding.encode(it).length) }
}

/** The other end of a thread that counts. */
export interface CountThread {
  post(request: ThreadRequest): void
  end(): void
}

/** Called with what a thread says, and once if it cannot go on. */
export interface CountListener {
  answered(answer: ThreadAnswer): void
  failed(error: unknown): void
}

/** Starts a thread that counts. */
export type StartCounting = (listener: CountListener) => CountThread
