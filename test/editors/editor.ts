/** Other editors, run without a window with the set-up that the documentation gives. */
import { spawn, spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'

/** What an editor got from the server. */
export interface EditorAnswers {
  readonly version: string
  readonly diagnostics: readonly string[]
  readonly hover: string
  readonly completions: readonly string[]
  readonly outline: readonly string[]
  /** The text after the editor has formatted it. */
  readonly formatted: string
  readonly filetype?: string
  readonly mode?: string
}

/** What is opened: a mistake, a channel to hover over, and spaces to format. */
export const transcript = `version: 2.2
<|start|>user<|message|>Hi<|end|>

<|start|>asistant<|message|>Hello<|end|>
<|start|>assistant  name=x<|channel|>final<|message|>Hello<|return|>
`

/** The same as it is formatted. */
export const formatted = transcript.replace('<|end|>\n\n', '<|end|>\n').replace('  name', ' name')

/** The first block of code in the language below the heading of `docs/other-editors.md`. */
export async function documentedSetUp(heading: string, language: string): Promise<string> {
  const page = await readFile('docs/other-editors.md', 'utf8')
  const section = page.slice(page.indexOf(`\n## ${heading}\n`))
  const opening = `\n\`\`\`${language}\n`
  const start = section.indexOf(opening) + opening.length
  if (start < opening.length) throw new Error(`docs/other-editors.md sets up no ${heading}`)
  return section.slice(start, section.indexOf('\n```', start))
}

/** Why the program cannot be run; false if it can. */
export function missing(program: string, ...args: readonly string[]): string | false {
  const { status, error } = spawnSync(program, args, { stdio: 'ignore', timeout: 20_000 })
  if (error) return `${program} is not installed`
  return status === 0 ? false : `\`${[program, ...args].join(' ')}\` fails`
}

/** Runs an editor with `ocm` on its path; what it wrote down. */
export async function answersOf(
  command: readonly [string, ...string[]],
  setUp: string,
): Promise<EditorAnswers> {
  const folder = await mkdtemp(join(tmpdir(), 'openchatml-editor-'))
  try {
    const ocm = join(folder, 'ocm')
    await writeFile(ocm, `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/cli/ocm.js')}" "$@"\n`)
    await chmod(ocm, 0o755)
    const paths = {
      INIT: join(folder, 'init'),
      TRANSCRIPT: join(folder, 'a.ocm'),
      ANSWERS: join(folder, 'answers'),
    }
    await writeFile(paths.INIT, setUp)
    await writeFile(paths.TRANSCRIPT, transcript)
    const env = { ...process.env, ...paths, HOME: folder, PATH: `${folder}${delimiter}${process.env.PATH}` }
    const output = await run(command, folder, env)
    try {
      return JSON.parse(await readFile(paths.ANSWERS, 'utf8')) as EditorAnswers
    } catch {
      throw new Error(`${command[0]} wrote no answers:\n${output}`)
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const deadline = 90_000 // generous: the machine may be busy

function run([program, ...args]: readonly [string, ...string[]], cwd: string, env: NodeJS.ProcessEnv) {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: deadline })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data))
  return new Promise<string>((done, fail) => child.on('close', () => done(output)).on('error', fail))
}
