/** Datasets are cut into samples whatever the chunks are. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { stretchesOf } from '../../cli/src/dataset/stretches.ts'
import {
  cutterFor,
  DatasetError,
  type DatasetKind,
  datasetKind,
  type SamplePlace,
  type SampleSieve,
  StretchCutter,
  type StretchLimits,
  samplePlaces,
} from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

/** A sample as it came out of stretches; `text` has a character per byte. */
interface Cut {
  readonly number: number
  readonly text: string
  /** The offset in the file. */
  readonly start: number
  readonly line: number
  readonly character: number
}

/** The samples of `bytes`, which come in chunks of these sizes. */
function samples(
  kind: DatasetKind,
  limits: StretchLimits,
  bytes: Uint8Array,
  sizes: readonly number[],
  sieve?: SampleSieve,
): Cut[] {
  const cutter = new StretchCutter(kind, limits, sieve)
  const found: Cut[] = []
  const take = () => {
    const stretch = cutter.take()
    const places = [...samplePlaces(stretch)]
    assert.equal(places[0]?.number, stretch.first)
    for (const { start, end, number, line, character } of places) {
      const text = stretch.isTooLong ? 'too long' : latin1(stretch.bytes.subarray(start, end))
      found.push({ number, text, start: stretch.offset + start, line, character })
    }
  }
  let nth = 0
  for (let from = 0; from < bytes.length; nth++) {
    const size = sizes[nth % sizes.length] ?? 1
    cutter.push(bytes.slice(from, from + size))
    from += size
    while (cutter.isFull) take()
    if (nth % 3 === 0 && cutter.hasSamples) take()
  }
  cutter.end()
  while (cutter.hasSamples) take()
  return found
}

/** The places of the samples of `bytes`, as an index has them. The chunks are one buffer, which is used again. */
function places(kind: DatasetKind, bytes: Uint8Array, sizes: readonly number[]): readonly SamplePlace[] {
  const found: SamplePlace[] = []
  const cutter = cutterFor(kind, (it) => found.push(it))
  const buffer = new Uint8Array(50)
  for (let from = 0, nth = 0; from < bytes.length; nth++) {
    const chunk = bytes.subarray(from, from + Math.min(50, sizes[nth % sizes.length] ?? 1))
    buffer.fill(0x22)
    buffer.set(chunk)
    cutter.push(buffer.subarray(0, chunk.length))
    from += chunk.length
    assert.ok(cutter.openStart <= from)
  }
  cutter.end()
  return found
}

/** The samples of a file of lines, found with other means: a string with a character per byte, and its lines. */
function naiveLines(bytes: Uint8Array): Cut[] {
  let start = 0
  return latin1(bytes)
    .split('\n')
    .flatMap((whole, line) => {
      const isMarked = whole.startsWith('\xef\xbb\xbf')
      const text = whole.slice(isMarked ? 3 : 0).replace(/\r$/, '')
      const cut = { number: line + 1, text, start: start + (isMarked ? 3 : 0), line, character: 0 }
      start += whole.length + 1
      return /[^ \t\r]/.test(text) ? [cut] : []
    })
}

/** The same of a list, by a pattern: what is not a comma or the last bracket at the outermost level is an element. */
function naiveList(bytes: Uint8Array): Cut[] | 'not a list' {
  const text = latin1(bytes)
  const from = /^(?:\xef\xbb\xbf)?[ \t\r\n]*\[/.exec(text)?.[0].length
  if (from === undefined) return 'not a list'
  const found: Cut[] = []
  const token = /"(?:[^"\\]|\\[\s\S])*"|"|[[\]{},]|[^"[\]{},]+/y
  let [depth, start, isAfterComma] = [0, from, false]
  const add = (end: number) => {
    const [space = ''] = /^[ \t\r\n]*/.exec(text.slice(start, end)) ?? []
    const before = Buffer.from(text.slice(0, start + space.length), 'latin1')
    // Of broken characters, those that begin count.
    const own = [...before.subarray(before.lastIndexOf(10) + 1)]
    const units = own.map((it) => (it >= 0xf0 ? 2 : it >= 0x80 && it < 0xc0 ? 0 : 1) as number)
    const mark = text.startsWith('\xef') && !before.includes(10) ? 1 : 0
    found.push({
      number: found.length,
      text: text.slice(start + space.length, end).replace(/[ \t\r\n]+$/, ''),
      start: start + space.length,
      line: text.slice(0, start + space.length).split('\n').length - 1,
      character: units.reduce((sum, it) => sum + it, 0) - mark,
    })
  }
  token.lastIndex = from
  for (let match = token.exec(text); match; match = token.exec(text)) {
    const [it] = match
    if (it === '"') break
    if (it === '[' || it === '{') depth++
    else if (depth > 0) depth -= it === ']' || it === '}' ? 1 : 0
    else if (it === ',' || it === ']') {
      const isEmpty = /^[ \t\r\n]*$/.test(text.slice(start, match.index))
      if (it === ',' || isAfterComma || !isEmpty) add(match.index)
      if (it === ']') return /^[ \t\r\n]*$/.test(text.slice(token.lastIndex)) ? found : 'not a list'
      isAfterComma = true
      start = token.lastIndex
    }
  }
  return 'not a list'
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1')
}

