/** The page as a whole: what the extension host says becomes elements, what the reader does becomes messages. */

import { localize } from '../render/page-texts.ts'
import type { FromPage, PageState, PreviewView, ToPage } from '../src/preview/preview-protocol.ts'
import { leadTime, pageState } from '../src/preview/preview-protocol.ts'
import { listen } from './actions.ts'
import { Banner } from './banner.ts'
import { make } from './elements.ts'
import { FindBar } from './find-bar.ts'
import { FoundMarks } from './found-marks.ts'
import { GroupChips } from './group-chips.ts'
import { HiddenCountsView } from './hidden-counts.ts'
import { icon, iconButton } from './icons.ts'
import { JsonDisplay } from './json-display.ts'
import { Conversation } from './message-list.ts'
import { MetadataView } from './metadata-view.ts'
import { createRender } from './rendered-body.ts'
import { ReplayView } from './replay-controls.ts'
import { TrainingBar } from './training-bar.ts'
import { TrainingTokensView } from './training-tokens.ts'
import { ViewSwitch } from './view-switch.ts'

/** What VS Code gives to a page. */
export interface PageHost {
  postMessage(message: FromPage): void
  /** What {@link setState} kept, also over a reload of the window. */
  getState(): unknown
  setState(state: PageState): void
}

