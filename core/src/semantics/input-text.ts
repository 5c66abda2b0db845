/** What a reader learns about an input, as Markdown. */
import { localize } from '../text/localize.ts'
import { type Input, shownValue } from './inputs.ts'
import { plain } from './tool-text.ts'

const shownAtMost = 20 // values: a longer list is not read

/** The type of an input in a word. */
export function inputTypeOf({ type, isRequired }: Input): string {
  const word = type ?? localize`any value`
  return isRequired ? word : localize`${word}, optional`
}

/** An input with its type, description, values and default. Text of the document does nothing in it. */
export function aboutInput(input: Input): string {
  const { name, description, values } = input
  const initial = input.default
  const paragraphs = [`**${plain(name)}**: ${plain(inputTypeOf(input))}`]
  if (description !== undefined) paragraphs.push(plain(description))
  if (values) {
    const list = values
      .slice(0, shownAtMost)
      .map((it) => plain(shownValue(it)))
      .join(', ')
    paragraphs.push(localize`Values: ${list}`)
  }
  if (initial !== undefined) paragraphs.push(localize`Default: ${plain(shownValue(initial))}`)
  return paragraphs.join('\n\n')
}
