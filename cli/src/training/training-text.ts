/** The training view as text: for a terminal, for programs, and as a page. */
import { basename } from 'node:path'
import { stillPageHead } from '../../../client/render/still-page.ts'
import {
  escapedHtml,
  type Problem,
  type Range,
  type TrainingToken,
  type TrainingView,
} from '../../../core/src/internal.ts'
import type { Style } from '../terminal/colour.ts'
import { displayable, displayableLine } from '../terminal/displayable.ts'

/** A view, and what is wrong with it. */
export interface JudgedView {
  readonly view: TrainingView
  readonly findings: readonly Pick<Problem, 'code' | 'message'>[]
}

/** "412 of 1,930 tokens trained", and below it what is wrong. */
function summaryLines({ view, findings }: JudgedView): readonly string[] {
  const { nTrained, nTotal, unit, mask, isExact } = view
  const number = (it: number) => it.toLocaleString('en')
  const lines = [`${number(nTrained)} of ${number(nTotal)} ${unit} trained (mask: ${mask})`]
  if (unit === 'characters') lines.push('No tokenizer: characters are counted')
  if (!isExact) lines.push('The positions of tokens are estimates')
  return [...lines, ...findings.map(({ code, message }) => `${message} (${code})`)]
}

/** The rendering for a terminal: trained text in green, the rest dim; without colors, trained text in `⟦ ⟧`. */
export function trainingText(judged: JudgedView, style: Style, isColoured: boolean): string {
  let result = ''
  for (const { text, isTrained } of stretches(judged.view)) {
    const shown = displayable(text)
    if (!isColoured) result += isTrained ? `⟦${shown}⟧` : shown
    // Line by line, so that a pager that shows a part of it shows the colors too.
    else result += shown.replace(/[^\n]+/g, (line) => (isTrained ? style.added(line) : style.faint(line)))
  }
  return `${summaryLines(judged).join('\n')}\n\n${result}${result.endsWith('\n') ? '' : '\n'}`
}

/**
 * The view as a line of JSON, in pieces: the line of a sample with millions of tokens may be twenty times as long as the sample.
 * Places are in UTF-16 code units.
 */
export function* trainingJson(
  { view, findings }: JudgedView,
  path: string,
  line: number | undefined,
): IterableIterator<string> {
  const { mask, unit, nTotal, nTrained, nCut, isExact, unstable, text, trained, tokens } = view
  const head = {
    path,
    ...(line !== undefined && { line }),
    mask,
    unit,
    total: nTotal,
    trained: nTrained,
    cut: nCut,
    exact: isExact,
    problems: findings.map(({ code, message }) => ({ code, message })),
    unstable,
    text,
    spans: trained.map(({ start, end }) => [start, end]),
  }
  yield JSON.stringify(head).slice(0, -1)
  yield* jsonList('ids', tokens, ({ id }) => String(id))
  yield* jsonList('offsets', tokens, ({ start, end }) => `[${start},${end}]`)
  yield* jsonList('loss_mask', tokens, ({ isTrained }) => (isTrained ? '1' : '0'))
  yield '}\n'
}

const inPiece = 4096 // tokens

/** A member of an object after others: a list with `textOf` each token. */
function* jsonList(
  name: string,
  tokens: Iterable<TrainingToken>,
  textOf: (token: TrainingToken) => string,
): IterableIterator<string> {
  let piece = `,${JSON.stringify(name)}:[`
  let count = 0
  for (const token of tokens) {
    if (count > 0) piece += ','
    piece += textOf(token)
    if (++count % inPiece > 0) continue
    yield piece
    piece = ''
  }
  yield `${piece}]`
}

const style = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.5; }
mark { background: light-dark(#c8f0cf, #1d4d2b); color: inherit; }
`

/** The view as a page that loads nothing. */
export function trainingPage(judged: JudgedView, path: string): string {
  const title = displayableLine(basename(path))
  const body = [...stretches(judged.view)].map(({ text, isTrained }) => {
    const shown = escapedHtml(displayable(text))
    return isTrained ? `<mark>${shown}</mark>` : shown
  })
  return `${stillPageHead({ title, style })}<main>
<h1>${escapedHtml(title)}</h1>
${summaryLines(judged)
  .map((it) => `<p>${escapedHtml(it)}</p>`)
  .join('\n')}
<pre>${body.join('')}</pre>
</main>
</body>
</html>
`
}

function* stretches({ text, trained }: TrainingView): IterableIterator<{ text: string; isTrained: boolean }> {
  let at = 0
  for (const { start, end } of trained as readonly Range[]) {
    if (start > at) yield { text: text.slice(at, start), isTrained: false }
    yield { text: text.slice(start, end), isTrained: true }
    at = end
  }
  if (at < text.length) yield { text: text.slice(at), isTrained: false }
}
