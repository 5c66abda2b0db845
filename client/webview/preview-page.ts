/** The page as a whole: what the extension host says becomes elements, what the reader does becomes messages. */
import { localize } from '../render/page-texts.ts'
import type { FromPage, PageState, ToPage } from '../src/preview/preview-protocol.ts'
import { leadTime, pageState } from '../src/preview/preview-protocol.ts'
import { listen } from './actions.ts'
import { Banner, type HiddenMode } from './banner.ts'
import { icon, iconButton } from './icons.ts'
import { Conversation } from './message-list.ts'
import { createRender } from './rendered-body.ts'
import { ReplayView } from './replay-controls.ts'

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

  let mode: HiddenMode | undefined
  let hasMath = true
  const render = createRender(window, () => hasMath)
  const banner = new Banner(document, () => post({ kind: 'leaveHidden' }))
  const conversation = new Conversation({
    window,
    render,
    post,
    covered: () => banner.height,
    onPlace: (index, line) => remember(mode === undefined ? { index, line } : { hidden: { index, line } }),
  })
  const lock = lockButton(document, () => post({ kind: 'setLocked', isLocked: !state.isLocked }))
  const replay = new ReplayView(window, render, () => leaveReplay())
  const replayButton = iconButton(document, 'play', {
    action: 'start-replay',
    label: localize`Replay as it streamed`,
  })
  replayButton.classList.add('start-replay')
  replayButton.addEventListener('click', () => post({ kind: 'startReplay' }))
  const leaveReplay = () => {
    replay.close()
    conversation.element.hidden = false
    replayButton.hidden = false
  }
  const toolbar = document.createElement('header')
  const heading = document.createElement('h1')
  heading.className = 'unseen'
  heading.textContent = localize`Conversation`
  toolbar.append(heading, replayButton, lock.element)
  document.body.append(banner.element, toolbar, conversation.element, replay.element)
  listen(document, conversation, post)
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
      case 'debugOpen':
      case 'open': {
        mode = modes[message.kind]
        banner.show(mode)
        hasMath = message.hasMath
        leaveReplay()
        const { uri, isLocked } = message
        const { index, line } = uri === state.uri ? state : { index: 0, line: 0 }
        state = { uri, isLocked, index, line } // what is hidden has no place until it is shown
        host.setState(state)
        lock.show(message.isLocked)
        conversation.reset()
        break
      }
      case 'update':
        if (message.top) follow()
        conversation.apply(message)
        break
      case 'debugUpdate':
        if (mode === 'debug') conversation.apply(message)
        break
      case 'contextUpdate':
        if (mode === 'context') conversation.apply(message)
        break
      case 'contextTotals':
        if (mode === 'context') banner.setTotals(message.totals)
        break
      case 'replay':
        conversation.element.hidden = true
        replayButton.hidden = true
        replay.open(message.replay)
        break
      case 'reveal':
        follow()
        conversation.reveal(message)
        break
      case 'mark':
        conversation.mark(message.id)
        break
      case 'lock':
        remember({ isLocked: message.isLocked })
        lock.show(message.isLocked)
        break
      case 'unavailable':
        conversation.showUnavailable()
        break
      default:
        message satisfies never
    }
  }
}

const modes = { open: undefined, debugOpen: 'debug', contextOpen: 'context' } as const

/** Whether the preview stays with its file or follows the active editor. */
function lockButton(document: Document, onClick: () => void) {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = 'icon-button lock'
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
