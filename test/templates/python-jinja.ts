/** Asks Python's Jinja2, set up as transformers sets it up, and says what is missing. */
import { execFileSync } from 'node:child_process'

/** A template and its names. */
export interface TemplateWork {
  readonly source: string
  readonly context: Readonly<Record<string, unknown>>
}

/** What Python says. */
export interface PythonRendering {
  readonly text?: string
  readonly spans?: readonly (readonly [start: number, end: number])[]
  readonly error?: string
  readonly line?: number
}

/** The renderings of `work`, in order. @throws Error that names the Debian package, if there is no Jinja2 */
export function renderWithJinja(work: readonly TemplateWork[]): readonly PythonRendering[] {
  try {
    execFileSync('python3', ['-c', 'import jinja2'], { stdio: 'pipe' })
  } catch {
    throw new Error('These tests need Python with Jinja2: apt-get install python3-jinja2')
  }
  const output = execFileSync('python3', ['test/templates/render-with-jinja.py'], {
    input: work.map((it) => `${JSON.stringify(it)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  })
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

/** The time that `now` is in the script. */
export const jinjaNow = new Date(2026, 2, 4, 5, 6, 7)
