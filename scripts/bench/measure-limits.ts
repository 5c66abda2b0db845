/**
 * Measures what hostile texts of 0.1, 1 and 10 MB cost in the server and in `ocm`, against what the product promises: 2 s for
 * opening, 1 s for a request and for the first keystroke at a place, 50 ms for a keystroke, and 16 bytes for each byte of the text or 300 MB, whichever is more.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { placesOf, serverRequests } from '../../test/helpers/growth/server-requests.ts'
import { type HostileTrigger, hostileTriggers } from './limit-triggers.ts'
import { digits, median, milliseconds } from './measuring.ts'
import { type Assignment, assignment, report } from './row.ts'
import { type Answer, type Position, Session } from './server-session.ts'

const settings: Assignment = assignment()
const million = 1e6
const longestOpening = 2000 // milliseconds, most of them in slices: requests and keystrokes are answered in between
const longestRequest = 1000 // milliseconds
const longestKeystroke = 50 // milliseconds
const largestMemory = 300 * million // bytes
const memoryPerByte = 16
const ownSizes = settings.isQuick ? [0.1, 1] : [0.1, 1, 10]
const sizes = settings.megabytes === undefined ? ownSizes : [settings.megabytes]
const strokes = 15 // of which the median counts: the first ones run code that the engine still compiles

/** What one size of a trigger cost. */
interface Cost {
  /** Milliseconds from the first byte sent to the answer with the diagnostics, or of the whole command. */
  readonly opening: number
  /** The request or command that took longest, besides opening. */
  readonly worst: Request
  /** The requests that took at least half of what they may, the slowest of each kind. */
  readonly slow: readonly Request[]
  readonly keystroke: number
  /** The first keystroke at a place, which may change how the whole text is read. */
  readonly firstKeystroke: number
  /** Bytes above what the process held before. */
  readonly memory: number
}

interface Request {
  readonly name: string
  /** Milliseconds. */
  readonly spent: number
}

for (const trigger of hostileTriggers) {
  if (settings.filter === undefined || trigger.name.includes(settings.filter)) await measure(trigger)
}

async function measure(trigger: HostileTrigger): Promise<void> {
  const wanted = trigger.sizes ?? sizes
  const costs: Cost[] = []
  for (const size of wanted) {
    const text = trigger.text(size * million)
    costs.push(trigger.command ? commandCost(trigger.command, text) : await serverCost(trigger, text))
  }
  if (costs.length === 0) return
  // A limit holds at every size: a large text may be answered in part where a smaller one is answered in whole.
  const isReached = costs.every(
    ({ opening, worst, keystroke, firstKeystroke, memory }, index) =>
      (trigger.command !== undefined || opening <= longestOpening) &&
      worst.spent <= longestRequest &&
      keystroke <= longestKeystroke &&
      firstKeystroke <= longestRequest &&
      memory <= Math.max(largestMemory, memoryPerByte * (wanted[index] ?? 0) * million),
  )
  const { worst } = costs.reduce((one, other) => (other.worst.spent > one.worst.spent ? other : one))
  const opening = Math.max(...costs.map((it) => it.opening))
  const keystroke = Math.max(...costs.map((it) => it.keystroke))
  const firstKeystroke = Math.max(...costs.map((it) => it.firstKeystroke))
  const memory = Math.max(...costs.map((it) => it.memory))
  const figure = trigger.command
    ? milliseconds(worst.spent)
    : `opening ${milliseconds(opening)}, ${worst.name} ${milliseconds(worst.spent)}, keystroke ${milliseconds(keystroke)} (the first ${milliseconds(firstKeystroke)}), ${digits(memory / million)} MB`
  report({
    what: `Limit, ${trigger.name}: ${wanted.map(String).join(', ')} MB`,
    ours: costs.map(inWords).join('; '),
    figure,
    target: trigger.command ? '≤ 1,000 ms' : '≤ 2,000 ms, 1,000 ms, 50 ms, 300 MB',
    isReached,
  })
}

function inWords({ opening, slow }: Cost): string {
  const slowest = slow.map(({ name, spent }) => `${name} ${milliseconds(spent)}`)
  return [`opening ${milliseconds(opening)}`, ...slowest].join(', ')
}