/** Builds the page in `window`, and talks to `host`; the result takes messages from there. */
export function createPage(window: Window & typeof globalThis, host: PageHost): (message: ToPage) => void {
  const { document } = window
  const post = (message: FromPage) => host.postMessage(message)
  const known = pageState(host.getState())
  let state: PageState = known ?? { uri: '', isLocked: false, index: 0, line: 0 }
  const remember = (changes: Partial<PageState>) => {
    state = { ...state, ...changes }
    host.setState(state)
  }

  let view: PreviewView = 'user'
  let hasMath = true
  const display = new JsonDisplay(document.body, () => {
    conversation.redraw()
    replay.redraw()
  })
  const render = createRender(window, { hasMath: () => hasMath, display })
  const choose = (chosen: PreviewView) => post({ kind: 'chooseView', view: chosen })
  const banner = new Banner(document, () => choose('user'))
  const chips = new GroupChips(document, display, {
    onGroups: (choice) => {
      post({ kind: 'chooseGroups', ...choice })
      conversation.explainEmpty(choice.groups.length + choice.without.length > 0 ? 'filtered' : 'none')
    },
    onAll: (isOpen) => conversation.foldAll(isOpen),
  })
  const training = new TrainingBar(
    document,
    (name) => post({ kind: 'chooseTraining', name }),
    () => post({ kind: 'openTemplate' }),
  )
  const views = new ViewSwitch(document, choose)
  const top = make(document, 'div', 'top')
  const conversation = new Conversation({
    window,
    render,
    post,
    covered: () => top.getBoundingClientRect().height,
    onPlace: (index, line) => remember(isHidden(view) ? { hidden: { index, line } } : { index, line }),
  })
  const tokens = new TrainingTokensView(window, conversation, post)
  const lock = lockButton(document, () => post({ kind: 'setLocked', isLocked: !state.isLocked }))
  const metadata = new MetadataView(document)
  const hiddenCounts = new HiddenCountsView(document, (group) =>
    post({ kind: 'chooseView', view: 'everything', group }),
  )
  const found = new FoundMarks(window, conversation.element)
  const find = new FindBar({
    window,
    root: document.body,
    post,
    index: () => (isHidden(view) ? (state.hidden?.index ?? 0) : state.index),
    isWhole: () => view === 'replay',
    openCard: (element) => conversation.openCard(element),
  })
  const search = iconButton(document, 'search', { action: 'open-find', label: localize`Find in this view` })
  search.addEventListener('click', () => find.open())
  const replay = new ReplayView(window, render, () => choose('user'))
  const heading = make(document, 'h1', 'unseen', localize`Conversation`)
  const toolbar = make(document, 'header', {}, heading, views.element, search, lock.element)
  top.append(toolbar, find.element, banner.element, chips.element, training.element, found.element)
  document.body.append(
    top,
    metadata.element,
    hiddenCounts.element,
    conversation.element,
    replay.element,
    tokens.element,
  )
  listen(document, conversation, post)
  listen(document, replay, post)
  const { isLocked: _, ...place } = state
  post({ kind: 'ready', ...place })

  let lead = 0
  const follow = () => {
    window.clearTimeout(lead)
    document.documentElement.dataset.lead = 'editor'
    lead = window.setTimeout(() => delete document.documentElement.dataset.lead, leadTime)
  }

  return (message) => {
    switch (message.kind) {
      case 'contextOpen':
      case 'everythingOpen':
      case 'open':
      case 'replayOpen':
      case 'trainingOpen': {
        // What one view showed is not on the page for a moment under the name of the other.
        if (view !== opened[message.kind]) conversation.clear()
        view = opened[message.kind]
        views.show(view)
        banner.show(view)
        document.body.dataset.vscodeContext = JSON.stringify({ previewView: view })
        chips.show(view === 'everything')
        training.show(view === 'training')
        tokens.hide()
        hasMath = message.hasMath
        replay.close()
        metadata.show([])
        hiddenCounts.show(undefined)
        found.show([], [])
        find.restart()
        conversation.element.hidden = view === 'replay'
        if (view === 'replay') post({ kind: 'startReplay' })
        const { uri, isLocked } = message
        const { index, line } = uri === state.uri ? state : { index: 0, line: 0 }
        state = { uri, isLocked, index, line } // what is hidden has no place until it is shown
        host.setState(state)
        lock.show(message.isLocked)
        conversation.reset(whyEmpty[view])
        break
      }
      case 'update':
        if (isHidden(view)) break
        if (message.top) follow()
        conversation.apply(message)
        break
      case 'hiddenCounts':
        if (view !== 'user') break
        hiddenCounts.show(message.counts)
        conversation.explainEmpty(message.counts.isEmpty ? 'none' : 'hidden')
        break
      case 'everythingGroup':
        if (view === 'everything') chips.choose(message.group)
        break
      case 'everythingUpdate':
        if (view === 'everything') conversation.apply(message)
        break
      case 'everythingCounts':
        if (view === 'everything') chips.setCounts(message.counts)
        break
      case 'contextUpdate':
        if (view === 'context') conversation.apply(message)
        break
      case 'contextTotals':
        if (view === 'context') banner.setTotals(message.totals)
        break
      case 'trainingUpdate':
        if (view === 'training') conversation.apply(message)
        break
      case 'trainingTotals':
        if (view === 'training') training.setTotals(message.totals)
        break
      case 'replay':
        if (view === 'replay') replay.open(message.replay)
        break
      case 'reveal':
        follow()
        conversation.reveal(message)
        break
      case 'copyMessage':
        post({ kind: 'copy', text: conversation.textOf(message.id) ?? '' })
        break
      case 'edit':
        conversation.edit(message)
        break
      case 'everythingHide': {
        const group = view === 'everything' ? conversation.groupOf(message.id) : undefined
        if (group) chips.hide(group)
        break
      }
      case 'mark':
        conversation.mark(message.id)
        break
      case 'lock':
        remember({ isLocked: message.isLocked })
        lock.show(message.isLocked)
        break
      case 'metadata':
        metadata.show(message.fields)
        break
      case 'found':
        if (view === 'user') found.show(message.texts, message.hidden)
        break
      case 'matches':
        find.show(message)
        break
      case 'unavailable':
        conversation.showUnavailable()
        break
      default:
        message satisfies never
    }
  }
}

const opened = {
  open: 'user',
  everythingOpen: 'everything',
  contextOpen: 'context',
  trainingOpen: 'training',
  replayOpen: 'replay',
} as const

/** What a view says if it has no messages, until more is known; nothing in one that says so itself. */
const whyEmpty = {
  user: 'hidden',
  everything: 'none',
  context: 'none',
  training: undefined,
  replay: 'hidden',
} as const

/** True for views that show text that users do not see. */
function isHidden(view: PreviewView): boolean {
  return view !== 'user' && view !== 'replay'
}

/** Whether the preview stays with its file or follows the active editor. */
function lockButton(document: Document, onClick: () => void) {
  const element = make(document, 'button', 'icon-button lock')
  element.addEventListener('click', onClick)
  const show = (isLocked: boolean) => {
    const label = localize`Stay with this transcript`
    element.title = isLocked
      ? localize`Stays with this transcript. Click to follow the active editor`
      : localize`Follows the active editor. Click to stay with this transcript`
    element.setAttribute('aria-label', label)
    element.setAttribute('aria-pressed', String(isLocked))
    element.replaceChildren(icon(document, isLocked ? 'lock' : 'unlock'))
  }
  show(false)
  return { element, show }
}
