/** What somebody may put in the place of a file that is read without being opened. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'

/** What no part of a message or a log may hold. */
export const secret = 'SECRET_TOKEN'

/** Puts something in the place of a file at `path`; `outside` is a file with a secret in another folder. */
export const oddFiles: Readonly<Record<string, (path: string, outside: string) => void>> = {
  'a pipe': (path) => void execFileSync('mkfifo', [path]),
  'a link to a pipe': (path) => {
    execFileSync('mkfifo', [`${path}.pipe`])
    symlinkSync(`${path}.pipe`, path)
  },
  'a link to a device': (path) => symlinkSync('/dev/zero', path),
  'a link to a file outside': (path, outside) => symlinkSync(outside, path),
  'a file of 1 GB': (path) => {
    writeFileSync(path, '')
    truncateSync(path, 2 ** 30)
  },
  'a directory': (path) => mkdirSync(path),
  'a link to itself': (path) => symlinkSync(path, path),
}
