/** Input that opens without an error and must not be read all the same. */
import { type BigIntStats, fstatSync, statSync } from 'node:fs'
import { placeOf } from '../../../client/disk/byte-ranges.ts'
import { FileProblem } from './file-problem.ts'

/** Standard input, as the system numbers it. */
export const standardInputNumber = 0
const standardOutputNumber = 1

/**
 * Refuses the file that standard output goes to: a shell has emptied it (`>`), or it grows while it is read (`>>`). Refuses
 * a directory as standard input, which Node takes for an empty file. @throws FileProblem
 */
export function refuseUnfitInput(file: string | typeof standardInputNumber, shown: string): void {
  if (file === standardInputNumber && statusOf(file)?.isDirectory()) {
    throw new FileProblem(shown, 'is a directory')
  }
  const output = statusOf(standardOutputNumber)
  if (!output?.isFile()) return
  const input = statusOf(file)
  if (input && placeOf(input) === placeOf(output)) {
    throw new FileProblem(shown, 'is also the standard output; write to another file and rename it')
  }
}

function statusOf(file: string | number): BigIntStats | undefined {
  try {
    return typeof file === 'number' ? fstatSync(file, { bigint: true }) : statSync(file, { bigint: true })
  } catch {
    return undefined // who reads it says what is wrong
  }
}
