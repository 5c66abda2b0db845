/** Datasets are cut into samples whatever the chunks are. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Cutter, LineCutter } from '../../cli/src/dataset/line-cutter.ts'
import { ListCutter } from '../../cli/src/dataset/list-cutter.ts'
import { beginsListOfConversations } from '../../cli/src/dataset/list-of-conversations.ts'
import { stretchesOf } from '../../cli/src/dataset/stretches.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

/** What `cutter` makes of `bytes` in chunks of these sizes: each sample with its number. */
function samples(cutter: Cutter, bytes: Uint8Array, sizes: readonly number[]): string[] {
  const found: string[] = []
  const note = (stretch: ReturnType<Cutter['end']>) => {
    if (!stretch) return
    if (stretch.isTooLong) found.push(`${stretch.first}: too long`)
    const lines = Buffer.from(stretch.bytes).toString('latin1').split('\n')
    if (lines.at(-1) === '') lines.pop()
    for (const [index, line] of lines.entries()) found.push(`${stretch.first + index}: ${line}`)
  }
  let nth = 0
  for (let from = 0; from < bytes.length; nth++) {
    const size = sizes[nth % sizes.length] ?? 1
    cutter.push(bytes.subarray(from, from + size))
    from += size
    while (cutter.isFull) note(cutter.take())
    if (nth % 3 === 0 && cutter.hasSamples) note(cutter.take())
  }
  if (cutter.hasSamples) note(cutter.take())
  note(cutter.end())
  return found
}

const chunkSizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })

describe('cutting', () => {
  test('lines, whatever the chunks are', () => {
    const line = fc.string({ unit: fc.constantFrom('a', '{', '"', '\r', ' '), maxLength: 30 })
    fc.assert(
      fc.property(fc.array(line), fc.boolean(), chunkSizes, (lines, endsInBreak, sizes) => {
        const text = lines.join('\n') + (endsInBreak ? '\n' : '')
        const expected = text
          .split('\n')
          .map((it, index) => (it.length > 20 ? `${index + 1}: too long` : `${index + 1}: ${it}`))
        if (text.endsWith('\n') || text === '') expected.pop()
        const found = samples(new LineCutter({ stretch: 25, sample: 20 }), Buffer.from(text), sizes)
        // A line that came whole, in one chunk, is not held against its length.
        const isSame = (one: string, other: string) => one === other || /too long/.test(other)
        assert.ok(
          found.length === expected.length && found.every((it, index) => isSame(it, expected[index] ?? '')),
        )
      }),
      { numRuns: propertyRuns },
    )
  })

  test('lists, whatever the chunks are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.integer({ min: 0, max: 3 }),
        chunkSizes,
        (list, indent, sizes) => {
          const text = JSON.stringify(list, undefined, indent)
          const cutter = new ListCutter('x', { stretch: 25, sample: 1e6 })
          const found = samples(cutter, Buffer.from(`\ufeff \n${text}\n `), sizes)
          assert.deepEqual(
            found.map((it) => JSON.parse(Buffer.from(it.slice(it.indexOf(':') + 1), 'latin1').toString())),
            list.map((it) => JSON.parse(JSON.stringify(it))),
          )
          assert.deepEqual(
            found.map((it) => Number.parseInt(it, 10)),
            [...list.keys()],
          )
        },
      ),
      { numRuns: propertyRuns },
    )
  })

  test('a line break in a string stays a mistake', () => {
    const found = samples(
      new ListCutter('x', { stretch: 1, sample: 99 }),
      Buffer.from('["a\nb", "\\"\n", 3]'),
      [4],
    )
    assert.deepEqual(found, ['0: "a\u0001b"', '1: "\\"\u0001"', '2: 3'])
  })

  test('elements begin where they begin in the file, whatever the chunks are', () => {
    const element = fc.constantFrom('{}', '[\n1]', '"ü"', '"😀"', '"a\nb"', '{"€":\r\n[]}')
    const space = fc.constantFrom('', ' ', '\n', '\r\n  ')
    fc.assert(
      fc.property(fc.array(fc.tuple(space, element, space)), chunkSizes, (elements, sizes) => {
        const starts: number[] = []
        let text = '['
        for (const [before, it, behind] of elements) {
          text += before
          starts.push(text.split('\n').length - 1, text.length - (text.lastIndexOf('\n') + 1))
          text += `${it}${behind},`
        }
        text = elements.length > 0 ? `${text.slice(0, -1)}]` : '[]'
        const bytes = Buffer.from(`\ufeff${text}`)
        const cutter = new ListCutter('x', { stretch: 5, sample: 1e6 })
        const found: number[] = []
        const note = (stretch: ReturnType<Cutter['end']>) => {
          const nLines =
            Buffer.from(stretch?.bytes ?? [])
              .toString('latin1')
              .split('\n').length - 1
          found.push(...(stretch?.starts?.subarray(0, 2 * nLines) ?? []))
        }
        for (let from = 0, nth = 0; from < bytes.length; nth++) {
          const size = sizes[nth % sizes.length] ?? 1
          cutter.push(bytes.subarray(from, from + size))
          from += size
          if (cutter.isFull) note(cutter.take())
        }
        note(cutter.end())
        assert.deepEqual(found, starts)
      }),
      { numRuns: propertyRuns },
    )
  })

  test('what is no list, or has no end', () => {
    const cut = (text: string) =>
      samples(new ListCutter('x', { stretch: 1, sample: 9 }), Buffer.from(text), [3])
    assert.throws(() => cut('{}'), /x: is no JSON list/)
    assert.throws(() => cut('[1, {"a": '), /x: the list is cut off in element 1/)
    assert.throws(() => cut('[1] 2'), /x: has text behind its list/)
    assert.throws(() => cut('["1234567890"]'), /x: element 0 is longer than/)
    assert.deepEqual(cut('[1,,2,]'), ['0: 1', '1: ', '2: 2', '3: '])
    assert.deepEqual(cut('[ ]'), [])
  })
})