/** Bytes that mean something to a cutter, more often than others. */
const byteRuns = fc
  .array(
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.constantFrom('\n', '\r\n', ' ', '\t', '\r', '"', '\\', '\\"', ',', '[', ']', '{', '}'),
      },
      { weight: 2, arbitrary: fc.constantFrom('a', '{"a":1}', '"x"', '\u{1f600}', 'ü', '\ufeff', '[1]') },
      { weight: 1, arbitrary: fc.constantFrom('\xef', '\xbb', '\xbf', '\xff', '\x00', '\x0b') },
    ),
    { maxLength: 40 },
  )
  .map((parts) =>
    Buffer.concat(
      parts.map((it) => Buffer.from(it, /^[\x80-\xff]$/.test(it) && it !== 'ü' ? 'latin1' : 'utf8')),
    ),
  )

const chunkSizes = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 })
const roomy: StretchLimits = { stretch: 25, sample: 1e6 }

/** `found` is `all` to a reader of samples of up to 8 bytes. White space after a longer one may be held against it. */
function assertShort(found: readonly Cut[], all: readonly Cut[], bytes: Uint8Array): void {
  const expected = all.map((it, index) => {
    const end = it.start + it.text.length
    const [space = ''] = /^[ \t\r\n]*/.exec(latin1(bytes).slice(end)) ?? []
    const isHeld = it.text.length + space.length > 8 && found[index]?.text === 'too long'
    return it.text.length > 8 || isHeld ? { ...it, text: 'too long' } : it
  })
  assert.deepEqual(found, expected)
}

