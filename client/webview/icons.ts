/** The page's few icons, drawn from paths, and buttons that carry them. */

import { localize } from '../render/page-texts.ts'
import { make } from './elements.ts'

/** Paths in a square of 16 units, drawn with the text's colour. */
const paths = {
  copy: ['M5.500 5.500v-3h8v8h-3', 'M2.500 5.500h8v8h-8z'],
  check: ['M3 8.500l3.200 3.200L13 4.800'],
  source: ['M5.500 4.500L2 8l3.500 3.500', 'M10.500 4.500L14 8l-3.500 3.500'],
  lock: ['M3.500 7.500h9v6h-9z', 'M5.500 7.500v-2.200a2.500 2.500 0 0 1 5 0v2.200'],
  unlock: ['M3.500 7.500h9v6h-9z', 'M5.500 7.500v-2.700a2.500 2.500 0 0 1 4.900-.7'],
  hidden: ['M2 8s2.200-3.800 6-3.800 6 3.800 6 3.800-2.200 3.800-6 3.800-6-3.800-6-3.800z', 'M3 13L13 3'],
  play: ['M5 3.200v9.600L12.500 8z'],
  pause: ['M5.500 3.500v9', 'M10.500 3.500v9'],
  back: ['M4 3.500v9', 'M12 3.500v9L6 8z'],
  forward: ['M12 3.500v9', 'M4 3.500v9L10 8z'],
  more: ['M3.500 8h.01', 'M8 8h.01', 'M12.500 8h.01'],
  close: ['M4 4l8 8', 'M12 4l-8 8'],
  search: ['M7 11.500a4.500 4.500 0 1 0 0-9 4.500 4.500 0 0 0 0 9z', 'M10.300 10.300L14 14'],
  up: ['M3.500 10.500L8 6l4.500 4.500'],
  down: ['M3.500 5.500L8 10l4.500-4.500'],
  chevron: ['M6 3.500L10.500 8L6 12.500'],
  thought: [
    'M3 10.500a3.500 3.500 0 0 1 .6-6.800 4.200 4.200 0 0 1 7.900 1 3 3 0 0 1 .8 5.800z',
    'M5.500 13.600a.9.9 0 1 0 0-.1z',
  ],
  instructions: ['M3 3.500h10', 'M3 6.500h10', 'M3 9.500h7', 'M3 12.500h4'],
  tool: [
    'M9.800 2.700a3.300 3.300 0 0 0-3.700 4.400L2.500 10.700l2.800 2.800 3.600-3.600a3.300 3.300 0 0 0 4.400-3.700l-2.100 2.100-2.400-.6-.6-2.400z',
  ],
  user: [
    'M8 8.200a2.700 2.700 0 1 0 0-5.400 2.700 2.700 0 0 0 0 5.400z',
    'M2.800 13.700c.6-2.500 2.600-3.700 5.200-3.700s4.600 1.200 5.200 3.700',
  ],
  assistant: [
    'M8 1.800c.5 3.700 2.500 5.700 6.200 6.200-3.700.5-5.700 2.500-6.200 6.200-.5-3.700-2.500-5.700-6.200-6.200 3.700-.5 5.700-2.500 6.200-6.200z',
  ],
} as const

/** The name of an icon. */
export type IconName = keyof typeof paths

const svgNamespace = 'http://www.w3.org/2000/svg'

/** An icon that assistive technology skips. */
export function icon(document: Document, name: IconName): SVGElement {
  const svg = document.createElementNS(svgNamespace, 'svg')
  svg.setAttribute('viewBox', '0 0 16 16')
  svg.setAttribute('class', 'icon')
  svg.setAttribute('aria-hidden', 'true')
  for (const data of paths[name]) {
    const path = document.createElementNS(svgNamespace, 'path')
    path.setAttribute('d', data)
    svg.append(path)
  }
  return svg
}

/** A button with an icon and no visible text. `action` is what a click on it means. */
export function iconButton(
  document: Document,
  name: IconName,
  { action, label }: { readonly action: string; readonly label: string },
): HTMLButtonElement {
  return make(
    document,
    'button',
    { class: 'icon-button', 'data-action': action, title: label, 'aria-label': label },
    icon(document, name),
  )
}

/** The buttons of a message. */
export function messageActions(document: Document, { hasMenu }: { readonly hasMenu: boolean }): HTMLElement {
  const actions = make(
    document,
    'span',
    'actions',
    iconButton(document, 'copy', { action: 'copy-message', label: localize`Copy message` }),
    iconButton(document, 'source', { action: 'source', label: localize`Go to source` }),
  )
  if (hasMenu) actions.append(iconButton(document, 'more', { action: 'menu', label: localize`More actions` }))
  return actions
}
