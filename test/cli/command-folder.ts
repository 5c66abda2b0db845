/** A folder in which commands of the documentation run as they are written there. */
import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { TestContext } from 'node:test'
import { environment, folder, program } from './run-ocm.ts'

/** A folder in which `ocm` and `npx ocm` are the built program, and a way to run lines of a shell there. */
export function commandFolder(t: TestContext, files: Readonly<Record<string, string>>) {
  const root = folder(t, { 'work/.keep': '' })
  const [bin, cwd] = [join(root, 'bin'), join(root, 'work')]
  const script = (name: string, text: string) => {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`)
    chmodSync(join(bin, name), 0o755)
  }
  const write = (name: string, content: string) => {
    mkdirSync(join(cwd, name, '..'), { recursive: true })
    writeFileSync(join(cwd, name), content)
  }
  mkdirSync(bin)
  script('ocm', `exec '${process.execPath}' '${program}' "$@"`)
  script('npx', 'exec "$@"')
  script('npm', 'exit 0') // nothing is to be installed
  for (const [name, content] of Object.entries(files)) write(name, content)
  const env = environment({ PATH: `${bin}${delimiter}${process.env.PATH ?? ''}` })
  const sh = (line: string) =>
    spawnSync('sh', ['-ec', line], { cwd, env, encoding: 'utf8', timeout: 120_000 })
  return { cwd, env, sh, write }
}
