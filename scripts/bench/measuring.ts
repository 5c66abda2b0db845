/** Measures work fairly, and makes numbers out of many measurements. */
import { readFileSync } from 'node:fs'

/** Something to be timed; what it returns is held until the clock stops. */
export type Work = () => unknown

/** What a contestant is worth in a race. */
export type Times<Name extends string> = Readonly<Record<Name, number>>

/** How long a race goes on. */
export interface RaceOptions {
  /** How often every contestant has its turn. */
  readonly turns: number
  /** How often it runs in a turn, after running once without being timed. */
  readonly runs: number
  /** Milliseconds; by default those of the clock on the wall. */
  readonly clock?: () => number
  /**
   * False to leave it to the engine when garbage is swept up. By default that is done before every turn, which makes the engine
   * forget part of the code it compiled: nothing that happens to work that goes on and on.
   */
  readonly sweeps?: boolean
}

/** Milliseconds that this process has worked: what a core is kept busy with, however many others want it. */
export function workedMilliseconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Times several pieces of work against each other. They take turns, so that a busy moment of the machine meets all of them
 * alike; within its turn a contestant runs several times, so that it sweeps up its own garbage and not another's.
 *
 * @returns the median of each in milliseconds
 */
export async function race<Name extends string>(
  contestants: Readonly<Record<Name, Work>>,
  { turns, runs, clock = () => performance.now(), sweeps = true }: RaceOptions,
): Promise<Times<Name>> {
  const names = Object.keys(contestants) as Name[]
  const times = new Map(names.map((name) => [name, [] as number[]]))
  for (const name of names) await warmUp(contestants[name], clock)
  for (let turn = 0; turn < turns; turn++) {
    for (const name of names) {
      if (sweeps) sweep()
      for (let run = 0; run <= runs; run++) {
        const begun = clock()
        kept = await contestants[name]()
        const time = clock() - begun
        if (run > 0) times.get(name)?.push(time)
      }
      kept = undefined
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Times<Name>
}

const warmUpMilliseconds = 1000 // of its own clock: enough for the engine to compile what is hot, also on a busy machine

async function warmUp(work: Work, clock: () => number): Promise<void> {
  const end = clock() + warmUpMilliseconds
  do kept = await work()
  while (clock() < end)
}

/** Keeps the engine from leaving out work whose result is not used. */
export let kept: unknown

/** How many bytes the result of `work` holds in addition to what was there before. */
export function heldBytes(work: Work): number {
  kept = undefined
  const before = liveBytes()
  kept = work()
  const held = liveBytes() - before
  kept = undefined
  return held
}

function liveBytes(): number {
  for (let sweeps = 0; sweeps < 3; sweeps++) sweep() // weak tables need more than one
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function sweep(): void {
  const { gc } = globalThis as { gc?: () => void }
  if (!gc) throw new Error('Run with --expose-gc')
  gc()
}

/** The value that half of `values` do not exceed. */
export function median(values: readonly number[]): number {
  return percentile(values, 50)
}

/** The value that `percent` of `values` do not exceed; NaN if there are none. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  const index = Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)
  return sorted[index] ?? Number.NaN
}

/** Three significant digits, with thousands set apart. */
export function digits(value: number): string {
  return value.toLocaleString('en-US', { maximumSignificantDigits: 3 })
}

/** A million. */
export const million = 1e6

/** `1.23 ×` */
export function times(ratio: number): string {
  return `${digits(ratio)} ×`
}

/** `12.3 MB` */
export function megabytesOf(bytes: number): string {
  return `${digits(bytes / million)} MB`
}

/** `12.3 MB/s` */
export function perSecond(bytes: number, milliseconds: number): string {
  return `${digits(bytes / 1000 / milliseconds)} MB/s`
}

/** What a process holds and held at most, in bytes; undefined where the system does not report it, or the process has ended. */
export function memoryOf(
  pid: number | undefined,
): { readonly now: number; readonly peak: number } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    const bytes = (name: string) => 1024 * Number(new RegExp(`${name}:\\s*(\\d+)`).exec(status)?.[1])
    return { now: bytes('VmRSS'), peak: bytes('VmHWM') }
  } catch {
    return undefined // no such file: not Linux
  }
}

/** `12.3 ms` */
export function milliseconds(value: number): string {
  return `${digits(value)} ms`
}
