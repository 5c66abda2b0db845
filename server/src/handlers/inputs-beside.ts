/** The places of an input in the parts and cases of its prompt, for handlers: the document itself is one of its files. */
import { LSPErrorCodes, type Range, ResponseError } from 'vscode-languageserver'
import {
  type InputUses,
  inputPlaceAt,
  inputUses,
  type PromptFileText,
  positionAmong,
  startsOfLines,
} from '../../../core/src/internal.ts'
import type { DocumentRequest } from './handler.ts'

/** An input with its places in the other files of its prompt. */
export interface InputBeside {
  readonly name: string
  readonly files: readonly PromptFileText[]
  readonly uses: readonly InputUses[]
}

/** The input at `offset`; undefined if there is none. @throws ResponseError ContentModified if the document changed meanwhile */
export async function inputBeside(
  { document, prompts }: Pick<DocumentRequest<unknown>, 'document' | 'prompts'>,
  offset: number,
): Promise<InputBeside | undefined> {
  const { analysis, generation } = document
  const name = inputPlaceAt(analysis, offset)?.name
  if (name === undefined) return undefined
  const files = await prompts.filesOf(document)
  if (document.isClosed || document.generation !== generation)
    throw new ResponseError(LSPErrorCodes.ContentModified, 'The document changed')
  return { name, files, uses: inputUses(analysis, files, name) }
}

/** The places as the protocol has them. */
export function rangesOf({ file, ranges }: InputUses): readonly Range[] {
  const starts = startsOfLines(file.text)
  return ranges.map(({ start, end }) => ({
    start: positionAmong(starts, start),
    end: positionAmong(starts, end),
  }))
}
