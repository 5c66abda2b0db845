/** Links from citations to the pages of the specification. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { citedPage, withCitationLinks } from '../../core/src/internal.ts'
import { attributes } from '../../core/src/vocabulary/attributes.ts'
import { channels } from '../../core/src/vocabulary/channels.ts'
import { openchatml } from '../../core/src/vocabulary/openchatml-framing.ts'
import { roles } from '../../core/src/vocabulary/roles.ts'

/** The anchors that a page has, as Markdown readers make them of its headings. */
function anchorsOf(page: string): Set<string> {
  const text = readFileSync(`docs/${page}`, 'utf8')
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-'),
  )
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]*)"/g)].map(([, id = '']) => id)])
}

test('every citation of the vocabulary leads to a section', () => {
  const cited = [...attributes, ...channels, ...roles, ...openchatml.tokens].map(({ section }) => section)
  for (const citation of cited.flatMap((it) => it.split(', '))) {
    const [page = '', anchor = ''] = citedPage(citation)?.split('#') ?? []
    assert.ok(page && anchorsOf(page).has(anchor), citation)
  }
})

test('only lines that name the specification get links', () => {
  const text = 'See 2.2 §6\n\n*OpenChatML 2.2 §6, D16*\n\n*OpenChatML 0.1 §2*'
  assert.equal(
    withCitationLinks(text, 'file:///docs'),
    'See 2.2 §6\n\n*OpenChatML [2.2 §6](file:///docs/spec/openchatml-2.2.md#6-message-grammar), [D16](file:///docs/spec/decisions.md#d16)*\n\n*OpenChatML 0.1 §2*',
  )
})
