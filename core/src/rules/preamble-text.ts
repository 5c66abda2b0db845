/** What is before the first message: a header, or something that was never meant to be one. */
import { versionOf } from '../embedded/yaml-header.ts'
import { preambleView } from '../syntax/preamble-view.ts'
import type { Segment } from '../syntax/segment.ts'
import { lineStartAt } from '../text/line-breaks.ts'
import type { Span } from '../text/range.ts'
import { ControlKind, isTerminator } from '../vocabulary/tokens.ts'
import type { HeaderContext } from './rule.ts'
import { looksDecoded } from './tokenless-output.ts'

/** True if a YAML header is expected where the text before the first message is; 0.1 needs none (D3). */
export function hasYamlHeader(context: HeaderContext): boolean {
  return context.settings.hasHeader && rawOutput(context) === undefined && !decodedOutput(context)
}

/**
 * The part of raw model output that is before the first start token: from its first word to the end of its first
 * control token. Headers may name tokens too, in lists, in values, and in quotes. A colon in a message makes it a key of YAML.
 */
export function rawOutput({
  preamble,
  header,
}: Pick<HeaderContext, 'preamble' | 'header'>): Span | undefined {
  if (preamble.kind !== 'preamble' || preamble.framing.name === 'chatml') return undefined
  const { yaml, fences } = preambleView(preamble)
  if (!yaml || fences.length > 0) return undefined
  if (versionOf(header.yaml).kind === 'known') return outputInKey({ preamble, header })
  const { text } = preamble
  for (const { from: at, to } of headerEnds(preamble, yaml)) {
    // Linear: the text is at most `lookedBack` code units long.
    if (/(["'[,]|^\s*-)\s*$/m.test(text.slice(Math.max(yaml.from, at - lookedBack), at))) return undefined
    const from = yaml.from + text.slice(yaml.from, yaml.to).search(/\S/)
    if (!beginsAsHeader(text, from)) return { from, to }
    // The header is there, and the first message has lost its start.
    const line = lineStartAt(text, at)
    return line > from && !mappingKey.test(text.slice(line, at)) ? { from: line, to } : undefined
  }
  return undefined
}

/** The first key of the header that has a token which would end the header of a message. */
function outputInKey({ preamble, header }: Pick<HeaderContext, 'preamble' | 'header'>): Span | undefined {
  for (const { keyRange } of header.yaml.entries) {
    if (!keyRange) continue
    const [from, to] = [header.offset + keyRange.start, header.offset + keyRange.end]
    const key = preamble.text.slice(from, to) // a search for tokens must not go beyond each of many keys
    if (!key.includes('<|') || /^["']/.test(key)) continue
    const [end] = headerEnds(preamble, { from, to })
    if (end) return { from, to: end.to }
  }
  return undefined
}

/** The tokens in `span` that end the header of a message. */
function* headerEnds({ text, framing }: Segment, { from, to }: Span): IterableIterator<Span> {
  for (let at = text.indexOf('<|', from); at !== -1 && at < to; at = text.indexOf('<|', at + 2)) {
    const { kind, length } = framing.matcher.tokenAtOpening(text, at)
    if (kind === ControlKind.channel || kind === ControlKind.message || isTerminator(kind))
      yield { from: at, to: at + length }
  }
}

/** The text of a model that has lost all its tokens, where a header would be; undefined if it does not look like that. */
export function decodedOutput({
  preamble,
  header,
}: Pick<HeaderContext, 'preamble' | 'header'>): Span | undefined {
  if (preamble.kind !== 'preamble' || preamble.framing.name === 'chatml') return undefined
  const { yaml, fences } = preambleView(preamble)
  if (!yaml || fences.length > 0 || versionOf(header.yaml).kind === 'known') return undefined
  const text = preamble.text.slice(yaml.from, yaml.to)
  if (!looksDecoded(text)) return undefined
  return { from: yaml.from + text.search(/\S/), to: yaml.from + text.trimEnd().length }
}

/** True if a key of the header, or the fence before it, is at `start` of `text`. */
export function beginsAsHeader(text: string, start: number): boolean {
  return headerKey.test(text.slice(start, start + longestKey))
}

const headerKey = /^(?:---\s|["']?(?:version|model|generation_settings|capabilities|profiles|lint)["']?\s*:)/
const longestKey = 40
const mappingKey = /^\s*["']?[\w-]+["']?:(?:\s|$)/

const lookedBack = 16 // a list's dash or an opening quote is directly before the token
