/** The values of a JSON body around a place: what a growing selection goes through. */
import { type JsonNode, jsonTree } from '../embedded/json-tree.ts'
import type { Segment } from '../syntax/segment.ts'
import { perValue } from '../text/memo.ts'
import type { Span } from '../text/range.ts'
import { type BodyText, bodyText } from './body-text.ts'
import { factsOf } from './message-facts.ts'

const longestText = 1_000_000 // code units; beyond that, single values are not needed

/** The values and properties that contain `offset`, outermost first; empty where the body is not a JSON object or array. */
export function jsonValuesAround(segment: Segment, offset: number): readonly Span[] {
  const { root, body } = memory(segment)
  const at = body?.offsetOf(offset)
  if (!root || !body || at === undefined) return []
  const spans: Span[] = []
  for (let node: JsonNode | undefined = root; node; node = childAt(node, at)) {
    spans.push(body.spanOf({ start: node.offset, end: node.offset + node.length }))
  }
  return spans
}

const memory = perValue(
  (segment: Segment): { readonly root: JsonNode | undefined; readonly body: BodyText | undefined } => {
    const facts = factsOf(segment)
    const body = facts?.isMessage ? bodyText(segment, facts) : undefined
    const isJson =
      body !== undefined && body.text.length <= longestText && /^\s*[[{]\s*["[{\d\]}]/.test(body.text)
    return { body, root: isJson ? jsonTree(body.text).root : undefined }
  },
)

function childAt({ children = [] }: JsonNode, offset: number): JsonNode | undefined {
  return children.find((it) => it.offset <= offset && offset <= it.offset + it.length)
}
