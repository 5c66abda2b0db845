/** What it costs to check the calls of a transcript against their definitions, compared with `JSON.parse` of their bodies. */
import { analyze, Checker, type Rule, rules, Transcript } from '../../core/src/internal.ts'
import { asFromFile, randomFrom } from './corpus.ts'
import { milliseconds, race, times } from './measuring.ts'
import { assignment, atMost, report } from './row.ts'

const { isQuick } = assignment()
const nTools = 200
const nCalls = isQuick ? 4000 : 20_000
const random = randomFrom(8)

const definitions = Array.from({ length: nTools }, (_, index) => definition(index))
const developer = `<|start|>developer<|message|># Tools\n\n## functions\n\nnamespace functions {\n\n${definitions.join('\n\n')}\n\n} // namespace functions<|end|>\n`
const bodies = Array.from({ length: nCalls }, body)
const calls = bodies.map(
  (it, index) =>
    `<|start|>assistant to=functions.tool_${index % nTools} call_id=c${index}<|channel|>commentary<|constrain|>json<|message|>${it}<|call|>\n`,
)
const text = asFromFile(`version: 2.2\n${developer}${calls.join('')}`)

/** The rules that look at the arguments of calls. */
const names = [
  'unknown-tool',
  'unprefixed-tool',
  'arguments-not-an-object',
  'invalid-arguments',
  'unexpected-argument',
  'invalid-deadline',
  'duplicate-argument',
  'constraint-violation',
]
const chosen = rules.filter(({ name }) => names.includes(name))

/** Looks at every call and says nothing: what it costs to walk there. */
const silent = chosen.flatMap((rule): Rule[] =>
  rule.scope === 'message' && rule.name === 'unknown-tool' ? [{ ...rule, check: () => undefined }] : [],
)

const analysis = analyze(Transcript.parse(text))
const first = timed(check(chosen)) // reads the definitions
const { parsed, checked, walked } = await race(
  { parsed: parseAll, checked: check(chosen), walked: check(silent) },
  { turns: isQuick ? 3 : 7, runs: 5 },
)
const own = Math.max(0, checked - walked)
report({
  what: `Check ${nCalls} calls of ${nTools} tools`,
  ours: milliseconds(own),
  peers: `\`JSON.parse\` of their bodies ${milliseconds(parsed)}`,
  ...atMost(own / parsed, 3, times),
})
report({
  what: 'Read a definition, once',
  ours: milliseconds(Math.max(0, first - checked) / nTools),
})

function parseAll(): void {
  for (const it of bodies) JSON.parse(it)
}

function check(these: readonly Rule[]): () => void {
  return () => {
    const checker = new Checker(analysis, { rules: these })
    checker.advance()
    if (checker.totalSoFar > 0) throw new Error('The calls of the benchmark are valid')
  }
}

function timed(work: () => void): number {
  const begun = performance.now()
  work()
  return performance.now() - begun
}

function definition(index: number): string {
  return `// Does thing ${index} with care.\ntype tool_${index} = (_: {\n// What to look for\nquery: string,\n// What to write\ntext?: string,\nlimit?: number,\nunit?: "celsius" | "fahrenheit", // default: celsius\ntags?: string[],\nplace?: {\n    city: string,\n    country?: string | null,\n    },\n}) => any;`
}

function body(): string {
  const value: Record<string, unknown> = { query: words(3 + Math.floor(random() * 12)) }
  if (random() < 0.5) value.limit = Math.floor(random() * 100)
  if (random() < 0.4) value.unit = random() < 0.5 ? 'celsius' : 'fahrenheit'
  if (random() < 0.4) value.tags = [words(1), words(1), words(2)]
  if (random() < 0.25) value.text = words(50 + Math.floor(random() * 250)) // a call that writes a file
  if (random() < 0.3) value.place = { city: words(1), country: random() < 0.2 ? null : words(1) }
  return JSON.stringify(value)
}

function words(count: number): string {
  return Array.from({ length: count }, () => Math.floor(random() * 1e8).toString(36)).join(' ')
}