test('lists of conversations are told from lists of messages', () => {
  for (const [text, expected] of [
    ['[{"messages": [', true],
    [' \n[ {"id": {"role": 1}, "source": "role", "messages"', undefined],
    ['[{"id": {"role": 1}, "source": "role", "messages": ', true],
    ['[{"text": "x"}]', true],
    ['[[{"role": "user"}], []]', true],
    ['[{"role": "user", "content": [{"text": "x"}]}]', false],
    ['[{"type": "message", "text": ""}]', false],
    ['[{"content": "x", "messages": 1}]', false],
    ['[{}, {"messages": []}]', false],
    ['[]', false],
    ['[1]', false],
    ['{"messages": []}', false],
    ['[BOS]<|im_start|>', false],
    ['', undefined],
    [' [', undefined],
    ['[{"id": 1, "mess', undefined],
  ] as const) {
    assert.equal(beginsListOfConversations(text), expected, text)
  }
})

/** What is read of `chunks`, and why no more. */
async function linesOf(chunks: readonly string[]): Promise<readonly string[]> {
  async function* input(): AsyncIterableIterator<Uint8Array> {
    for (const it of chunks) yield Buffer.from(it, 'latin1')
  }
  const found: string[] = []
  try {
    for await (const { bytes, place } of stretchesOf('-', input())) {
      for (const line of Buffer.from(bytes).toString('latin1').trimEnd().split('\n'))
        found.push(`${place} ${line}`)
    }
  } catch (error) {
    found.push(String(error))
  }
  return found
}

describe('streams', () => {
  const one = '{"messages":[]}'

  test('are a list even if its bracket, or the mark before it, comes alone', async () => {
    const expected = [`element ${one}`, `element ${one}`]
    assert.deepEqual(await linesOf(['[', `${one},`, `${one}]`]), expected)
    assert.deepEqual(await linesOf(['\xef\xbb', '\xbf', '\n', '[', `${one},${one}]`]), expected)
    assert.deepEqual(await linesOf(['[', '{"role":"user"}]\n']), ['line [{"role":"user"}]'])
    assert.deepEqual(await linesOf(['[']), ['line ['])
    assert.deepEqual(await linesOf([]), [])
  })

  test('that stop being a list have the samples before that', async () => {
    for (const chunks of [[`[${one},${one}] [`], [`[${one}`, `,${one}]`, ' [']]) {
      const found = await linesOf(chunks)
      assert.deepEqual(found.slice(0, 2), [`element ${one}`, `element ${one}`])
      assert.match(found[2] ?? '', /has text behind its list/)
    }
  })
})
