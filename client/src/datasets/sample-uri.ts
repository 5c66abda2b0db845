/** Addresses of samples: each is a document of its own that lives in a dataset. */
import * as vscode from 'vscode'

/** The scheme of samples. */
export const sampleScheme = 'openchatml-sample'

/** A sample, by its dataset and its number. */
export interface SampleAddress {
  readonly dataset: vscode.Uri
  /** Of its line from 1, or in its list from 0. */
  readonly number: number
}

/** The address as a document. */
export function sampleUri({ dataset, number }: SampleAddress): vscode.Uri {
  const name = dataset.path.split('/').at(-1) ?? ''
  const path = `${dataset.path}/${name}:${number}.ocm`
  return vscode.Uri.from({ scheme: sampleScheme, path, query: dataset.toString() })
}

/** The sample at `uri`; undefined for what is no address of one. */
export function sampleAddress(uri: vscode.Uri): SampleAddress | undefined {
  const number = /:(\d{1,10})\.ocm$/.exec(uri.path)?.[1]
  if (uri.scheme !== sampleScheme || number === undefined || uri.query === '') return undefined
  try {
    return { dataset: vscode.Uri.parse(uri.query, true), number: Number(number) }
  } catch {
    return undefined // no address at all
  }
}
