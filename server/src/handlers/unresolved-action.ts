/** Actions without edit: what finds them again when a user has chosen one (`codeAction/resolve`). */
import { LSPErrorCodes, type Range, ResponseError } from 'vscode-languageserver'
import { type TranscriptConversion, transcriptConversions } from '../../../core/src/internal.ts'
import type { OpenDocument } from '../open-document.ts'
import type { ServerContext } from '../server-context.ts'

/** What an action is about: a place, whose actions differ in their titles, or the whole transcript. */
type Subject = { readonly range: Range } | { readonly conversion: TranscriptConversion }

/** The data of an action, as it goes to the client and comes back. */
interface Unresolved {
  readonly uri: string
  readonly version: number
  readonly of: Subject
}

/** The data of an action of `document`. */
export function unresolved({ uri, version }: OpenDocument, of: Subject): Unresolved {
  return { uri, version, of }
}

/**
 * What `data` of an action stands for; undefined for what is not ours.
 *
 * @throws ResponseError InvalidParams if the document is not open, ContentModified if it changed
 */
export function resolvable(
  context: ServerContext,
  data: unknown,
): { readonly document: OpenDocument; readonly of: Subject } | undefined {
  const { uri, version, of } = (data ?? {}) as Partial<Unresolved>
  if (typeof uri !== 'string' || typeof of !== 'object' || of === null) return undefined
  const isKnown = 'range' in of ? of.range !== undefined : isConversion(of.conversion)
  if (!isKnown) return undefined
  const document = context.document({ uri })
  if (document.version !== version) {
    throw new ResponseError(LSPErrorCodes.ContentModified, 'The document changed')
  }
  return { document, of }
}

function isConversion(name: unknown): boolean {
  return transcriptConversions.some((it) => it.name === name)
}
