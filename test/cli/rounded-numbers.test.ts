/** Numbers that no number of JavaScript holds are told by the commands that print them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { folder, ocm } from './run-ocm.ts'

test('numbers with too many digits are told where they are printed', async (t) => {
  const id = '"id":1234567890123456789'
  const chat = `{"messages":[{"role":"user","content":"x"}],${id}}`
  const cwd = folder(t, { 'data.jsonl': `{${id},"text":"<|im_start|>user\\nx<|im_end|>"}\n${chat}\n` })
  for (const [args, nTold] of [
    [['convert', '--to', 'messages'], 2],
    [['render'], 2],
    [['check'], 0],
    [['tokens'], 0],
  ] as const) {
    const { stderr } = await ocm([...args, 'data.jsonl'], { cwd })
    const told = stderr.match(/^ocm: data\.jsonl:\d:\d+: lost: `1234567890123456789` is too large/gm)
    assert.equal(told?.length ?? 0, nTold, args[0])
  }
})
