/** Acts that are asked for quickly are done one after the other. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Turns } from '../../client/src/in-turn.ts'

test('acts are done in order, also after one that fails, which its caller learns', async () => {
  const turns = new Turns()
  const done: number[] = []
  const act = (number: number) => async () => {
    await Promise.resolve()
    done.push(number)
    if (number === 2) throw new Error('no')
    return number
  }
  const results = await Promise.allSettled([1, 2, 3].map((it) => turns.take(act(it))))
  assert.deepEqual(done, [1, 2, 3])
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  )
})
