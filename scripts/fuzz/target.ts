/** What the coverage-guided fuzzer runs: reads a text, edits it, and compares with reading the edited text again. */
import { selfCheck } from '../../core/src/features/self-check.ts'
import { analyze, Checker, Transcript } from '../../core/src/internal.ts'

const dialects = ['auto', '2.2', '1.x', 'harmony'] as const

/** The first three bytes say how the rest, which is the text, is read and where it is cut and edited. */
export function fuzz(data: Buffer): void {
  const [dialectByte = 0, place = 0, length = 0] = data
  const dialect = dialects[dialectByte % dialects.length] ?? 'auto'
  const text = data.toString('utf8', 3)
  const start = Math.floor((place / 256) * text.length)
  const end = Math.min(text.length, start + (length % 64))
  const insertion = text.slice(0, length >> 6)
  const edited = text.slice(0, start) + insertion + text.slice(end)

  const analysis = analyze(Transcript.parse(text, { dialect }))
  const checker = new Checker(analysis)
  checker.advance()
  checker.update(analysis.edit([{ start, end, text: insertion }]))
  checker.advance()
  if (analysis.transcript.text() !== edited) throw new Error('The text is not the edited one')
  const difference = selfCheck(analysis, checker)
  if (difference) throw new Error(`After an edit, ${difference}`)
}
