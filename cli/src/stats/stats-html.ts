/** Statistics of a dataset as one page with plots. Nothing is loaded from anywhere, and nothing in it runs. */
import { stillPageHead } from '../../../client/render/still-page.ts'
import { type DatasetStatistics, escapedHtml, type HistogramBar } from '../../../core/src/internal.ts'
import { unreadSection } from '../dataset/unread-input.ts'
import { displayableLine } from '../terminal/displayable.ts'
import { maxLengthShare } from './max-length.ts'
import { count, type StatsOptions, short } from './stats-text.ts'

const bars = 40
const shownValues = 10
const shownGroups = 100

/** The page. */
export function* statsHtml(
  statistics: DatasetStatistics,
  {
    maxLength,
    by,
    title,
    unread,
    lead = [],
  }: StatsOptions & { readonly title: string; readonly lead?: Iterable<string> },
): IterableIterator<string> {
  yield `${stillPageHead({ title: displayableLine(title), style })}<h1>${escaped(title)}</h1>
<p>${count(statistics.samples)} samples</p>
`
  const share = maxLengthShare(statistics, maxLength)
  if (share) {
    const percent = (100 * share.over) / Math.max(1, statistics.samples)
    yield `<p>${count(share.over)} samples (${percent.toFixed(1)} %) are longer than ${count(share.length)} tokens. Cut to that length and packed, they fill at least ${count(share.sequences)} sequences.</p>\n`
  }
  yield* unreadSection(unread)
  yield* lead
  yield '<main>\n'
  for (const name of statistics.names) yield* columnSection(statistics, name)
  yield '</main>\n'
  if (by !== undefined) yield* groupsTable(statistics, by)
  yield '</body>\n</html>\n'
}

function* columnSection(statistics: DatasetStatistics, name: string): IterableIterator<string> {
  const numbers = statistics.numbers(name)
  const values = statistics.values(name)
  if (!numbers && !values) return
  yield `<section>\n<h2>${escaped(name)}</h2>\n`
  if (numbers) {
    const { least, greatest } = numbers.data()
    yield plot(numbers.histogram(bars), name)
    const facts = [
      ['least', least],
      ['median', numbers.quantile(0.5)],
      ['90 %', numbers.quantile(0.9)],
      ['99 %', numbers.quantile(0.99)],
      ['greatest', greatest],
      ['mean', numbers.sum / numbers.count],
    ] as const
    yield `<dl>${facts.map(([term, value]) => `<div><dt>${term}</dt><dd>${short(value ?? 0)}</dd></div>`).join('')}</dl>\n`
  }
  if (values) {
    const top = values.top(shownValues)
    const most = top[0]?.[1] ?? 1
    yield '<table class="values">\n'
    for (const [value, times] of top) {
      const width = ((100 * times) / most).toFixed(1)
      yield `<tr><th scope="row">${escaped(value) || '<i>empty</i>'}</th><td>${count(times)}</td><td class="bar"><svg width="100%" height="10" aria-hidden="true"><rect width="${width}%" height="10"/></svg></td></tr>\n`
    }
    yield '</table>\n'
    const left = values.distinct - top.length
    if (left > 0) yield `<p>${values.hasOthers ? 'More than ' : ''}${count(left)} more values</p>\n`
  }
  yield '</section>\n'
}

function plot(histogram: readonly HistogramBar[], name: string): string {
  const most = Math.max(1, ...histogram.map((it) => it.count))
  const [width, height] = [400, 100]
  const step = width / Math.max(1, histogram.length)
  const rects = histogram.map(({ from, to, count: times }, index) => {
    const size = times === 0 ? 0 : Math.max(1, (height * times) / most)
    const place = `x="${(index * step).toFixed(2)}" y="${(height - size).toFixed(2)}"`
    const box = `width="${Math.max(0.5, step - 1).toFixed(2)}" height="${size.toFixed(2)}"`
    return `<rect ${place} ${box}><title>${short(from)} to ${short(to)}: ${count(times)}</title></rect>`
  })
  return `<svg class="plot" viewBox="0 0 ${width} ${height}" role="img" aria-label="Histogram of ${escaped(name)}">${rects.join('')}</svg>\n`
}

function* groupsTable(statistics: DatasetStatistics, by: string): IterableIterator<string> {
  const columns = ['messages', 'tokens', 'chars', 'errors', 'warnings'].filter((it) => statistics.numbers(it))
  const head = [by, 'samples', ...columns.map((it) => `mean ${it}`)]
  yield `<h2>By ${escaped(by)}</h2>\n<table>\n<tr>${head.map((it) => `<th scope="col">${escaped(it)}</th>`).join('')}</tr>\n`
  for (const [value, group] of statistics.groups.slice(0, shownGroups)) {
    const means = columns.map((it) => {
      const numbers = group.numbers(it)
      return `<td>${numbers ? short(numbers.sum / numbers.count) : ''}</td>`
    })
    yield `<tr><th scope="row">${escaped(value) || '<i>none</i>'}</th><td>${count(group.samples)}</td>${means.join('')}</tr>\n`
  }
  yield '</table>\n'
}

/** `text` for HTML. */
export function escaped(text: string): string {
  return escapedHtml(displayableLine(text))
}

const style = `
:root { color-scheme: light dark; --bar: light-dark(#2b6cb0, #63b3ed); --line: light-dark(#ccc, #444); }
body { font: 14px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 76rem; padding: 0 1rem; }
main { display: grid; grid-template-columns: repeat(auto-fill, minmax(22rem, 1fr)); gap: 1.5rem; }
section { border: 1px solid var(--line); border-radius: 6px; padding: 0.75rem 1rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 0 0 0.5rem; }
rect { fill: var(--bar); }
.plot { width: 100%; height: 6rem; border-bottom: 1px solid var(--line); }
dl { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 0.5rem 0 0; }
dl div { display: flex; gap: 0.4rem; }
dd { margin: 0; font-variant-numeric: tabular-nums; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; padding: 0.15rem 0.5rem; border-bottom: 1px solid var(--line); font-weight: normal; }
td { text-align: right; font-variant-numeric: tabular-nums; }
.values .bar { width: 40%; }
details { margin: 0.25rem 0; overflow-wrap: anywhere; }
.words { text-align: left; }
`
