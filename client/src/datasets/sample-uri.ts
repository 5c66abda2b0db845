/** Addresses of samples: each is a document of its own that lives in a dataset. */
import * as vscode from 'vscode'

/** The scheme of samples. */
export const sampleScheme = 'openchatml-sample'

/** A sample, by its dataset and its number. */
export interface SampleAddress {
  readonly dataset: vscode.Uri
  /** Of its line from 1, or in its list from 0. */
  readonly number: number
  /** The branch that is shown; the first one if it isn't named. */
  readonly branch?: string
}

/** The address as a document. */
export function sampleUri({ dataset, number, branch }: SampleAddress): vscode.Uri {
  const name = dataset.path.split('/').at(-1) ?? ''
  const path = `${dataset.path}/${name}:${number}${labelOfBranch(branch)}.ocm`
  return vscode.Uri.from({ scheme: sampleScheme, path, query: dataset.toString(), fragment: branch ?? '' })
}

/** The name of a branch in the title of an editor, as far as it can be part of a path; empty if there is none. */
export function labelOfBranch(branch: string | undefined): string {
  return branch === undefined ? '' : ` (${branch.slice(0, 80).replaceAll(/[^\w.:[\]-]/g, '_')})`
}

/** The sample at `uri`; undefined for what is not an address of one. */
export function sampleAddress(uri: vscode.Uri): SampleAddress | undefined {
  const number = /:(\d{1,10})(?: \([^/()]{0,80}\))?\.ocm$/.exec(uri.path)?.[1]
  if (uri.scheme !== sampleScheme || number === undefined || uri.query === '') return undefined
  try {
    const branch = uri.fragment
    const dataset = vscode.Uri.parse(uri.query, true)
    return { dataset, number: Number(number), ...(branch !== '' && { branch }) }
  } catch {
    return undefined // no address at all
  }
}