describe('cutting', () => {
  test('any bytes into lines, as without chunks', () => {
    fc.assert(
      fc.property(byteRuns, chunkSizes, (bytes, sizes) => {
        const expected = naiveLines(bytes)
        assert.deepEqual(samples('lines', roomy, bytes, sizes), expected)
        assertShort(samples('lines', { stretch: 9, sample: 8 }, bytes, sizes), expected, bytes)
        assert.deepEqual(
          places('lines', bytes, sizes).map(({ start, end }) => latin1(bytes.subarray(start, end))),
          expected.map(({ text }) => text),
        )
      }),
      { numRuns: 5 * propertyRuns },
    )
  })

  test('any bytes into the elements of a list, as without chunks', () => {
    let nLists = 0
    const lists = fc
      .tuple(fc.constantFrom('', '\ufeff', ' \n'), byteRuns, fc.boolean())
      .map(([mark, bytes, isClosed]) =>
        Buffer.concat([Buffer.from(`${mark}[`), bytes, Buffer.from(isClosed ? ']' : '')]),
      )
    fc.assert(
      fc.property(lists, chunkSizes, (bytes, sizes) => {
        const expected = naiveList(bytes)
        if (expected === 'not a list') {
          assert.throws(() => samples('list', roomy, bytes, sizes), DatasetError)
          return
        }
        nLists++
        assert.deepEqual(samples('list', roomy, bytes, sizes), expected)
        assertShort(samples('list', { stretch: 9, sample: 8 }, bytes, sizes), expected, bytes)
        assert.deepEqual(
          places('list', bytes, sizes).map(({ end: _, ...it }) => it),
          expected.map(({ text: _, ...it }) => it),
        )
      }),
      { numRuns: 5 * propertyRuns },
    )
    assert.ok(nLists > propertyRuns / 4, `${nLists} lists`)
  })

  test('lists of any values, whatever the chunks are', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue()),
        fc.integer({ min: 0, max: 3 }),
        chunkSizes,
        (list, indent, sizes) => {
          const text = JSON.stringify(list, undefined, indent)
          const found = samples('list', roomy, Buffer.from(`\ufeff \n${text}\n `), sizes)
          assert.deepEqual(
            found.map((it) => JSON.parse(Buffer.from(it.text, 'latin1').toString())),
            list.map((it) => JSON.parse(JSON.stringify(it))),
          )
          assert.deepEqual(
            found.map(({ number }) => number),
            [...list.keys()],
          )
        },
      ),
      { numRuns: propertyRuns },
    )
  })

  test('a line break in a string stays a mistake', () => {
    const bytes = Buffer.from('["a\nb", "\\"\n", 3]')
    const found = samples('list', { stretch: 1, sample: 99 }, bytes, [4])
    assert.deepEqual(
      found.map(({ text }) => text),
      ['"a\nb"', '"\\"\n"', '3'],
    )
  })

  test('what is no list, or has no end', () => {
    const cut = (text: string) =>
      samples('list', { stretch: 1, sample: 9 }, Buffer.from(text), [3]).map(
        ({ number, text }) => `${number}: ${text}`,
      )
    const fails = (reason: DatasetError['reason'], element?: number) => (error: unknown) =>
      error instanceof DatasetError && error.reason === reason && error.element === element
    assert.throws(() => cut('{}'), fails('not-a-list'))
    assert.throws(() => cut('[1, {"a": '), fails('cut-off', 1))
    assert.throws(() => cut('[1, '), fails('cut-off'))
    assert.throws(() => cut('[1] 2'), fails('text-after-list'))
    assert.deepEqual(cut('["1234567890", 2, [3]]'), ['0: too long', '1: 2', '2: [3]'])
    assert.deepEqual(cut('[1,,2,]'), ['0: 1', '1: ', '2: 2', '3: '])
    assert.deepEqual(cut('[ ]'), [])
  })

  test('with a sieve, only those samples come that it wants, and those that are too long', () => {
    const line = fc.oneof(fc.constantFrom('x', 'a', '{"a":1}'), fc.string({ maxLength: 40 }))
    const limits = { stretch: 60, sample: 30 }
    const sieve: SampleSieve = (bytes) => (start, end, number) =>
      number === 3 || latin1(bytes.subarray(start, end)).includes('a')
    let nWanted = 0
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), chunkSizes, (lines, sizes) => {
        const bytes = Buffer.from(lines.join('\n'))
        const all = samples('lines', limits, bytes, sizes)
        const wanted = all.filter(
          ({ text, number }) => number === 3 || text === 'too long' || text.includes('a'),
        )
        assert.deepEqual(samples('lines', limits, bytes, sizes, sieve), wanted)
        nWanted += all.length - wanted.length > 0 && wanted.length > 0 ? 1 : 0
      }),
      { numRuns: propertyRuns },
    )
    assert.ok(nWanted > propertyRuns / 4, `${nWanted} files`)
  })

  test('what no one wants is not held, behind a sample that is wanted', () => {
    const wanted: SampleSieve = (bytes) => (start) => bytes[start] === 0x61
    const cutter = new StretchCutter('lines', { stretch: 1e4, sample: 1e6 }, wanted)
    const found: string[] = []
    let nHeld = 0
    cutter.push(Buffer.from('a\n'))
    for (let nth = 0; nth < 1000; nth++) {
      cutter.push(Buffer.from(`${'b'.repeat(99)}\n`))
      while (cutter.isFull) found.push(latin1(cutter.take().bytes))
      nHeld = Math.max(nHeld, cutter.held)
    }
    cutter.end()
    assert.ok(!cutter.hasSamples)
    assert.deepEqual(found, ['a'])
    assert.ok(nHeld <= 1.1e4, `${nHeld} bytes`)
  })

  test('a sample that is too long is not held, in front of others and after them', () => {
    for (const kind of ['lines', 'list'] as const) {
      const [first, separator] = kind === 'list' ? ['[1,"', '",'] : ['1\n"', '"\n']
      const cutter = new StretchCutter(kind, { stretch: 1e4, sample: 1e4 })
      const chunk = Buffer.alloc(1e3, 'x')
      let nHeld = 0
      const push = (bytes: Uint8Array) => {
        cutter.push(bytes)
        const found: string[] = []
        while (cutter.isFull) {
          const { bytes: own, first: number, isTooLong } = cutter.take()
          found.push(`${number}${isTooLong ? ' too long' : ` ${latin1(own)}`}`)
        }
        nHeld = Math.max(nHeld, cutter.held)
        return found
      }
      const found = [...push(Buffer.from(first))]
      for (let nth = 0; nth < 1000; nth++) found.push(...push(Buffer.from(chunk)))
      found.push(...push(Buffer.from(`${separator}2${kind === 'list' ? ']' : '\n'}`)))
      cutter.end()
      while (cutter.hasSamples) found.push(`${latin1(cutter.take().bytes)}`)
      assert.deepEqual(found, kind === 'list' ? ['0 1', '1 too long', '2'] : ['1 1', '2 too long', '2'])
      assert.ok(nHeld <= 1.2e4, `${nHeld} bytes`)
    }
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
    assert.equal(datasetKind(text), expected === undefined ? undefined : expected ? 'list' : 'lines', text)
  }
})

/** What is read of `chunks`, and why no more. */
async function linesOf(chunks: readonly string[]): Promise<readonly string[]> {
  async function* input(): AsyncIterableIterator<Uint8Array> {
    for (const it of chunks) yield Buffer.from(it, 'latin1')
  }
  const found: string[] = []
  try {
    for await (const stretch of stretchesOf('-', input())) {
      for (const { start, end } of samplePlaces(stretch))
        found.push(`${stretch.place} ${latin1(stretch.bytes.subarray(start, end))}`)
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
      assert.match(found[2] ?? '', /has text after its list/)
    }
  })
})
