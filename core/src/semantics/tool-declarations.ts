/** What a message declares: tools and formats of answers (D19), with the way back to places in its segment. */
import type { ToolDeclarations } from '../embedded/tool-definition.ts'
import { functionListDeclarations, mayDeclare, toolDeclarations } from '../embedded/tool-definitions.ts'
import { renderedPieces } from '../syntax/body.ts'
import { messageView } from '../syntax/message-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { perValue } from '../text/memo.ts'
import { ControlKind } from '../vocabulary/tokens.ts'
import { type BodyText, bodyText, verbatimText } from './body-text.ts'
import { factsOf, type MessageFacts } from './message-facts.ts'

/** The declarations of a message. */
export interface MessageDeclarations extends ToolDeclarations {
  /** What their ranges refer to. */
  readonly source: BodyText
}

/** What `segment` declares; undefined for everything but messages of system and developer that declare something. */
export function declarationsOf(segment: Segment): MessageDeclarations | undefined {
  const facts = factsOf(segment)
  if (!facts?.isMessage || (facts.role !== 'developer' && facts.role !== 'system')) return undefined
  return mayDeclareIn(segment, facts) ? memory(segment) : undefined
}

/**
 * False if nothing in the text of `segment` looks like a declaration, so that nothing has to be made of it or remembered: a text
 * may have system messages by the million. Only the marks of literal blocks can cut a word in two.
 */
function mayDeclareIn({ text, framing }: Segment, { role }: MessageFacts): boolean {
  if (framing.name === 'chatml') return true
  const literal = framing.tokens.find(({ kind }) => kind === ControlKind.literal)?.text
  if (literal !== undefined && text.includes(literal)) return true
  return mayDeclare(text, { isDeveloper: role === 'developer' })
}

const memory = perValue((segment: Segment): MessageDeclarations | undefined => {
  const facts = factsOf(segment)
  if (!facts) return undefined
  const source = segment.framing.name === 'chatml' ? undefined : wholeBody(segment, facts)
  const declared = source
    ? { source, declarations: toolDeclarations(source.text, { isDeveloper: facts.role === 'developer' }) }
    : ofTurn(segment)
  return declared.declarations && new Sourced(declared.declarations, declared.source)
})

/** The body as meant; of a message that nothing ends, as it stands. */
export function wholeBody(segment: Segment, facts: MessageFacts): BodyText | undefined {
  const source = bodyText(segment, facts)
  if (source) return source
  const { body, isCut } = messageView(segment)
  return body && !isCut ? verbatimText(segment, body) : undefined
}

/** A turn of 0.1 declares tools after a marker, or as namespaces like everyone else. */
function ofTurn(segment: Segment): {
  readonly source: BodyText
  readonly declarations: ToolDeclarations | undefined
} {
  const list = payloadsOf(segment, ControlKind.functionList)
  for (const source of list) {
    const declarations = functionListDeclarations(source.text)
    if (declarations) return { source, declarations }
  }
  const source = verbatimText(segment, messageView(segment).body ?? { from: 0, to: 0 })
  return { source, declarations: toolDeclarations(source.text, { isDeveloper: false }) }
}

/** The texts after the markers of `kind` in a message of 0.1, each up to the next marker. */
export function payloadsOf(segment: Segment, kind: ControlKind): readonly BodyText[] {
  const marker = segment.framing.tokens.find((it) => it.kind === kind)?.text
  if (marker === undefined || !segment.text.includes(marker)) return []
  return renderedPieces(segment).flatMap((piece) => {
    if (piece.kind !== 'function' || !piece.text.startsWith(marker)) return []
    const from = piece.span.to
    return verbatimText(segment, { from, to: from + piece.text.length - marker.length })
  })
}

class Sourced implements MessageDeclarations {
  readonly namespaces: ToolDeclarations['namespaces']
  readonly definitions: ToolDeclarations['definitions']
  readonly formats: ToolDeclarations['formats']
  readonly source: BodyText
  readonly #declarations: ToolDeclarations

  constructor(declarations: ToolDeclarations, source: BodyText) {
    this.namespaces = declarations.namespaces
    this.definitions = declarations.definitions
    this.formats = declarations.formats
    this.source = source
    this.#declarations = declarations
  }

  get problems(): ToolDeclarations['problems'] {
    return this.#declarations.problems
  }
}
