/** Links: which addresses are some, which are not, and the pages that keys of the header lead to. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { analyze, documentLinks, headerPageAt, Transcript } from '../../core/src/internal.ts'
import { anyString, propertyRuns } from '../helpers/arbitraries.ts'

function links(text: string): readonly string[] {
  return [...documentLinks(analyze(Transcript.parse(text)))].flat().map(({ range, target }) => {
    const written = text.slice(range.start, range.end)
    if (target.kind !== 'address') return `${written} → ${target.path}`
    assert.equal(target.url, written)
    return written
  })
}

function inBody(body: string): readonly string[] {
  return links(`version: 2.2\n<|start|>user<|message|>${body}<|end|>\n`)
}

describe('an address is a link', () => {
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['See https://example.com/a?b=c#d.', ['https://example.com/a?b=c#d']],
    ['(https://example.com/a_(b))', ['https://example.com/a_(b)']],
    ['[text](http://example.com), or <https://example.com>!', ['http://example.com', 'https://example.com']],
    ['{"url":"https://example.com/x","n":1}', ['https://example.com/x']],
    ['Write to mailto:ada@example.com.', ['mailto:ada@example.com']],
    ['https://example.com/ünïcode/日本', ['https://example.com/ünïcode/日本']],
    ['HTTPS://EXAMPLE.COM http://[::1]:80/', ['HTTPS://EXAMPLE.COM', 'http://[::1]:80/']],
  ]
  for (const [body, expected] of rows) it(body, () => assert.deepEqual(inBody(body), expected))

  it('also in the header', () => {
    assert.deepEqual(
      links(
        'version: 2.2\nsource: https://example.com # https://example.org\n<|start|>user<|message|>x<|end|>',
      ),
      ['https://example.com', 'https://example.org'],
    )
  })
})

describe('no link is', () => {
  for (const body of [
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/html,x vscode://x/y command:x',
    'https://',
    'https://user@evil.example/',
    'https://example.com@evil.example',
    'xhttps://example.com',
    'mailto:nobody',
    `https://example.com/${'x'.repeat(3000)}`,
  ]) {
    it(body.slice(0, 60), () => assert.deepEqual(inBody(body), []))
  }

  it('what nobody sees', () => {
    assert.deepEqual(inBody('https://example.com\u200b.evil.example'), ['https://example.com'])
    assert.deepEqual(inBody('https://exa\u202emple.com'), ['https://exa'])
  })
})

describe('keys of the header', () => {
  const text =
    'version: 2.2\nprofiles:\n  harmony: {enabled: true}\n  intent: history\n  other: 1\nlint:\n  token-in-body: off\n  E-CALL-SCHEMA: hint\n  unheard-of: off\n<|start|>user<|message|>x<|end|>\n'

  it('lead to pages that there are', () => {
    const found = links(text)
    assert.deepEqual(
      found.map((it) => it.split(' ')[0]),
      ['harmony', 'intent', 'token-in-body', 'E-CALL-SCHEMA'],
    )
    for (const it of found) assert.ok(existsSync(`docs/${it.split(' → ')[1]}`), it)
  })

  it('are found by place', () => {
    const analysis = analyze(Transcript.parse(text))
    assert.deepEqual(headerPageAt(analysis, text.indexOf('armony'))?.target, {
      kind: 'page',
      path: 'profiles/harmony.md',
    })
    assert.equal(headerPageAt(analysis, text.indexOf('enabled')), undefined)
    assert.equal(headerPageAt(analysis, text.length), undefined)
  })
})

it('any text has links inside of it, in little time', () => {
  fc.assert(
    fc.property(anyString, (body) => {
      const text = `<|start|>user<|message|>${body}https://a.b/${body}`
      for (const { range } of [...documentLinks(analyze(Transcript.parse(text)))].flat()) {
        assert.ok(range.start < range.end && range.end <= text.length)
      }
    }),
    { numRuns: propertyRuns },
  )
  assert.deepEqual(inBody(`https://a.b/${'('.repeat(100_000)}`), [])
  assert.equal(inBody('https://a.b/))))]]]] '.repeat(20_000)).length, 20_000)
})

describe('a part', () => {
  it('is a link in a prompt with inputs', () => {
    const text =
      'version: 2.2\ninputs:\n<|start|>user<|message|>{% include "parts/a.md" %}{% include x %}<|end|>\n'
    assert.deepEqual(links(text), ['parts/a.md → parts/a.md'])
    assert.deepEqual(inBody('{% include "parts/a.md" %}'), [])
  })
})
