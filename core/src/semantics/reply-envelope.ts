/** The envelope that is recommended for replies (2.2 §8.2), as a schema for help while writing; no reply has to fit it. */
import type { Schema, SchemaProperty } from '../embedded/tool-schema.ts'
import type { Segment } from '../syntax/segment.ts'
import { localize } from '../text/localize.ts'
import { type BodyText, bodyText } from './body-text.ts'
import { isReply, type MessageFacts } from './message-facts.ts'

/** The body of a reply that is an envelope, or may still become one; undefined for everything else. */
export function envelopeIn(segment: Segment, facts: MessageFacts): BodyText | undefined {
  if (!isReply(facts) || segment.framing.name === 'chatml') return undefined
  const body = bodyText(segment, facts)
  if (!body) return undefined
  const isBegun = body.text.length <= longestBegun && begun.test(body.text)
  return isBegun || envelope.test(body.text) ? body : undefined
}

/** An object without members, at most with the beginning of a key. */
const begun = /^\s*\{\s*(?:"\w*"?\s*)?(?:\}\s*)?$/
const longestBegun = 1000 // code units, nearly all of them white space
const envelope = /^\s*\{[\s\S]*"ok"\s*:/

/** What an envelope holds. */
export function envelopeSchema(): Schema {
  return object([
    [
      'ok',
      {
        range,
        types: ['boolean'],
        default: { value: true },
        description: localize`Whether the call succeeded.`,
      },
    ],
    ['content', { range, description: localize`What the tool returns.` }],
    [
      'error',
      {
        range,
        default: { value: null },
        description: localize`Why the call failed; null or absent if it succeeded.`,
      },
    ],
    [
      'provenance',
      {
        ...object([
          [
            'source',
            { range, types: ['string'], description: localize`An address, or the name of a source.` },
          ],
          [
            'timestamp',
            {
              range,
              types: ['string'],
              description: localize`When it was read, such as 2026-01-31T12:00:00Z.`,
            },
          ],
        ]),
        description: localize`Where the content comes from.`,
      },
    ],
  ])
}

const range = { start: 0, end: 0 } // it stands in no text

function object(members: readonly (readonly [name: string, schema: Schema])[]): Schema {
  const properties = new Map<string, SchemaProperty>()
  for (const [name, schema] of members) {
    properties.set(name, { name, isRequired: name === 'ok', nameRange: range, range, schema })
  }
  return { range, types: ['object'], properties, additional: true }
}
