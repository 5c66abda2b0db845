/** Gives the server the tools of samples: their transcripts show them to the model, and only the dataset has their JSON. */
import * as vscode from 'vscode'
import { type BaseLanguageClient, RequestType } from 'vscode-languageclient'
import type { RequestTools } from '../../../core/src/internal.ts'
import type { SampleFiles } from './sample-files.ts'

const sampleToolsRequest = new RequestType<{ readonly uri: string }, RequestTools | null, void>(
  'openchatml.sampleTools',
)

/** Answers the server: with the tools, or null for a sample that has none or is not open. */
export function answerSampleTools(client: BaseLanguageClient, files: SampleFiles): vscode.Disposable {
  return client.onRequest(sampleToolsRequest, ({ uri }) => files.toolsOf(vscode.Uri.parse(uri)) ?? null)
}
