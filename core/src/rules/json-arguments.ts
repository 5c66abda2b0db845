/** Bodies that look like the arguments of a call. */
import { jsonBody } from '../embedded/json-body.ts'
import { type BodyText, bodyText } from '../semantics/body-text.ts'
import type { MessageContext } from './rule.ts'

/** The body if it is one JSON object with at least one key, or a list of such. */
export function jsonArguments({ segment, facts }: MessageContext): BodyText | undefined {
  const body = bodyText(segment, facts)
  if (!body || !/^\s*[[{]\s*["{]/.test(body.text) || !/[\]}]\s*$/.test(body.text)) return undefined
  return jsonBody(body.text).ok ? body : undefined
}
