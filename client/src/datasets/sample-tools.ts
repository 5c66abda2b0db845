/** Gives the server what it can't see in the transcripts of samples: their form, and their tools as JSON. */
import * as vscode from 'vscode'
import { type BaseLanguageClient, RequestType } from 'vscode-languageclient'
import type { RequestTools, SampleTraits } from '../../../core/src/internal.ts'
import type { SampleFiles } from './sample-files.ts'

const sampleRequest = new RequestType<
  { readonly uri: string },
  (SampleTraits & Partial<RequestTools>) | null,
  void
>('openchatml.sampleTools')

/** Answers the server; null for a sample that is not open. */
export function answerSampleTools(client: BaseLanguageClient, files: SampleFiles): vscode.Disposable {
  return client.onRequest(sampleRequest, ({ uri }) => {
    const parsed = vscode.Uri.parse(uri)
    const traits = files.traitsOf(parsed)
    return traits ? { ...traits, ...files.toolsOf(parsed) } : null
  })
}
