/**
 * What the commands of `ocm` cost: in counted work, no more than the text is longer.
 *
 *     GROWTH=all node scripts/run-tests.mjs test/cli/growth.test.ts      every profile: minutes
 *     GROWTH=literal node scripts/run-tests.mjs test/cli/growth.test.ts  the profiles with such a name
 */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import type * as Arguments from '../../cli/src/arguments.ts'
import type * as Commands from '../../cli/src/command-table.ts'
import type * as Colours from '../../cli/src/terminal/colour.ts'
import type { Console } from '../../cli/src/terminal/console.ts'
import type * as Outputs from '../../cli/src/terminal/output.ts'
import type * as ProgressLines from '../../cli/src/terminal/progress.ts'
import { countedModule, stepsOf } from '../helpers/growth/counted-work.ts'
import { growthAmong } from '../helpers/growth/growth-among.ts'
import { profilesWanted } from '../helpers/growth/profiles-wanted.ts'
import { isNight, nightly } from '../helpers/nightly.ts'

type Parts = typeof Arguments & typeof Commands & typeof Colours & typeof Outputs & typeof ProgressLines

const forNight = ['answer: blanks in a line', 'exchanges: calls with one id']
const profiles = profilesWanted([
  'answer: runs of backticks',
  'arguments: equal keys',
  ...(isNight ? forNight : []),
])

/** Every command that reads a transcript, in every way of printing. */
const commandLines = [
  ['check', '--jobs', '1', '--format', 'pretty'],
  ['check', '--jobs', '1', '--format', 'json'],
  ['check', '--jobs', '1', '--format', 'junit'],
  ['check', '--jobs', '1', '--format', 'sarif'],
  ['check', '--jobs', '1', '--format', 'github'],
  ['check', '--jobs', '1', '--diff'],
  ['format'],
  ['parse'],
  ['parse', '--tree'],
  ['render'],
  ['render', '--debug'],
  ['render', '--format', 'markdown'],
  ['render', '--format', 'html'],
  ['render', '--as', 'next-prompt'],
  ['convert', '--to', 'messages'],
  ['tokens'],
] as const

nightly('no command costs more than in proportion to the text', async (t) => {
  const modules = ['arguments', 'command-table', 'terminal/colour', 'terminal/output', 'terminal/progress']
  const parts = await countedModule<Parts>(
    modules.map((it) => `export * from './cli/src/${it}.ts'`).join('; '),
    {
      external: ['katex', 'gpt-tokenizer'], // counting them takes longer to prepare than to run
    },
  )
  const folder = mkdtempSync(join(tmpdir(), 'ocm-growth-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const grown: string[] = []
  for (const profile of profiles) {
    grown.push(...(await growthAmong(profile, (text) => stepsByCommand(parts, folder, text))))
  }
  assert.deepEqual(grown, [])
})

async function stepsByCommand(
  parts: Parts,
  folder: string,
  text: string,
): Promise<ReadonlyMap<string, number>> {
  const path = join(folder, 'text.ocm')
  writeFileSync(path, text)
  const steps = new Map<string, number>()
  for (const [name, ...options] of commandLines) {
    const command = await parts.commandTable.get(name)?.load()
    assert.ok(command, name)
    const args = parts.parseArguments([...options, path], command.options)
    const console = silentConsole(parts)
    const running = await stepsOf(async () => {
      // A text that a command refuses is refused at a cost, too.
      await command.run(args as Parameters<typeof command.run>[0], console).catch(refused)
      await console.output.flush()
    })
    assert.ok(running > text.length / 10, `${name} did nothing: ${running} steps`)
    steps.set([name, ...options].join(' '), running)
  }
  return steps
}

function refused(error: unknown): void {
  const isOurs = error instanceof Error && /^(?:UsageError|FileProblem|InputProblem)$/.test(error.name)
  if (!isOurs) throw error
}

/** A console whose output goes nowhere. */
function silentConsole({ Output, Progress, styleOf }: Parts): Console {
  const nowhere = new Writable({ write: (_, __, done) => done() })
  return {
    output: new Output(nowhere),
    style: styleOf(false),
    isColoured: false,
    isTerminal: false,
    isSharedTerminal: false,
    columns: 100,
    input: nothing,
    progress: new Progress(nowhere as ConstructorParameters<typeof Progress>[0]),
    complain() {},
    advise() {},
  }
}

async function* nothing(): AsyncIterable<Uint8Array> {}
