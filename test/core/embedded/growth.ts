/**
 * Measures how the cost of a function grows with its input: a ratio, so that the speed of the machine cancels out. Counted work
 * doesn't show what one regular expression does, so this is measured.
 */

import assert from 'node:assert/strict'

const factor = 8 // a quadratic cost grows by 64
const tolerated = 24 // halfway between on a logarithmic scale
const negligible = 200 // milliseconds: a linear cost of the texts is less, and a quadratic one is more

/** Fails if `run` costs out of proportion on a text eight times as long. */
export function assertLinear(
  name: string,
  size: number,
  text: (size: number) => string,
  run: (text: string) => void,
): void {
  const small = text(size / factor)
  const large = text(size)
  if (bestOf(1, () => run(large)) <= negligible) return // the first run compiles, too
  const cost = bestOf(2, () => run(large))
  if (cost <= negligible) return
  const ratio = cost / bestOf(2, () => run(small))
  assert.ok(
    ratio < tolerated,
    `${name}: ${factor} times the text costs ${ratio.toFixed(1)} times the time (${cost.toFixed(0)} ms)`,
  )
}

/** Processor time in milliseconds, which other programs on the machine disturb less than the clock. */
function bestOf(times: number, run: () => void): number {
  let best = Number.POSITIVE_INFINITY
  for (let turn = 0; turn < times; turn++) {
    const before = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(before)
    best = Math.min(best, (user + system) / 1000)
  }
  return best
}
