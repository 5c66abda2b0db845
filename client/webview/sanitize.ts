/** The sanitizer: a short list of what a message may consist of. Everything else is dropped, whatever made it. */
import createDOMPurify, { type Config, type DOMPurify } from 'dompurify'
import { isFollowable, isInlineImage } from '../render/markdown-to-html.ts'
import { mathAttributes, mathClass, mathElements } from '../render/math.ts'

const allowed = {
  ALLOWED_TAGS: [
    'a',
    'blockquote',
    'br',
    'code',
    'em',
    'h1',
    'h2',
    'h3',
    'h4',
    'h5',
    'h6',
    'hr',
    'li',
    'ol',
    'p',
    'pre',
    's',
    'span',
    'strong',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
    'tr',
    'ul',
    ...mathElements,
  ],
  ALLOWED_ATTR: [
    'href',
    'title',
    'class',
    'start',
    'data-line',
    'data-image',
    ...Object.keys(mathAttributes),
  ],
  // Checked by `values` instead.
  ADD_URI_SAFE_ATTR: ['data-image', 'data-line'],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  ALLOW_UNKNOWN_PROTOCOLS: false,
  RETURN_DOM_FRAGMENT: true,
} satisfies Config

/** Values that an attribute may have; other values take the attribute away. */
const values: ReadonlyMap<string, (value: string) => boolean> = new Map([
  ['href', isFollowable],
  ['title', () => true],
  ['class', (value) => value.split(' ').every((name) => className.test(name) || mathClass.test(name))],
  ['start', (value) => /^\d{1,9}$/.test(value)],
  ['data-line', (value) => /^\d{1,9}$/.test(value)],
  ['data-image', (value) => isInlineImage(value) || /^https?:\/\//i.test(value)],
])

/** Classes of code, of its colours (`hljs-title function_`), and of a table's alignment. */
const className = /^(?:hljs-[\w-]+|[a-z]+_{1,2}|language-\S+|align-(?:left|center|right))$/

/** The elements of formulas; they lead nowhere. */
const isMath: ReadonlySet<string> = new Set(mathElements)

/** Makes a sanitizer for `window`: HTML in, elements out. */
export function createSanitizer(window: Window & typeof globalThis): (html: string) => DocumentFragment {
  const purify: DOMPurify = createDOMPurify(window)
  purify.addHook('uponSanitizeAttribute', (element, attribute) => {
    const { attrName: name, attrValue: value } = attribute
    attribute.keepAttr =
      isMath.has(element.localName) && name !== 'class'
        ? Object.hasOwn(mathAttributes, name) && mathAttributes[name]?.test(value) === true
        : values.get(name)?.(value) === true
  })
  return (html) => purify.sanitize(html, allowed)
}
