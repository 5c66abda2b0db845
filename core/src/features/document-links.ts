/**
 * What leads out of a transcript: addresses in bodies and in the header, parts that templates include, and the keys of the
 * header that have a page of documentation. An address is only shown as a link: nothing is ever fetched.
 */
import type { HeaderEntry } from '../embedded/yaml-header.ts'
import { ruleNamed, rulesWithCode } from '../rules/rule-registry.ts'
import type { Analysis } from '../semantics/analysis.ts'
import { templateOf } from '../semantics/template-body.ts'
import type { Segment } from '../syntax/segment.ts'
import type { Range } from '../text/range.ts'

/** Where a link leads. */
export type LinkTarget =
  /** An address with `http`, `https` or `mailto`; no other scheme is ever a link. */
  | { readonly kind: 'address'; readonly url: string }
  /** A page of the documentation, relative to the folder `docs`. */
  | { readonly kind: 'page'; readonly path: string }
  /** A part that a template includes, as written there: relative to the document. */
  | { readonly kind: 'part'; readonly path: string }

/** A link. */
export interface DocumentLink {
  readonly range: Range
  readonly target: LinkTarget
}

/**
 * The links of the document: first the pages that the header leads to, then the addresses of each message, also of those
 * that have none, so that the caller can pause between any two messages.
 */
export function* documentLinks(analysis: Analysis): IterableIterator<readonly DocumentLink[]> {
  yield pageLinks(analysis)
  const hasParts = analysis.templates?.hasIncludes === true
  for (const { segment, start } of analysis.transcript.segments()) {
    const found = [...(hasParts ? partsOf(segment) : noLinks), ...addressesOf(segment)]
    yield found.length === 0
      ? found
      : found.map(({ range, target }) => ({
          range: { start: start + range.start, end: start + range.end },
          target,
        }))
  }
}

/** The key of the header at `offset` with the page that explains it; undefined elsewhere. */
export function headerPageAt(analysis: Analysis, offset: number): DocumentLink | undefined {
  return pageLinks(analysis).find(({ range }) => range.start <= offset && offset <= range.end)
}

/** The profiles, and the rules and codes whose severity the header sets. */
function pageLinks({ header }: Analysis): readonly DocumentLink[] {
  const links: DocumentLink[] = []
  for (const { key, children } of header.yaml.entries) {
    if (key === 'profiles') links.push(...linksOf(children, header.offset, profilePage))
    if (key === 'lint') links.push(...linksOf(children, header.offset, rulePage))
  }
  return links
}

function linksOf(
  entries: readonly HeaderEntry[],
  offset: number,
  pageOf: (key: string) => string | undefined,
): readonly DocumentLink[] {
  return entries.flatMap(({ key, keyRange }) => {
    const path = pageOf(String(key))
    if (path === undefined || !keyRange) return []
    const range = { start: offset + keyRange.start, end: offset + keyRange.end }
    return [{ range, target: { kind: 'page', path } as const }]
  })
}

/** The profiles that have a page. */
const profiles: ReadonlySet<string> = new Set(['harmony', 'intent'])

function profilePage(key: string): string | undefined {
  return profiles.has(key) ? `profiles/${key}.md` : undefined
}

function rulePage(key: string): string | undefined {
  const rule = ruleNamed(key) ?? rulesWithCode(key)[0]
  return rule && `rules/${rule.name}.md`
}

function partsOf(segment: Segment): readonly DocumentLink[] {
  const template = templateOf(segment)
  return (template?.includes ?? []).flatMap(({ path, pathRange }): readonly DocumentLink[] => {
    const span = path === undefined ? undefined : template?.source.spanOf(pathRange)
    if (path === undefined || !span) return []
    return [{ range: { start: span.from, end: span.to }, target: { kind: 'part', path } }]
  })
}

/** Characters that end an address: white space, quotes, brackets of markup, controls, and what no one sees. */
const outside =
  '\\s<>"`{}|\\\\^\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\u{e0000}-\\u{e0fff}'
// Linear: a fixed beginning and one run.
const addresses = new RegExp(`\\b(?:https?://|mailto:)[^${outside}]+`, 'giu')
const noLinks: readonly DocumentLink[] = []
const longestAddress = 2000 // code units; what is longer is data

function addressesOf({ text }: Segment): readonly DocumentLink[] {
  if (!text.includes('://') && !text.includes('mailto:')) return noLinks
  const links: DocumentLink[] = []
  for (const { index, 0: match } of text.matchAll(addresses)) {
    if (match.length > longestAddress) continue
    const url = withoutTail(match)
    if (!isPlain(url)) continue
    links.push({ range: { start: index, end: index + url.length }, target: { kind: 'address', url } })
  }
  return links
}

/** Punctuation after an address belongs to the sentence, and so does a bracket that the address does not open. */
function withoutTail(match: string): string {
  const excess = { ')': excessOf(match, '(', ')'), ']': excessOf(match, '[', ']') }
  let end = match.length
  for (;;) {
    const last = match.charAt(end - 1)
    if (last === ')' || last === ']') {
      if (excess[last] <= 0) return match.slice(0, end)
      excess[last]--
    } else if (!".,;:!?'*_~".includes(last)) return match.slice(0, end)
    end--
  }
}

/** How many more closing brackets there are than opening ones. */
function excessOf(text: string, opener: string, closer: string): number {
  return text.split(closer).length - text.split(opener).length
}

/** True for an address that leads where it seems to: with a host, and without a user name that looks like one. */
function isPlain(url: string): boolean {
  if (/^mailto:/i.test(url)) return /^mailto:[^@/?]+@[^@/?]+/i.test(url)
  const [, authority = ''] = /^https?:\/\/([^/?#]*)/i.exec(url) ?? []
  return /^[\p{L}\p{N}[]/u.test(authority) && !authority.includes('@')
}
