/** Reports what each rule costs on the mixed corpus, the most expensive first, for authors of rules. Not part of a whole run. */
import { analyze, Checker, type Rule, rules, Transcript } from '../../core/src/internal.ts'
import { asFromFile, mixedCorpus } from './corpus.ts'
import { milliseconds } from './measuring.ts'
import { assignment, report } from './row.ts'

const size = assignment().isQuick ? 1 : 10
const analysis = analyze(Transcript.parse(asFromFile(mixedCorpus(size * 1e6).ocm)))

fastest(rules) // what rules remember of the tools is there before the first is timed
const nothing = fastest([])
report({ what: `All rules, ${size} MB`, ours: milliseconds(fastest(rules)) })
report({ what: 'No rule', ours: milliseconds(nothing) })
const costs = rules.map((rule) => ({ rule, time: fastest([rule]) - nothing }))
costs.sort((one, other) => other.time - one.time)
for (const { rule, time } of costs) {
  if (time > nothing / 10) report({ what: `${rule.name} (${rule.scope})`, ours: milliseconds(time) })
}

function fastest(chosen: readonly Rule[]): number {
  let best = Number.POSITIVE_INFINITY
  for (let run = 0; run < 12; run++) {
    const checker = new Checker(analysis, { rules: chosen })
    const begun = performance.now()
    checker.advance()
    best = Math.min(best, performance.now() - begun)
  }
  return best
}
