/** Replaces the content of a file as a whole or not at all. */
import { constants } from 'node:fs'
import { access, chmod, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { FileProblem, fileProblem } from './file-problem.ts'

/**
 * Writes `text` to the file at `path`, if it still holds `expected`. A reader sees the old content or the new one,
 * never a part; permissions and symbolic links stay. Who may not write the file may not replace it either.
 *
 * @throws FileProblem if the file cannot be written, or is not what it was
 */
export async function replaceFile(path: string, expected: Uint8Array, text: string): Promise<void> {
  try {
    const target = await realpath(path)
    const temporary = join(dirname(target), `.${basename(target)}.${process.pid}.tmp`)
    const { mode } = await stat(target)
    await access(target, constants.W_OK)
    await assertUnchanged(path, expected)
    try {
      const file = await open(temporary, 'wx', mode)
      try {
        await file.writeFile(text, 'utf8')
        await file.sync()
      } finally {
        await file.close()
      }
      await chmod(temporary, mode) // the umask may have taken something away
      await assertUnchanged(path, expected)
      await rename(temporary, target)
    } catch (error) {
      await rm(temporary, { force: true })
      throw error
    }
  } catch (error) {
    throw fileProblem(path, error)
  }
}

async function assertUnchanged(path: string, expected: Uint8Array): Promise<void> {
  if (!(await readFile(path)).equals(expected)) {
    throw new FileProblem(path, 'was changed by another program in the meantime; it is left alone')
  }
}
