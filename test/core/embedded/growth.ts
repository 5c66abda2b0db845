/** Measures how the cost of a function grows with its input: a ratio, so that the speed of the machine cancels out. */

import assert from 'node:assert/strict'

const factor = 8 // a quadratic cost grows by 64
const tolerated = 24 // halfway between on a logarithmic scale
const negligible = 2000 // milliseconds: on a busy machine a linear cost fits, and a quadratic one does not

/** Fails if `run` costs out of proportion on a text eight times as long. */
export function assertLinear(
  name: string,
  size: number,
  text: (size: number) => string,
  run: (text: string) => void,
): void {
  const small = text(size / factor)
  const large = text(size)
  if (bestOf(1, () => run(large)) <= negligible) return
  const cost = bestOf(2, () => run(large))
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
