/** What only the client knows of samples of datasets: their form, and their tools, which a transcript shows as TypeScript. */
import { type Connection, RequestType } from 'vscode-languageserver'
import type { RequestTools, SampleTraits } from '../../core/src/internal.ts'
import { describe } from './guard.ts'
import { isSample } from './project-settings.ts'
import type { ServerContext } from './server-context.ts'

const sampleRequest = new RequestType<{ readonly uri: string }, unknown, void>('openchatml.sampleTools')

/** What a document is a sample of. */
export interface SampleOrigin {
  readonly sample: SampleTraits | undefined
  readonly requestTools: RequestTools | undefined
}

const notSample: SampleOrigin = { sample: undefined, requestTools: undefined }

/** What is known of the sample that the document at `uri` is. Never fails. */
export async function sampleOrigin(
  connection: Connection,
  { options, log }: Pick<ServerContext, 'options' | 'log'>,
  uri: string,
): Promise<SampleOrigin> {
  if (!isSample(uri)) return notSample
  const unknown: SampleOrigin = { ...notSample, sample: { alternates: false, hasHeaders: true } }
  if (!options.readsSamples) return unknown
  try {
    return originFrom(await connection.sendRequest(sampleRequest, { uri })) ?? unknown
  } catch (error) {
    log(describe(sampleRequest.method, error))
    return unknown
  }
}

function originFrom(value: unknown): SampleOrigin | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const { body, json, alternates, hasHeaders } = value as { readonly [key: string]: unknown }
  const hasTools = typeof body === 'string' && typeof json === 'string'
  return {
    sample: { alternates: alternates === true, hasHeaders: hasHeaders !== false },
    requestTools: hasTools ? { body, json } : undefined,
  }
}
