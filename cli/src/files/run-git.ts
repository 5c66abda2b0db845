/** Runs git for the names of files. Nothing that a repository names is run, and nothing is fetched. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

const largestList = 1 << 28 // bytes
const patience = 30_000 // milliseconds: large repositories on slow disks take a few seconds

/** Git didn't answer in time, for example because it reads a pipe that never ends. */
export class SilentGitError extends Error {
  override readonly name = 'SilentGitError'
}

/** The names that git prints in `folder`. @throws SilentGitError; what running it throws */
export async function namesFromGit(
  args: readonly string[],
  { folder = '.', deadline = patience }: { readonly folder?: string; readonly deadline?: number } = {},
): Promise<readonly string[]> {
  try {
    const { stdout } = await run('git', ['-C', folder, '-c', 'core.fsmonitor=false', ...args], {
      maxBuffer: largestList,
      timeout: deadline,
      killSignal: 'SIGKILL',
      // For objects that are missing, git would run the transport that the repository names.
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_NO_LAZY_FETCH: '1', GIT_ALLOW_PROTOCOL: 'none' },
    })
    return stdout.split('\0').filter((it) => it !== '')
  } catch (error) {
    const { killed, code } = error as { readonly killed?: boolean; readonly code?: unknown }
    const isLate = killed === true && code !== 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER'
    throw isLate ? new SilentGitError('git did not answer in time') : error
  }
}
