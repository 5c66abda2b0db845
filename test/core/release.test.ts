/** What is remembered of a document that nobody has any more: nothing, once its texts are released. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { analyze, Checker, hover, releaseTexts, Transcript } from '../../core/src/internal.ts'

setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void

const filler = 8_000_000 // code units: far more than everything else that a test leaves behind

/** Everything that is remembered for the next question is in use: header, definitions, calls, repeated thoughts. */
function useLargeDocument(): WeakRef<object>[] {
  const thought = 'The user wants to know what the weather is like in Oslo on the first day of the month. '
  const text = [
    'version: 2.2\nmodel: a-model-with-a-long-name\nlint:\n  token-in-body-or-anything: off\n',
    '<|start|>developer<|message|># Tools\n\n## functions\n\nnamespace functions {\n\ntype lookup = (_: { city: string }) => any;\n\n} // namespace functions<|end|>\n',
    `<|start|>user<|message|>${'lorem ipsum dolor '.repeat(filler / 18)}<|end|>\n`,
    `<|start|>assistant<|channel|>analysis<|message|>${thought}<|end|>\n`,
    '<|start|>assistant to=functions.lookup call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"city": 1}<|call|>\n',
    '<|start|>tool name=functions.lookup call_id=c1<|message|>{"ok": true}<|end|>\n',
    `<|start|>assistant<|channel|>final<|message|>${thought}<|return|>\n`,
  ].join('')
  // Read as from a file: the text is one flat string, and every part of it is a view of the whole.
  const analysis = analyze(Transcript.parse(Buffer.from(text).toString()))
  const checker = new Checker(analysis)
  checker.advance()
  assert.ok(checker.totalSoFar > 0)
  hover(analysis, text.indexOf('{"city"') + 3)
  const segments = [...analysis.transcript.segments()].map(({ segment }) => segment)
  return [analysis, ...segments].map((it) => new WeakRef(it))
}

test('a document that nobody has any more is gone once its texts are released', async () => {
  useLargeDocument() // so that code is compiled, and tables are there
  await new Promise(setImmediate)
  releaseTexts()
  collect()
  const before = process.memoryUsage().heapUsed
  const references = useLargeDocument()
  await new Promise(setImmediate)
  releaseTexts()
  // Code that the engine still compiles in another thread holds what it was called with until it is done.
  for (let turn = 0; turn < 500 && references.some((it) => it.deref() !== undefined); turn++) {
    await new Promise((done) => setTimeout(done, turn === 0 ? 0 : 20))
    collect()
  }
  const held = process.memoryUsage().heapUsed - before
  assert.ok(held < filler / 2, `${held} bytes are held`)
  assert.deepEqual(
    references.map((it) => it.deref() !== undefined),
    references.map(() => false),
  )
})
