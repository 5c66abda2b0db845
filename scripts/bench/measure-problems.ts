/** Measures keystrokes in transcripts with a thousand problems, from the change to the last byte of the new list. */
import { TextDocument } from 'vscode-languageserver-textdocument'
import { mixedCorpus } from './corpus.ts'
import { median, milliseconds, percentile } from './measuring.ts'
import { assignment, atMost, report } from './row.ts'
import { type Position, Session } from './server-session.ts'

const { isQuick, server } = assignment()

for (const size of [1, 10]) await measure(size)

/** Types where every keystroke changes the list of a thousand problems: lines above all of them, and mistakes in their midst. */
async function measure(size: number): Promise<void> {
  const text = withMistakes(mixedCorpus(size * 1e6).ocm, 1000)
  const session = new Session(server, 'openchatml')
  await session.initialize()
  await session.open(text)
  const document = TextDocument.create('file:///text', 'text', 1, text)
  const top = document.positionAt(text.indexOf(mistake))
  const middle = document.positionAt(text.indexOf(mistake, text.length / 2))
  const strokes: { readonly name: string; readonly at: Position; readonly typed: string }[] = [
    { name: 'a line above all of them', at: { line: top.line, character: 0 }, typed: '\n' },
    { name: 'a mistake among them', at: middle, typed: ' bar=2' },
  ]
  for (const { name, at, typed } of strokes) {
    const behind =
      typed === '\n'
        ? { line: at.line + 1, character: 0 }
        : { line: at.line, character: at.character + typed.length }
    const spans: number[] = []
    await session.rest()
    for (let stroke = 0; stroke < (isQuick ? 40 : 200); stroke++) {
      const added = await session.replace({ start: at, end: at }, typed)
      const removed = await session.replace({ start: at, end: behind }, '')
      if (!added.items || !removed.items) throw new Error('The list of problems did not change')
      spans.push(added.spent, removed.spent)
    }
    const p95 = percentile(spans, 95)
    report({
      what: `Keystroke with 1,000 problems, ${size} MB: ${name}`,
      ours: `p50 ${milliseconds(median(spans))}, p95 ${milliseconds(p95)}`,
      ...atMost(p95, 5, milliseconds),
    })
  }
  await session.close()
}

const mistake = ' foo=1'

/** `text` with a mistake in the headers of about `count` messages, from its first to its last. */
function withMistakes(text: string, count: number): string {
  const parts = text.split('<|channel|>')
  const step = Math.max(1, Math.floor((parts.length - 1) / count))
  return parts
    .map(
      (it, index) => (index === 0 ? '' : index % step === 0 ? `${mistake}<|channel|>` : '<|channel|>') + it,
    )
    .join('')
}
