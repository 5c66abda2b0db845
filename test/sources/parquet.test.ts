/** Rows of Parquet files as JSON: exact values, and damage that is never taken for an end. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { parquetLines } from '../../core/src/datasets/sources/parquet.ts'
import { judgeContent, judgeLevels, type Page } from '../../core/src/datasets/sources/parquet-pages.ts'
import { ThriftReader } from '../../core/src/datasets/sources/parquet-thrift.ts'
import { type RandomAccess, SourceError } from '../../core/src/internal.ts'
import { nightly } from '../helpers/nightly.ts'
import { withCodec } from './damaged-parquet.ts'
import { codecs, inMemory, parquetOf, parquetWith } from './packed-files.ts'

const longest = 2 ** 20

async function linesOf(file: Uint8Array, most = longest): Promise<readonly string[]> {
  const chunks: Uint8Array[] = []
  for await (const chunk of parquetLines(inMemory(file), most)) chunks.push(chunk) // readers hold them as well
  return Buffer.concat(chunks).toString('utf8').split('\n').slice(0, -1)
}

const rows = [
  {
    id: 1n,
    messages: [
      { role: 'user', content: 'Hi "there"\n€' },
      { role: 'assistant', content: 'Hello' },
    ],
    score: 0.5,
  },
  { id: 9007199254740993n, messages: [], score: null },
  { id: null, messages: [{ role: 'user', content: null, name: 'Ann' }], score: 1e300 },
]
const expected = [
  '{"id":1,"messages":[{"role":"user","content":"Hi \\"there\\"\\n€"},{"role":"assistant","content":"Hello"}],"score":0.5}',
  '{"id":9007199254740993,"messages":[]}',
  '{"messages":[{"role":"user","name":"Ann"}],"score":1e+300}',
]

for (const codec of codecs) {
  test(`rows keep their values, and members that are null are left out: ${codec}`, async () => {
    assert.deepEqual(await linesOf(parquetOf(rows, { codec })), expected)
  })
}

test('row groups follow one another', async () => {
  assert.deepEqual(await linesOf(parquetOf(rows, { rowGroupSize: 1 })), expected)
})

test('row groups without rows are skipped, also if a column has no pages in them', async () => {
  // By pyarrow 25: three tables with these columns, of 1, 0, and 1 rows, to a `ParquetWriter` with `use_dictionary=False`.
  const file = Buffer.from(
    [
      'UEFSMRUAFRYVGiwVAhUAFQYVBhwAAAALKAIAAAACAQEAAABwFQAVDhUSLBUCFQAVBhUGHAAAAAcYAgAAAAIBARUAFRYVGiwVAhUA',
      'FQYVBhwAAAALKAIAAAACAQEAAABwFQAVDhUSLBUCFQAVBhUGHAAAAAcYAgAAAAIBARUEGTw1ABgGc2NoZW1hFQQAFQwlAhgGcHJv',
      'bXB0JQBMHAAAABUAJQIYBWxhYmVsABYEGTwZLCYAHBUMGSUGABkYBnByb21wdBUCFgIWPBZAJghJHBUAFQAVAgA8FgIZBhkmAAIA',
      'AAAmABwVABklBgAZGAVsYWJlbBUCFgIWNBY4JkhJHBUAFQAVAgA8KQYZJgACAAAAFnAWAiYIFngAGSwmABwVDBkVBhkYBnByb21w',
      'dBUCFgAWABYAJgBJDAAAJgAcFQAZFQYZGAVsYWJlbBUCFgAWABYAJgBJDAAAFgAWACYAFgAAGSwmABwVDBklBgAZGAZwcm9tcHQV',
      'AhYCFjwWQCaAAUkcFQAVABUCADwWAhkGGSYAAgAAACYAHBUAGSUGABkYBWxhYmVsFQIWAhY0FjgmwAFJHBUAFQAVAgA8KQYZJgAC',
      'AAAAFnAWAiaAARZ4ACggcGFycXVldC1jcHAtYXJyb3cgdmVyc2lvbiAyNS4wLjEZLBwAABwAAAB+AQAAUEFSMQ==',
    ].join(''),
    'base64',
  )
  const row = '{"prompt":"p","label":true}'
  assert.deepEqual(await linesOf(file), [row, row])
})

test('many rows are the same, although readers hold some while the next ones are written', async () => {
  const many = Array.from({ length: 3000 }, (_, id) => ({
    id,
    messages: [{ role: 'user', content: `Question ${id} `.repeat(50) }],
  }))
  const read = await linesOf(parquetOf(many, { rowGroupSize: 1000 }))
  assert.deepEqual(
    read.map((it) => JSON.parse(it)),
    many,
  )
})

for (const version of ['v1', 'v2'])
  test(`a file of DuckDB is read, which fills up its last runs: pages of ${version}`, async () => {
    const lines = await linesOf(readFileSync(`test/sources/parquet/duckdb-${version}.parquet`))
    assert.deepEqual(
      lines.map((it) => JSON.parse(it)),
      Array.from({ length: 50 }, (_, id) => ({
        id: `id-${id}`,
        messages: [
          { role: 'user', content: `Question ${id}` },
          { role: 'assistant', content: `Answer ${id}` },
        ],
        score: id / 4,
        source: id % 3 === 0 ? 'web' : 'book',
        ok: id % 7 === 0,
        n: id * 1000,
      })),
    )
  })

test('rows whose lists go on in other pages are the same, and only the pages of a few rows are read at once', async () => {
  const many = Array.from({ length: 400 }, (_, id) => ({
    id,
    messages: Array.from({ length: id % 7 }, (__, nth) => ({
      role: nth % 2 === 0 ? 'user' : 'assistant',
      content: nth === 5 ? null : `${id}-${nth} "${'é\n'.repeat(id % 50)}"`,
    })),
    score: id % 3 === 0 ? null : id / 3,
  }))
  const options = { codec: 'UNCOMPRESSED' } as const
  const whole = parquetOf(many, { ...options, pageSize: 2 ** 30 })
  const expected = await linesOf(whole)
  assert.equal(expected.length, many.length)
  for (const pageSize of [1, 100, 5000]) {
    const file = parquetOf(many, { ...options, pageSize })
    assert.deepEqual(await linesOf(file), expected, `pages of ${pageSize} bytes`)
  }
  const large = many.map((it) => ({
    ...it,
    messages: [{ role: 'user', content: String(it.id).repeat(10_000) }],
  }))
  const file = parquetOf(large, { ...options, pageSize: 100_000 })
  let nRead = 0
  const random = inMemory(file)
  const counted: RandomAccess = {
    ...random,
    read(range) {
      nRead += range.end - range.start
      return random.read(range)
    },
  }
  for await (const _ of parquetLines(counted, longest)) break
  assert.ok(nRead < file.length / 4, `${nRead} of ${file.length} bytes`)
})

nightly(
  'pages that would take too much memory together are refused, and the rows before them are read',
  async () => {
    const lists: (readonly boolean[])[] = Array.from({ length: 800 }, () =>
      new Array<boolean>(10_000).fill(true),
    )
    const file = parquetWith(
      [
        { name: 'flags', num_children: 1, converted_type: 'LIST', repetition_type: 'OPTIONAL' },
        { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
        { name: 'element', type: 'BOOLEAN', repetition_type: 'REQUIRED' },
      ],
      { flags: lists },
      { pageSize: 2 ** 30, rowGroupSize: [1, 799] },
    )
    const chunks: Uint8Array[] = []
    await assert.rejects(async () => {
      for await (const chunk of parquetLines(inMemory(file), longest)) chunks.push(chunk.slice())
    }, /needs more than 512 MB for the pages from row 1 on/)
    assert.equal(Buffer.concat(chunks).toString(), `{"flags":[${lists[0]?.join(',')}]}\n`)
  },
)

test('dates, times, and bytes are exact', async () => {
  const optional = { repetition_type: 'OPTIONAL' } as const
  const file = parquetWith(
    [
      { name: 'day', type: 'INT32', converted_type: 'DATE', ...optional },
      { name: 'at', type: 'INT64', converted_type: 'TIMESTAMP_MICROS', ...optional },
      { name: 'bytes', type: 'BYTE_ARRAY', ...optional },
      { name: 'json', type: 'BYTE_ARRAY', converted_type: 'JSON', ...optional },
      { name: 'big', type: 'INT64', converted_type: 'UINT_64', ...optional },
      { name: 'real', type: 'DOUBLE', ...optional },
    ],
    {
      day: [new Date('2026-01-31T00:00:00Z'), new Date('1969-12-31T00:00:00Z')],
      at: [new Date('2026-01-31T12:00:00.250Z'), new Date('1969-12-31T23:59:59.999Z')],
      bytes: [Uint8Array.of(0xff, 0, 1), new TextEncoder().encode('text')],
      json: [{ a: 1 }, [true]],
      big: [2n ** 62n + 1n, 0n],
      real: [Number.NaN, -0],
    },
  )
  assert.deepEqual(await linesOf(file), [
    '{"day":"2026-01-31","at":"2026-01-31T12:00:00.25Z","bytes":"/wAB","json":{"a":1},"big":4611686018427387905,"real":"NaN"}',
    '{"day":"1969-12-31","at":"1969-12-31T23:59:59.999Z","bytes":"text","json":[true],"big":0,"real":-0}',
  ])
})

test('decimals have all of their digits, at any depth', async () => {
  const optional = { repetition_type: 'OPTIONAL' } as const
  const decimal = (scale: number) =>
    ({ converted_type: 'DECIMAL', precision: 38, scale, ...optional }) as const
  const bytes = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 } as const
  const logical = { type: 'DECIMAL', precision: 9, scale: 2 } as const
  const file = parquetWith(
    [
      { name: 'id', ...bytes, ...decimal(0) },
      { name: 'long', type: 'INT64', ...decimal(3) },
      { name: 'bytes', type: 'BYTE_ARRAY', ...decimal(20) },
      { name: 'thousands', type: 'INT32', ...decimal(-3) },
      { name: 'smallest', type: 'INT32', ...decimal(2 ** 30) },
      { name: 'logical', type: 'INT32', logical_type: logical, ...optional },
      { name: 'struct', num_children: 1, ...optional },
      { name: 'price', type: 'INT32', ...decimal(2) },
      { name: 'list', num_children: 1, converted_type: 'LIST', ...optional },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      { name: 'element', ...bytes, ...decimal(2) },
      { name: 'map', num_children: 1, converted_type: 'MAP', ...optional },
      { name: 'key_value', num_children: 2, repetition_type: 'REPEATED' },
      { name: 'key', type: 'INT32', ...decimal(1), repetition_type: 'REQUIRED' },
      { name: 'value', type: 'INT64', ...decimal(1) },
    ],
    {
      id: [12345678901234567890n, null, -1n],
      long: [-123456789012345678n, null, 0n],
      bytes: [1n, null, -(10n ** 30n)],
      thousands: [5n, null, 0n],
      smallest: [-7n, null, 0n],
      logical: [57, null, -5700],
      struct: [{ price: 57n }, { price: null }, { price: -5n }],
      list: [[57n, null, 110n], null, [-(10n ** 37n)]],
      map: [new Map([[15n, 12345678901234567n]]), null, new Map([[-20n, 5n]])],
    },
  )
  assert.deepEqual(await linesOf(file), [
    '{"id":12345678901234567890,"long":-123456789012345.678,"bytes":0.00000000000000000001,"thousands":5000,"smallest":-7e-1073741824,' +
      '"logical":0.57,"struct":{"price":0.57},"list":[0.57,null,1.1],"map":{"1.5":1234567890123456.7}}',
    '{"struct":{}}',
    '{"id":-1,"long":0,"bytes":-10000000000,"thousands":0,"smallest":0e-1073741824,' +
      '"logical":-57,"struct":{"price":-0.05},"list":[-100000000000000000000000000000000000],"map":{"-2":0.5}}',
  ])
})

test('a decimal that is wider than any of other programs is given as bytes', async () => {
  const wide = { type: 'BYTE_ARRAY', converted_type: 'DECIMAL', precision: 38, scale: 2 } as const
  const file = parquetWith([{ name: 'wide', ...wide, repetition_type: 'OPTIONAL' }], {
    wide: [2n ** 900n, -(2n ** 10_000n)],
  })
  const [most, more] = (await linesOf(file)).map((it) => JSON.parse(it).wide)
  assert.equal(most, Number(2n ** 900n) / 100)
  assert.match(more, /^\/wAAAA/)
})

test('times without a time zone have none, at any depth', async () => {
  const optional = { repetition_type: 'OPTIONAL' } as const
  const time = (isAdjustedToUTC: boolean, unit: 'MILLIS' | 'MICROS' | 'NANOS' = 'MICROS') =>
    ({ type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC, unit }, ...optional }) as const
  const at = new Date('2026-01-31T12:00:00.250Z')
  const file = parquetWith(
    [
      { name: 'local', ...time(false), converted_type: 'TIMESTAMP_MICROS' },
      { name: 'struct', num_children: 3, ...optional },
      { name: 'ms', ...time(false, 'MILLIS') },
      { name: 'ns', ...time(false, 'NANOS') },
      { name: 'utc', ...time(true) },
      { name: 'list', num_children: 1, converted_type: 'LIST', ...optional },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      { name: 'element', ...time(false) },
    ],
    { local: [at], struct: [{ ms: at, ns: at, utc: at }], list: [[at, null]] },
  )
  assert.deepEqual(await linesOf(file), [
    '{"local":"2026-01-31T12:00:00.25","struct":{"ms":"2026-01-31T12:00:00.25","ns":"2026-01-31T12:00:00.25",' +
      '"utc":"2026-01-31T12:00:00.25Z"},"list":["2026-01-31T12:00:00.25",null]}',
  ])
})

test('names of columns and members can have dots', async () => {
  const optional = { repetition_type: 'OPTIONAL' } as const
  const id = { type: 'INT32', ...optional } as const
  const file = parquetWith(
    [
      { name: 'a.b', ...id },
      { name: 'a', num_children: 3, ...optional },
      { name: 'b.c', ...id },
      { name: 'b', num_children: 1, ...optional },
      { name: 'c', ...id },
      { name: 'x.y', num_children: 1, converted_type: 'LIST', ...optional },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      { name: 'element', ...id },
      { name: 'm.', num_children: 1, converted_type: 'MAP', ...optional },
      { name: 'key_value', num_children: 2, repetition_type: 'REPEATED' },
      { name: 'key', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
      { name: 'value', ...id },
    ],
    { 'a.b': [1], a: [{ 'b.c': 2, b: { c: 3 }, 'x.y': [4] }], 'm.': [new Map([['k.l', 5]])] },
  )
  assert.deepEqual(await linesOf(file), ['{"a.b":1,"a":{"b.c":2,"b":{"c":3},"x.y":[4]},"m.":{"k.l":5}}'])
})

const map = [
  { name: 'map', num_children: 1, converted_type: 'MAP', repetition_type: 'OPTIONAL' },
  { name: 'key_value', num_children: 2, repetition_type: 'REPEATED' },
  { name: 'key', type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type: 'REQUIRED' },
  { name: 'value', type: 'INT32', repetition_type: 'OPTIONAL' },
] as const

test('maps keep the key `__proto__`', async () => {
  const maps = [{ a: 1, ['__proto__']: 5 }, { constructor: 2 }].map((it) => new Map(Object.entries(it)))
  assert.deepEqual(await linesOf(parquetWith(map, { map: maps })), [
    '{"map":{"a":1,"__proto__":5}}',
    '{"map":{"constructor":2}}',
  ])
})

test('a key of a map that is not UTF-8 makes its row one that cannot be read, and no other', async () => {
  const file = parquetWith(map, { map: ['one', 'XYZ', 'two'].map((it) => new Map([[it, 1]])) })
  file[Buffer.from(file).indexOf('XYZ')] = 0xff
  assert.deepEqual(await linesOf(file), ['{"map":{"one":1}}', '"\ufffd"', '{"map":{"two":1}}'])
})

test('members of variants that have columns of their own keep their texts and numbers', async () => {
  const data = [
    { name: 'Ann', price: 0.57, tags: ['a', 'é'], more: { text: 'b' } },
    { name: 'Bob', price: 2 },
  ]
  const columnData = [{ name: 'variant', type: 'VARIANT', data, shredding: true }] as const
  const lines = await linesOf(new Uint8Array(parquetWriteBuffer({ columnData: [...columnData] })))
  assert.deepEqual(
    lines.map((it) => JSON.parse(it).variant),
    data,
  )
})

test('times of day and intervals are text, also in lists', async () => {
  const optional = { repetition_type: 'OPTIONAL' } as const
  const interval = (...numbers: readonly number[]) => new Uint8Array(Uint32Array.from(numbers).buffer)
  const time = (unit: 'MILLIS' | 'NANOS') => ({ type: 'TIME', isAdjustedToUTC: true, unit }) as const
  const length = { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12, converted_type: 'INTERVAL' } as const
  const file = parquetWith(
    [
      { name: 'ms', type: 'INT32', converted_type: 'TIME_MILLIS', logical_type: time('MILLIS'), ...optional },
      { name: 'us', type: 'INT64', converted_type: 'TIME_MICROS', ...optional },
      { name: 'ns', type: 'INT64', logical_type: time('NANOS'), ...optional },
      { name: 'interval', ...length, ...optional },
      { name: 'intervals', num_children: 1, converted_type: 'LIST', ...optional },
      { name: 'list', num_children: 1, repetition_type: 'REPEATED' },
      { name: 'element', ...length, ...optional },
    ],
    {
      ms: [45_000_500, null, 0],
      us: [86_399_999_999n, null, -1n],
      ns: [1n, null, 86_400_000_000_000n],
      interval: [interval(1, 2, 3500), null, interval(0, 0, 0)],
      intervals: [[interval(14, 0, 0), null], null, [interval(0, 0, 60_000)]],
    },
  )
  assert.deepEqual(await linesOf(file), [
    '{"ms":"12:30:00.5","us":"23:59:59.999999","ns":"00:00:00.000000001","interval":"P1M2DT3.5S","intervals":["P14M",null]}',
    '{}',
    '{"ms":"00:00:00","us":-1,"ns":86400000000000,"interval":"PT0S","intervals":["PT60S"]}',
  ])
})

test('text that is not UTF-8 makes its row one that cannot be read, and no other', async () => {
  const text = {
    name: 'text',
    type: 'BYTE_ARRAY',
    converted_type: 'UTF8',
    repetition_type: 'REQUIRED',
  } as const
  const file = parquetWith([text], { text: ['one', 'XYZ', 'two'] })
  const at = Buffer.from(file).indexOf('XYZ')
  assert.ok(at > 0)
  file[at] = 0xff
  const lines = await linesOf(file)
  assert.deepEqual([lines[0], lines[2]], ['{"text":"one"}', '{"text":"two"}'])
  assert.match(lines[1] ?? '', /^"\ufffd"$/)
})

test('a row that is longer than what is read is a line that is longer, and the next one is read', async () => {
  const long = { id: 2n, messages: [{ role: 'user', content: 'x'.repeat(2000) }], score: null }
  const lines = await linesOf(parquetOf([rows[1] ?? long, long, rows[1] ?? long]), 1000)
  assert.equal(lines.length, 3)
  assert.ok((lines[1]?.length ?? 0) > 1000)
  assert.equal(lines[2], expected[1])
})

async function failure(file: Uint8Array): Promise<string> {
  const error = await linesOf(file).then(
    () => undefined,
    (error) => error,
  )
  assert.ok(error instanceof SourceError, `no SourceError but ${error}`)
  return error.message
}

test('files that are cut off or damaged are refused with a reason', async () => {
  const file = parquetOf(rows, { codec: 'UNCOMPRESSED' })
  assert.match(await failure(file.subarray(0, -20)), /cut off: its footer is missing/)
  const encrypted = file.slice()
  encrypted.set(new TextEncoder().encode('PARE'), file.length - 4)
  assert.match(await failure(encrypted), /encrypted/)
  const longFooter = file.slice()
  new DataView(longFooter.buffer).setUint32(file.length - 8, 2 ** 31, true)
  assert.match(await failure(longFooter), /damaged/)
  const sparse = { ...inMemory(longFooter), size: 2 ** 33 }
  const read = async ({ end }: { end: number }) =>
    longFooter.slice(longFooter.length - (sparse.size - end) - 8)
  await assert.rejects(async () => {
    for await (const _ of parquetLines({ size: sparse.size, read }, longest)) assert.fail('a row')
  }, /footer of the Parquet file is larger than 64 MB/)
  const outside = file.slice()
  new DataView(outside.buffer).setUint32(file.length - 8, file.length, true)
  assert.match(await failure(outside), /damaged/)
})

test('whatever byte is another one, all rows come or the file is refused', async () => {
  const file = parquetOf(rows, { codec: 'SNAPPY' })
  for (let at = 4; at < file.length; at++) {
    const other = file.slice()
    other[at] = (other[at] ?? 0) ^ 0x55
    const lines = await linesOf(other).catch((error) => error)
    if (!(lines instanceof SourceError)) assert.equal(lines.length, rows.length, `byte ${at}: ${lines}`)
  }
})

test('a compression that nobody reads is named', async () => {
  const file = withCodec(parquetOf(rows, { codec: 'UNCOMPRESSED' }), 6)
  assert.match(await failure(file), /uses the compression LZO, which is not supported/)
})

test('metadata is judged before the library reads it: depth, integers, and lengths of lists', () => {
  const nested = new Uint8Array(1000).fill(0x1c) // structure in structure
  assert.throws(() => new ThriftReader(nested).struct(), /nested too deep/)
  assert.throws(
    () => new ThriftReader(Uint8Array.of(0x16, ...new Array(1000).fill(0x80))).struct(),
    /too long/,
  )
  assert.throws(() => new ThriftReader(Uint8Array.of(0x19, 0xf8, 0xff, 0xff, 0xff, 0x7f)).struct(), /longer/)
})

test('a page that would fill memory, or never end, is refused before it is decoded', () => {
  const shape = { repetition: 0, definition: 0 }
  const page = (encoding: number, nValues: number): Page => ({
    kind: 'data',
    packed: new Uint8Array(),
    size: 0,
    nValues,
    encoding,
    levels: { repetition: 0, definition: 0 },
    isCompressed: true,
  })
  const judged = (encoding: number, ...bytes: number[]) =>
    judgeContent(page(encoding, 10), Uint8Array.of(...bytes), shape)
  const dictionary = 8
  judged(dictionary, 3, 20, 0) // ten times the same
  assert.throws(() => judged(dictionary, 3, 0xfe, 0xff, 0xff, 0xff, 0x0f, 0), /a run is too long/)
  assert.throws(() => judged(dictionary, 0, 0xff, 0xff, 0xff, 0xff, 0x0f), /a run is too long/)
  assert.throws(() => judged(dictionary, 3, 0, 0), /a run is too long/, 'a run of nothing')
  assert.throws(() => judged(dictionary, 33, 20, 0), /too wide/)
  const delta = 5
  assert.throws(() => judged(delta, 128, 1, 0, 10, 0), /blocks are invalid/, 'no parts')
  assert.throws(() => judged(delta, 128, 1, 4, 10, ...new Array(11).fill(0x80)), /too long/)
  const levels = { ...page(0, 10), levels: { repetition: 0, definition: 6 }, kind: 'dataV2' } as const
  const run = Uint8Array.of(0xfe, 0xff, 0xff, 0xff, 0x0f, 0)
  assert.throws(() => judgeLevels({ ...levels, packed: run }, { repetition: 0, definition: 1 }), /too long/)
})
