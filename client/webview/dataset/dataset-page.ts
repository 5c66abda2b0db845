/** The page of a dataset: what to look for, and the list of what was found. */

import { localize } from '../../render/page-texts.ts'
import {
  type DatasetPageState,
  datasetPageState,
  type FromDatasetPage,
  type Progress,
  type ToDatasetPage,
} from '../../src/datasets/dataset-protocol.ts'
import type { FromReviewPage, ToReviewPage } from '../../src/review/review-protocol.ts'
import { make } from '../elements.ts'
import { numberText } from '../number-text.ts'
import { QueryBox } from './query-box.ts'
import { ReviewPlace } from './review-loader.ts'
import { SampleList } from './sample-list.ts'

/** What VS Code gives to a page. */
export interface DatasetHost {
  postMessage(message: FromDatasetPage | FromReviewPage): void
  /** What {@link setState} kept, also over a reload of the window. */
  getState(): unknown
  setState(state: DatasetPageState): void
}

/** Builds the page in `window`, and talks to `host`; the result takes messages from there. */
export function createDatasetPage(
  window: Window & typeof globalThis,
  host: DatasetHost,
): (message: ToDatasetPage | ToReviewPage) => void {
  const { document } = window
  const post = (message: FromDatasetPage | FromReviewPage) => host.postMessage(message)
  let state = datasetPageState(host.getState())
  const remember = (changes: Partial<DatasetPageState>) => {
    state = { ...state, ...changes }
    host.setState(state)
  }

  const heading = make(document, 'h1', 'unseen', localize`Dataset`)
  const button = (className: string, text: string, title?: string) =>
    make(document, 'button', { class: className, title }, text)
  const compare = button(
    'compare',
    localize`Compare`,
    localize`Compare two samples: mark them with the space bar or their check boxes`,
  )
  const columns = button('secondary', localize`Columns`)
  columns.setAttribute('aria-haspopup', 'menu')
  columns.addEventListener('click', () => list.chooseColumns(columns))
  const start = button(
    'review',
    localize`Review`,
    localize`Decide on the listed samples, one after the other`,
  )
  start.addEventListener('click', () => review.begin())
  const status = make(document, 'p', { class: 'status', role: 'status' })
  const bar = make(document, 'div', { class: 'bar', 'aria-hidden': 'true' })
  const pass = make(document, 'div', { class: 'bar pass', 'aria-hidden': 'true', hidden: true })
  const toolbar = make(document, 'header', {}, heading, columns, compare, start, status, bar, pass)

  const showMarks = (marks: readonly number[]) => {
    compare.disabled = marks.length !== 2
  }
  const list = new SampleList(window, {
    want: (first, count) => post({ kind: 'want', first, count }),
    open: (number, as) => post({ kind: 'open', number, as }),
    showSource: (number) => post({ kind: 'showSource', number }),
    chooseForm: (number) => post({ kind: 'chooseForm', number }),
    mark: showMarks,
    place: (top, active) => {
      if (active !== state.active) post({ kind: 'active', index: active })
      remember({ top, active })
    },
    copy: () => post({ kind: 'copyLine' }),
    alter: (act) => post({ kind: 'change', act }),
    goTo: (index) => review.follow(index),
    change: (layout) => post({ kind: 'layout', layout }),
    choose: (column, choice) => post({ kind: 'choose', text: box.text, column, choice }),
  })
  const review = new ReviewPlace(window, list, post)
  showMarks([])
  document.body.append(toolbar, list.element, review.element)

  const box = new QueryBox(
    window,
    {
      search: (query) => {
        if (query === state.query) return
        remember({ query })
        post({ kind: 'query', text: query })
      },
      keep: (text) => post({ kind: 'keepQuery', text }),
      complete: (id, text, offset) => post({ kind: 'complete', id, text, offset }),
      leave: () => list.focus(),
    },
    state.query,
  )
  heading.after(box.element)
  compare.addEventListener('click', () => {
    const [one, other] = list.marks
    if (one !== undefined && other !== undefined) post({ kind: 'compare', numbers: [one, other] })
  })
  document.addEventListener('keydown', (event) => {
    const isFind = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.shiftKey
    const isSlash = event.key === '/' && !box.holds(event.target)
    if (event.key === 'F3') list.step(event.shiftKey ? -1 : 1)
    else if (isFind || isSlash) box.focus()
    else return
    event.preventDefault()
  })
  // Who comes to the page with the keyboard can go through the list at once.
  window.addEventListener('focus', () => {
    if (document.activeElement === document.body) list.focus()
  })
  post({ kind: 'ready' })
  review.ready()

  let generation = -1
  /** True until another query than the one from before a reload is set: only that one is not known to the host. */
  let isRestoring = state.query !== ''
  /** The query that the place in the list belongs to: it may be reported again, as after a reload. */
  let listed = state.query
  return (message) => {
    switch (message.kind) {
      case 'open': {
        const isFirst = generation === -1
        generation = message.generation
        list.open({ samples: message.samples, name: message.name })
        list.reset(isFirst ? state : { top: list.top, active: list.active })
        review.restore()
        if (isFirst && document.hasFocus() && document.activeElement === document.body) list.focus()
        if (isFirst) post({ kind: 'active', index: state.active })
        if (isFirst && isRestoring) post({ kind: 'query', text: state.query })
        break
      }
      case 'query':
        box.setMistake(message.text, message.mistake)
        list.saysIfEmpty(message.mistake ? 'mistake' : message.text === '' ? 'all' : 'filter')
        if (message.mistake) break
        if (message.text === listed) list.forget()
        else list.reset({ top: 0, active: 0 })
        listed = message.text
        break
      case 'layout':
        list.setLayout(message.layout)
        break
      case 'columns':
        list.setColumns(message.columns)
        showProgress(pass, message.progress)
        break
      case 'write':
        isRestoring = false
        remember({ query: message.text }) // the host lists it already: asked for late, it would take the place of another one
        box.text = message.text
        break
      case 'proposals':
        box.propose(message)
        break
      case 'focus':
        list.activate(message.index)
        break
      case 'history':
        box.setHistory(message.queries)
        break
      case 'count':
        if (message.generation !== generation) break
        list.setCount(message.listed)
        status.textContent = statusText(document, message)
        showProgress(bar, message.progress)
        break
      case 'rows':
        if (message.generation === generation) list.setRows(message.first, message.rows)
        break
      case 'stale':
        if (message.generation === generation) list.forget()
        break
      case 'failed':
        generation = -1
        list.setCount(0)
        status.textContent = message.message
        showProgress(bar, undefined)
        break
      default:
        review.receive(message)
    }
  }
}

function statusText(
  document: Document,
  { listed, total, progress, problem }: Extract<ToDatasetPage, { readonly kind: 'count' }>,
): string {
  const all = numberText(document, total)
  const count =
    listed === total
      ? total === 1
        ? localize`1 sample`
        : localize`${all} samples`
      : localize`${numberText(document, listed)} of ${all} samples`
  if (!progress) return problem === undefined ? count : localize`${count}. ${problem}`
  const share = Math.floor((100 * progress.done) / Math.max(1, progress.total))
  return localize`${count}, ${share}% read`
}

function showProgress(bar: HTMLElement, progress: Progress | undefined): void {
  bar.hidden = progress === undefined
  const share = progress ? progress.done / Math.max(1, progress.total) : 0
  bar.style.transform = `scaleX(${share})`
}
