/** Measures texts that try to make a state of the automaton, a rule or an embedded language slow: time per MB must not grow. */
import { analyze, Checker, releaseTexts, Transcript } from '../../core/src/internal.ts'
import { hostileTexts } from '../../test/helpers/hostile-texts.ts'
import { asFromFile } from './corpus.ts'
import { digits, median, million, times } from './measuring.ts'
import { assignment, atMost, report } from './row.ts'

const { isQuick } = assignment()
const sizes = isQuick ? [0.1, 1] : [0.1, 1, 10]
const tooLong = 60_000 // milliseconds: what would take longer is not run, and missed

for (const name of hostileTexts(1).keys()) measure(name)

function measure(name: string): void {
  const perMegabyte: number[] = []
  for (const size of sizes) {
    if ((perMegabyte.at(-1) ?? 0) * size > tooLong) {
      perMegabyte.push(Number.POSITIVE_INFINITY)
      continue
    }
    perMegabyte.push(timeOf(asFromFile(hostileTexts(size * million).get(name) ?? '')) / size)
  }
  const [first = Number.NaN] = perMegabyte
  const last = perMegabyte.at(-1) ?? Number.NaN
  report({
    what: `Hostile, ${name}: ${sizes.join(', ')} MB`,
    ours: perMegabyte.map((value) => `${digits(value)} ms/MB`).join(', '),
    ...atMost(last / first, 2, times),
  })
}

/** Milliseconds for everything that opening a file takes. */
function timeOf(text: string): number {
  const spans: number[] = []
  const end = performance.now() + 500
  for (let run = 0; run < 3 || (run < 50 && performance.now() < end); run++) {
    releaseTexts() // what is remembered of the run before would make this one quicker
    const begun = performance.now()
    const checker = new Checker(analyze(Transcript.parse(text)))
    checker.advance()
    checker.problems(1000)
    spans.push(performance.now() - begun)
    if (performance.now() - begun > 5000) break
  }
  return median(spans)
}
