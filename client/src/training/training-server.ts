/** Renders samples for training: the language server does that on a thread of its own. */
import type { BaseLanguageClient } from 'vscode-languageclient'
import {
  localize,
  type PackedTrainingView,
  type RenderingRequest,
  type TemplateProblem,
} from '../../../core/src/internal.ts'

/** A tokenizer by its key, with its files if the server has not got them. */
export interface SentTokenizer {
  readonly key: string
  readonly files?: { readonly json: string; readonly config: string }
}

/** What the server answers. */
export type ServerRendering =
  | { readonly kind: 'view'; readonly view: PackedTrainingView; readonly doubt?: string }
  | { readonly kind: 'template'; readonly problem: TemplateProblem }
  | { readonly kind: 'tokenizer'; readonly problem: string }
  | { readonly kind: 'files' }

/** Asks for a rendering; undefined where there is none. */
export type AskForRendering = (request: {
  readonly rendering: RenderingRequest
  readonly tokenizer: SentTokenizer | 'o200k_harmony' | undefined
}) => Promise<ServerRendering | undefined>

/** Asks the server behind `client`. */
export function renderingBy(client: BaseLanguageClient): AskForRendering {
  return async (request) => {
    if (!client.isRunning()) return undefined
    try {
      return (
        (await client.sendRequest<ServerRendering | null>('openchatml.renderTraining', request)) ?? undefined
      )
    } catch (error) {
      client.error(localize`The sample cannot be rendered`, error, false)
      return undefined
    }
  }
}
