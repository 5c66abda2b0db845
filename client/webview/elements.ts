/** Makes elements of a page. What a transcript says gets in as text nodes only. */

type Attributes = Readonly<Record<string, string | number | true | undefined>>

/** A new element; `attributes` are its class, or values by name, of which undefined is left out, and true has no value. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  document: Document,
  tag: Tag,
  attributes: string | Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag)
  if (tag === 'button') element.setAttribute('type', 'button')
  const all = typeof attributes === 'string' ? { class: attributes || undefined } : attributes
  for (const [name, value] of Object.entries(all))
    if (value !== undefined) element.setAttribute(name, value === true ? '' : String(value))
  element.append(...children.filter((it) => it !== ''))
  return element
}

/** A button that looks like a link. */
export function textButton(document: Document, text: string, act: () => void): HTMLButtonElement {
  const button = make(document, 'button', 'text-button', text)
  button.addEventListener('click', act)
  return button
}
