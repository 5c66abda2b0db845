/** Where the lines of a message are on the screen. Blocks know their first line; positions in between are proportional. */
import type { View } from './view.ts'

/** A line and its distance from the top of the screen in pixels. */
interface LineMark {
  readonly line: number
  readonly top: number
}

/** The line of `view` that is `top` pixels below the top of the screen; 0 above the message. */
export function lineAt(view: View, top: number): number {
  const marks = lineMarks(view)
  const passed = marks.findLastIndex((mark) => mark.top <= top)
  const from = marks[passed]
  const to = marks[passed + 1]
  if (!from) return 0
  if (!to || to.top <= from.top) return from.line
  return from.line + ((top - from.top) / (to.top - from.top)) * (to.line - from.line)
}

/** How many pixels below the top of the screen `line` of `view` is; its first line includes the byline. */
export function topOf(view: View, line: number): number {
  const marks = lineMarks(view)
  const passed = marks.findLastIndex((mark) => mark.line <= line)
  const from = marks[passed]
  const to = marks[passed + 1]
  if (line <= 0 || !from) return view.element.getBoundingClientRect().top
  if (!to || to.line <= from.line) return from.top
  return from.top + ((line - from.line) / (to.line - from.line)) * (to.top - from.top)
}

/** From the first line to the one after the last. */
function lineMarks(view: View): readonly LineMark[] {
  const marks = view.blocks().map((block) => ({
    line: Number(block.dataset.line),
    top: block.getBoundingClientRect().top,
  }))
  const { top, bottom } = view.element.getBoundingClientRect()
  if (marks[0]?.line !== 0) marks.unshift({ line: 0, top })
  marks.push({ line: view.lines, top: bottom })
  return marks
}