async function serverCost({ requests, at }: HostileTrigger, text: string): Promise<Cost> {
  const session = new Session(settings.server, 'openchatml')
  await session.initialize()
  await session.rest()
  const idle = session.memory()?.now ?? 0
  const opening = await workOf(session, () => session.open(text))
  const places = Object.values(placesOf(text))
  if (at) places.push(...Object.values(placesOf(text.slice(0, text.indexOf(at) + at.length))).slice(-1))
  const { end } = placesOf(text)
  const spentBy = new Map<string, number>()
  for (const { name, method, hasPlace, params } of serverRequests) {
    if (requests && !requests.includes(method)) continue
    for (const place of hasPlace ? places : places.slice(0, 1)) {
      let answer: Answer | undefined
      const spent = await workOf(session, async () => {
        answer = await session.ask(`textDocument/${method}`, params(place, end)).catch(refused)
      })
      spentBy.set(name, Math.max(spent, spentBy.get(name) ?? 0))
      if (method !== 'codeAction') continue
      for (const action of unresolvedIn(answer)) {
        const spent = await workOf(session, () =>
          session.resolve('codeAction/resolve', action).catch(refused),
        )
        spentBy.set(action.title, Math.max(spent, spentBy.get(action.title) ?? 0))
      }
    }
  }
  const spent = [...spentBy]
    .map(([name, spent]) => ({ name, spent }))
    .sort((one, other) => other.spent - one.spent)
  const [worst = { name: 'nothing', spent: 0 }] = spent
  const slow = spent.filter((it) => it.spent > longestRequest / 2)
  let keystroke = 0
  let firstKeystroke = 0
  for (const place of places) {
    const [first = 0, ...others] = await keystrokesAt(session, place)
    keystroke = Math.max(keystroke, median([first, ...others]))
    firstKeystroke = Math.max(firstKeystroke, first)
  }
  const memory = (session.memory()?.peak ?? 0) - idle
  await session.close()
  return { opening, worst, slow, keystroke, firstKeystroke, memory }
}

/** Some keystrokes at `place`, each with its diagnostics. */
async function keystrokesAt(session: Session, place: Position): Promise<readonly number[]> {
  const spans: number[] = []
  for (let stroke = 0; stroke < strokes; stroke++) {
    const { line, character } = place
    const insertion = { line, character: character + stroke, text: 'x' }
    spans.push(await workOf(session, () => session.type(insertion)))
  }
  return spans
}

/** A refusal is an answer, too. */
function refused(): undefined {
  return undefined
}

interface Action {
  readonly title: string
  readonly data?: unknown
}

const resolvedAtMost = 10 // of one answer

/** The actions whose edits are made when they are chosen. */
function unresolvedIn(answer: Answer | undefined): readonly Action[] {
  const actions = (answer?.result ?? []) as readonly Action[]
  return actions.filter(({ data }) => data !== undefined).slice(0, resolvedAtMost)
}

/** Milliseconds from the question to the answer, without those in which others used the machine. */
async function workOf(session: Session, ask: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  const before = session.worked()
  await ask()
  const spent = performance.now() - begun
  const after = session.worked()
  return before === undefined || after === undefined ? spent : Math.min(spent, after - before)
}

/** What a command of `ocm` takes on `text`, as a user waits for it: without what Node takes to start. */
function commandCost(command: readonly string[], text: string): Cost {
  const folder = mkdtempSync(join(tmpdir(), 'ocm-limits-'))
  try {
    const file = join(folder, 'text.ocm')
    writeFileSync(file, text)
    writeFileSync(join(folder, 'empty.ocm'), '<|start|>user<|message|>Hi<|end|>\n')
    const empty = runFor(command, join(folder, 'empty.ocm'))
    const spent = Math.max(0, runFor(command, file) - empty) // starting Node varies more than a quick command takes
    return {
      opening: spent,
      worst: { name: command.join(' '), spent },
      slow: [],
      keystroke: 0,
      firstKeystroke: 0,
      memory: 0,
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function runFor(command: readonly string[], file: string): number {
  const begun = performance.now()
  spawnSync(process.execPath, [settings.program, ...command, file], { stdio: 'ignore' })
  return performance.now() - begun
}
