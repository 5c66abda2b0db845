/** The keyed difference between two lists of messages. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { changesBetween, type Entry, keepIds } from '../../client/src/preview/keyed-list.ts'
import type { PageMessage } from '../../client/src/preview/preview-protocol.ts'
import { applyChanges } from './apply-changes.ts'

const keys = fc.uniqueArray(fc.constantFrom(...'abcdefghij'), { maxLength: 8 })

function page(id: string, text: string): PageMessage {
  return {
    id,
    role: 'user',
    isPreamble: false,
    isJson: false,
    parts: [{ kind: 'markdown', text }],
    isTruncated: false,
    omitted: 0,
  }
}

function refs(names: readonly string[]) {
  return names.map((key, index) => ({ key, offset: index, read: () => undefined }))
}

function entries(names: readonly string[]): Entry<unknown>[] {
  return refs(names).map((ref) => ({ id: `id-${ref.key}`, ref }))
}

function ids(old: readonly string[], next: readonly string[]): string {
  let fresh = 0
  return keepIds(entries(old), refs(next), () => `new-${++fresh}`)
    .map(({ id }) => id.replace('id-', ''))
    .join(' ')
}

test('applying the difference gives the new list', () => {
  // Shared ids keep their order, as `keepIds` promises; texts change at will.
  const lists = fc
    .tuple(keys, keys, fc.array(fc.boolean(), { minLength: 10, maxLength: 10 }))
    .map(([old, next, same]) => {
      const shared = old.filter((key) => next.includes(key))
      const ordered = [...shared]
      const nextKeys = next.map((key) => (shared.includes(key) ? ordered.shift()! : key))
      return {
        old: old.map((key) => page(key, 'text')),
        next: nextKeys.map((key) => page(key, same[key.charCodeAt(0) - 97] ? 'text' : 'other')),
      }
    })
  fc.assert(
    fc.property(lists, ({ old, next }) => {
      const changes = changesBetween(old, next)
      assert.deepEqual(applyChanges(old, changes), next)
      const touched = changes.map((change) => (change.kind === 'remove' ? change.id : change.message.id))
      assert.equal(new Set(touched).size, touched.length, 'one step per message')
    }),
  )
})

test('ids stay unique, stay with their key, and keep their order', () => {
  fc.assert(
    fc.property(keys, keys, (old, next) => {
      let fresh = 0
      const result = keepIds(entries(old), refs(next), () => `new-${++fresh}`)
      assert.deepEqual(
        result.map(({ ref }) => ref.key),
        next,
      )
      assert.equal(new Set(result.map(({ id }) => id)).size, next.length)
      const places = result.map(({ id }) => old.indexOf(id.replace('id-', ''))).filter((place) => 0 <= place)
      assert.deepEqual(
        places,
        [...places].sort((one, other) => one - other),
      )
    }),
  )
})

test('an edited message keeps its id', () => assert.equal(ids(['a', 'b', 'c'], ['a', 'x', 'c']), 'a b c'))
test('a new message gets a new id', () => assert.equal(ids(['a', 'b'], ['a', 'x', 'b']), 'a new-1 b'))
test('a removed message takes its id along', () => assert.equal(ids(['a', 'b', 'c'], ['a', 'c']), 'a c'))
test('a message that is split keeps its id in front', () =>
  assert.equal(ids(['a', 'b'], ['a', 'x', 'y']), 'a b new-1'))
