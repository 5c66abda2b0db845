/** Every control token is told from every other text, wherever one character differs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { framings } from '../../core/src/vocabulary/dialects.ts'
import { ControlKind } from '../../core/src/vocabulary/tokens.ts'

for (const { name, tokens, matcher } of framings) {
  const matched = tokens.filter(({ text }) => text.startsWith('<|'))
  const kindOf = new Map(matched.map(({ text, kind }) => [text, kind]))

  test(`each token of ${name} is found, with its length`, () => {
    for (const { text, kind } of matched) {
      for (const before of ['', 'ab<']) {
        const found = matcher.tokenAt(`${before}${text}behind`, before.length)
        assert.deepEqual([found.kind, found.length], [kind, text.length], text)
      }
    }
  })

  test(`what differs in one character from a token of ${name} is none`, () => {
    for (const { text } of matched) {
      for (let at = 0; at < text.length; at++) {
        const own = text.charCodeAt(at)
        // What is equal in the lower bits is where a quick look could mistake it.
        for (const other of [own ^ 0x20, own ^ 0x80, own + 0x400, own + 0x1000, own ^ 1, 0xffff]) {
          const changed = text.slice(0, at) + String.fromCharCode(other) + text.slice(at + 1)
          assert.equal(matcher.tokenAt(changed, 0).kind, kindOf.get(changed) ?? ControlKind.none, changed)
        }
      }
      for (let end = 0; end < text.length; end++) {
        assert.equal(matcher.tokenAt(text.slice(0, end), 0).kind, ControlKind.none, text.slice(0, end))
      }
    }
  })
}
