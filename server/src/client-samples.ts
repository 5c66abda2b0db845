/** The tools of samples of datasets, which only the client knows: a sample's transcript shows them as TypeScript. */
import { type Connection, RequestType } from 'vscode-languageserver'
import type { RequestTools } from '../../core/src/internal.ts'
import { describe } from './guard.ts'
import { isSample } from './project-settings.ts'
import type { ServerContext } from './server-context.ts'

const sampleToolsRequest = new RequestType<{ readonly uri: string }, unknown, void>('openchatml.sampleTools')

/** The tools of the request that the document at `uri` is a sample of; undefined for others. Never fails. */
export async function sampleTools(
  connection: Connection,
  { options, log }: Pick<ServerContext, 'options' | 'log'>,
  uri: string,
): Promise<RequestTools | undefined> {
  if (!options.readsSamples || !isSample(uri)) return undefined
  try {
    return toolsFrom(await connection.sendRequest(sampleToolsRequest, { uri }))
  } catch (error) {
    log(describe(sampleToolsRequest.method, error))
    return undefined
  }
}

function toolsFrom(value: unknown): RequestTools | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { body, json } = value as { readonly [key: string]: unknown }
  return typeof body === 'string' && typeof json === 'string' ? { body, json } : undefined
}
