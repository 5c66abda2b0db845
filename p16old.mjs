// core/src/datasets/sources/parquet.ts
import { parquetMetadata, parquetSchema } from 'hyparquet'
import { assembleNested } from 'hyparquet/src/assemble.js'
import { DEFAULT_PARSERS as DEFAULT_PARSERS2 } from 'hyparquet/src/convert.js'
import { getTreePath } from 'hyparquet/src/schema.js'

// core/src/text/localize.ts
var translations
function localize(strings, ...fillings) {
  const translated = translations?.get(keyOf(strings))
  if (translated !== void 0) return filled(translated, fillings)
  let text = strings[0] ?? ''
  fillings.forEach((it, index) => {
    text += String(it) + (strings[index + 1] ?? '')
  })
  return text
}
var keys
function keyOf(strings) {
  keys ??= /* @__PURE__ */ new WeakMap()
  const known = keys.get(strings)
  if (known !== void 0) return known
  const key = strings.reduce((text, it, index) => `${text}{${index - 1}}${it}`)
  keys.set(strings, key)
  return key
}
function filled(text, fillings) {
  return text.replace(/\{(\d+)\}/g, (place, index) => String(fillings[Number(index)] ?? place))
}

// core/src/datasets/sources/byte-source.ts
var SourceError = class extends Error {
  name = 'SourceError'
}

// core/src/datasets/sources/parquet-codecs.ts
import { Decompress, decompress } from 'fzstd'
import { compressors as packaged } from 'hyparquet-compressors'

var compressors = { ...packaged, ZSTD: unpackZstdPage }
function unpackZstdPage(packed, length) {
  const { content, window } = frameHeader(packed)
  const result = new Uint8Array(length)
  if (content !== void 0) {
    if (content !== length) throw otherLength()
    return decompress(packed, result)
  }
  if (window > largestWindow) throw new RangeError('The window of a page is too large')
  let at = 0
  const stream = new Decompress((bytes) => {
    if (at + bytes.length > length) throw otherLength()
    result.set(bytes, at)
    at += bytes.length
  })
  stream.push(packed, true)
  if (at !== length) throw otherLength()
  return result
}
var largestWindow = 2 ** 27
function otherLength() {
  return new RangeError('A page has another length than its header says')
}
function frameHeader(frame) {
  const [flags = 0, descriptor = 0] = frame.subarray(4)
  const isSingle = (flags & 32) !== 0
  const size = flags >> 6 === 0 ? Number(isSingle) : 1 << (flags >> 6)
  const window = 2 ** (10 + (descriptor >> 3)) * (1 + (descriptor & 7) / 8)
  if (size === 0) return { content: void 0, window }
  const start = 5 + (isSingle ? 0 : 1) + ([0, 1, 2, 4][flags & 3] ?? 0)
  let content = size === 2 ? 256 : 0
  for (let at = 0; at < size; at++) content += (frame[start + at] ?? 0) * 2 ** (8 * at)
  return { content, window }
}

// core/src/datasets/sources/parquet-column.ts
import { parquetHeader, readPage } from 'hyparquet/src/column.js'
import { convert, DEFAULT_PARSERS } from 'hyparquet/src/convert.js'

// core/src/datasets/sources/crc32.ts
var table = new Int32Array(256)
for (let byte = 0; byte < 256; byte++) {
  let it = byte
  for (let bit = 0; bit < 8; bit++) it = (it >>> 1) ^ (it & 1 ? 3988292384 : 0)
  table[byte] = it
}
function crc32(bytes) {
  let sum = -1
  for (let at = 0; at < bytes.length; at++) sum = (sum >>> 8) ^ table[(sum ^ bytes[at]) & 255]
  return ~sum >>> 0
}

// core/src/datasets/sources/parquet-pages.ts
var header = { kind: 1, size: 2, packed: 3, crc: 4, data: 5, dictionary: 7, dataV2: 8 }
var kinds = { 0: 'data', 2: 'dictionary', 3: 'dataV2' }
var encodings = {
  plainDictionary: 2,
  rle: 3,
  delta: 5,
  deltaLength: 6,
  deltaBytes: 7,
  dictionary: 8,
}
var PageError = class extends Error {
  name = 'PageError'
  reason
  constructor(reason) {
    super(reason)
    this.reason = reason
  }
}
function sizesOf({ numbers }) {
  return [count(numbers.get(header.packed)), count(numbers.get(header.size))]
}
function pageIn({ numbers, structs }, packed) {
  const crc = numbers.get(header.crc)
  if (crc !== void 0 && crc32(packed) !== crc >>> 0) throw new PageError('checksum')
  const kind = kinds[numbers.get(header.kind)]
  if (kind) return pageOf(kind, packed, count(numbers.get(header.size)), structs)
  throw new RangeError('unknown page')
}
function pageOf(kind, packed, size, structs) {
  const numbers = structs.get(header[kind])?.numbers ?? /* @__PURE__ */ new Map()
  const nValues = count(numbers.get(1))
  const encoding = count(numbers.get(kind === 'dataV2' ? 4 : 2))
  if (encoding === encodings.deltaBytes) throw new PageError('encoding')
  const page = { kind, packed, size, nValues, encoding }
  if (kind !== 'dataV2') return { ...page, levels: { repetition: 0, definition: 0 }, isCompressed: true }
  const levels = { repetition: count(numbers.get(6)), definition: count(numbers.get(5)) }
  const isWhole = levels.repetition + levels.definition <= Math.min(packed.length, size)
  if (!isWhole || count(numbers.get(2)) > nValues || count(numbers.get(3)) > nValues)
    throw new RangeError('a page contradicts itself')
  return { ...page, levels, isCompressed: numbers.get(7) !== 0 }
}
function count(value) {
  if (value === void 0 || value < 0 || value > 2 ** 31) throw new RangeError('a count is missing or invalid')
  return value
}
function judgeLevels({ kind, packed, nValues, levels }, shape) {
  if (kind !== 'dataV2') return
  const end = levels.repetition + levels.definition
  if (shape.repetition > 0) judgeRuns(packed, 0, levels.repetition, width(shape.repetition), nValues)
  if (shape.definition > 0) judgeRuns(packed, levels.repetition, end, width(shape.definition), nValues)
}
function judgeContent(page, decoded, shape) {
  if (page.kind === 'dictionary') return
  let at = 0
  if (page.kind === 'data') {
    for (const level of [shape.repetition, shape.definition]) {
      if (level === 0) continue
      const length = new DataView(decoded.buffer, decoded.byteOffset, decoded.byteLength).getUint32(at, true)
      at += 4
      if (length > decoded.length - at) throw new RangeError('levels are cut off')
      judgeRuns(decoded, at, at + length, width(level), page.nValues)
      at += length
    }
  }
  switch (page.encoding) {
    case encodings.plainDictionary:
    case encodings.dictionary: {
      if (at >= decoded.length) return
      const bits = decoded[at] ?? 0
      if (bits > 32) throw new RangeError('an index is too wide')
      judgeRuns(decoded, at + 1, decoded.length, bits, page.nValues)
      break
    }
    case encodings.rle:
      judgeRuns(decoded, at + 4, decoded.length, 1, page.nValues)
      break
    case encodings.delta:
    case encodings.deltaLength:
      judgeDeltas(decoded, at, page.nValues)
      break
    default:
  }
}
function judgeRuns(bytes, from, end, bits, nValues) {
  const cursor = { bytes, at: from }
  for (let seen = 0; seen < nValues && cursor.at < end; ) {
    const head = varint(cursor, 5)
    if (head > 2 ** 32 - 1) throw new RangeError('a run is too long')
    const isPacked = head % 2 === 1
    const length = Math.floor(head / 2) * (isPacked ? 8 : 1)
    const nBytes = isPacked ? (length / 8) * bits : Math.ceil(bits / 8)
    const isFilledUp = isPacked && bits > 0 && nBytes <= end - cursor.at
    if (length === 0 || (length > nValues - seen + (isPacked ? 7 : 0) && !isFilledUp))
      throw new RangeError('a run is too long')
    cursor.at += nBytes
    seen += length
  }
}
function judgeDeltas(bytes, from, nValues) {
  const cursor = { bytes, at: from }
  const [block, nParts, total] = [varint(cursor, 5), varint(cursor, 5), varint(cursor, 5)]
  varint(cursor, 10)
  const part = block / nParts
  if (!Number.isInteger(part) || part % 8 !== 0 || part === 0 || block > 2 ** 16 || total > nValues)
    throw new RangeError('blocks are invalid')
  for (let seen = 1; seen < total; ) {
    varint(cursor, 10)
    const widths = bytes.subarray(cursor.at, cursor.at + nParts)
    if (widths.length < nParts) throw new RangeError('a block is cut off')
    cursor.at += nParts
    for (let nth = 0; nth < nParts && seen < total; nth++) {
      if ((widths[nth] ?? 0) > 64) throw new RangeError('a difference is too wide')
      cursor.at += (part * (widths[nth] ?? 0)) / 8
      seen += part
    }
  }
}
function varint(cursor, longest) {
  let value = 0
  for (let nth = 0; nth < longest; nth++) {
    const it = cursor.bytes[cursor.at++]
    if (it === void 0) throw new RangeError('a number is cut off')
    value += (it & 127) * 2 ** (7 * nth)
    if (it < 128) return value
  }
  throw new RangeError('a number is too long')
}
function width(most) {
  return 32 - Math.clz32(most)
}

// core/src/datasets/sources/parquet-thrift.ts
var deepest = 32
var longestInteger = 10
var type = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  struct: 12,
}
var ThriftReader = class {
  #bytes
  /** Where the next structure begins. */
  at
  constructor(bytes, at = 0) {
    this.#bytes = bytes
    this.at = at
  }
  /** The structure at {@link at}, which is then after it. Structures in lists are checked, and not returned. */
  struct() {
    return this.#struct(0)
  }
  #struct(depth) {
    if (depth > deepest) throw new RangeError('nested too deep')
    const numbers = /* @__PURE__ */ new Map()
    const structs = /* @__PURE__ */ new Map()
    for (let id = 0; ; ) {
      const head = this.#byte()
      const kind = head & 15
      if (kind === type.stop) return { numbers, structs }
      id = head >> 4 === 0 ? zigZag(this.#integer()) : id + (head >> 4)
      if (kind === type.i16 || kind === type.i32 || kind === type.i64)
        numbers.set(id, zigZag(this.#integer()))
      else if (kind === type.true || kind === type.false) numbers.set(id, kind === type.true ? 1 : 0)
      else if (kind === type.struct) structs.set(id, this.#struct(depth + 1))
      else this.#skip(kind, depth)
    }
  }
  #skip(kind, depth) {
    switch (kind) {
      case type.true:
      case type.false:
      case type.byte:
        this.#pass(1)
        break
      case type.i16:
      case type.i32:
      case type.i64:
        this.#integer()
        break
      case type.double:
        this.#pass(8)
        break
      case type.binary:
        this.#pass(this.#integer())
        break
      case type.struct:
        this.#struct(depth + 1)
        break
      case type.list:
        this.#list(depth + 1)
        break
      default:
        throw new RangeError('unknown type')
    }
  }
  #list(depth) {
    if (depth > deepest) throw new RangeError('nested too deep')
    const head = this.#byte()
    const size = head >> 4 === 15 ? this.#integer() : head >> 4
    if (size > this.#bytes.length - this.at) throw new RangeError('a list is longer than the data')
    for (let index = 0; index < size; index++) this.#skip(head & 15, depth)
  }
  #integer() {
    let value = 0
    for (let nth = 0; nth < longestInteger; nth++) {
      const it = this.#byte()
      value += (it & 127) * 2 ** (7 * nth)
      if (it < 128) return value
    }
    throw new RangeError('an integer is too long')
  }
  #byte() {
    const it = this.#bytes[this.at++]
    if (it === void 0) throw new RangeError('the data is cut off')
    return it
  }
  #pass(length) {
    this.at += length
    if (this.at > this.#bytes.length) throw new RangeError('the data is cut off')
  }
}
function zigZag(value) {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}

// core/src/datasets/sources/parquet-file.ts
var largestFooter = 64 * 2 ** 20
async function guarded(work, row) {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ReadFailure) throw error.cause
    if (error instanceof SourceError) throw error
    throw error instanceof PageError ? pageFailure(error, row ?? 0) : damaged(row)
  }
}
var ReadFailure = class extends Error {
  name = 'ReadFailure'
}
function pageFailure({ reason }, row) {
  return new SourceError(
    reason === 'checksum'
      ? localize`the Parquet file is damaged: a checksum differs, from row ${row} on`
      : localize`the Parquet file uses the encoding DELTA_BYTE_ARRAY, which is not supported`,
  )
}
function damaged(row) {
  return new SourceError(
    row === void 0
      ? localize`the Parquet file is damaged`
      : localize`the Parquet file is damaged, from row ${row} on`,
  )
}
async function footerOf(file2) {
  const tail = await readExactly(file2, file2.size - 8, 8)
  const isEncrypted = tail[4] === 80 && tail[5] === 65 && tail[6] === 82 && tail[7] === 69
  if (isEncrypted) throw new SourceError(localize`the Parquet file is encrypted`)
  if (tail[4] !== 80 || tail[5] !== 65 || tail[6] !== 82 || tail[7] !== 49)
    throw new SourceError(localize`the Parquet file is cut off: its footer is missing`)
  const length = new DataView(tail.buffer, tail.byteOffset).getUint32(0, true)
  if (length > file2.size - 12) throw damaged()
  if (length > largestFooter) {
    const most = largestFooter / 2 ** 20
    throw new SourceError(
      localize`the footer of the Parquet file is larger than ${most} MB, which is the limit`,
    )
  }
  const footer = await readExactly(file2, file2.size - 8 - length, length + 8)
  new ThriftReader(footer.subarray(0, length)).struct()
  return footer
}
async function readExactly({ size, read }, start, length) {
  if (start < 4 || length < 0 || start + length > size) throw damaged()
  const bytes = await read({ start, end: start + length }).catch((cause) => {
    throw new ReadFailure('read', { cause })
  })
  if (bytes.length < length) throw new SourceError(localize`the file became shorter while it was read`)
  return bytes
}

// core/src/datasets/utf8.ts
function validUtf8Length(bytes) {
  let at = 0
  while (at < bytes.length) {
    const lead = bytes[at]
    if (lead < 128) {
      at++
      continue
    }
    const length = lead >= 240 ? 4 : lead >= 224 ? 3 : 2
    if (lead < 194 || lead > 244 || !isIn(bytes[at + 1], secondBytes[lead] ?? continuation)) return at
    for (let nth = 2; nth < length; nth++) if (!isIn(bytes[at + nth], continuation)) return at
    at += length
  }
  return at
}
var continuation = [128, 191]
var secondBytes = {
  224: [160, 191],
  237: [128, 159],
  240: [144, 191],
  244: [128, 143],
}
function isIn(it, [least, most]) {
  return it !== void 0 && least <= it && it <= most
}

// core/src/datasets/sample-text.ts
function bytesAsText(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return void 0
  }
}

// core/src/datasets/sources/parquet-json.ts
var JsonText = class {
  text
  constructor(text) {
    this.text = text
  }
}
var ColumnText = class {
  bytes
  constructor(bytes) {
    this.bytes = bytes
  }
  /** For keys of maps. */
  toString() {
    return bytesAsText(this.bytes) ?? ''
  }
}
var RowError = class extends Error {
  name = 'RowError'
  reason
  constructor(reason) {
    super(reason)
    this.reason = reason
  }
}
var columnParsers = {
  timestampFromMilliseconds: (it) => timeText(it, 3),
  timestampFromMicroseconds: (it) => timeText(it, 6),
  timestampFromNanoseconds: (it) => timeText(it, 9),
  dateFromDays: (days) => dateText(days * millisecondsOfDay)?.slice(0, -'T00:00:00.000Z'.length) ?? days,
  stringFromBytes: (bytes) => bytes && new ColumnText(bytes),
  jsonFromBytes(bytes) {
    const text = bytes && bytesAsText(bytes)
    if (text === void 0) return bytes && new ColumnText(bytes)
    try {
      JSON.parse(text)
      return new JsonText(text.replaceAll(/[\r\n]/g, ' '))
    } catch {
      return text
    }
  },
}
var millisecondsOfDay = 864e5
function timeText(time, digits) {
  const unit = 10n ** BigInt(digits)
  const fraction = ((time % unit) + unit) % unit
  const seconds = (time - fraction) / unit
  const text = dateText(Number(seconds) * 1e3)
  if (text === void 0) return time
  const shown = fraction === 0n ? '' : `.${withoutLastZeros(String(fraction).padStart(digits, '0'))}`
  return `${text.slice(0, -'.000Z'.length)}${shown}Z`
}
function withoutLastZeros(digits) {
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, end)
}
function dateText(milliseconds) {
  const date = new Date(milliseconds)
  return Number.isNaN(date.getTime()) ? void 0 : date.toISOString()
}
var encoder = new TextEncoder()
var usualBuffer = 2 ** 19
var mostKeys = 1e4
var RowWriter = class {
  #longest
  #bytes = new Uint8Array(usualBuffer)
  #length = 0
  /** Where the row that is being written begins. */
  #start = 0
  #keys = /* @__PURE__ */ new Map()
  /** @param longest bytes of a row */
  constructor(longest) {
    this.#longest = longest
  }
  /** Bytes of rows that are written, and not taken. */
  get length() {
    return this.#length
  }
  /** The rows that are written, in bytes of their own: readers hold them while the next ones are written. */
  take() {
    const bytes = this.#bytes.slice(0, this.#length)
    if (this.#bytes.length > 4 * usualBuffer) this.#bytes = new Uint8Array(usualBuffer)
    this.#length = 0
    return bytes
  }
  /** Adds a row: the members that are not null, as an object. @throws RowError if it is not added */
  add(members) {
    this.#start = this.#length
    try {
      this.#object(members)
      this.#byte(10)
    } catch (error) {
      this.#length = this.#start
      throw error
    }
  }
  #object(members) {
    this.#byte(123)
    let isFirst = true
    for (const [key, value] of members) {
      if (value === null || value === void 0) continue
      if (!isFirst) this.#byte(44)
      isFirst = false
      this.#key(key)
      this.#value(value)
    }
    this.#byte(125)
  }
  #value(value) {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        this.#json(JSON.stringify(value))
        return
      case 'number':
        this.#json(Number.isFinite(value) ? numberText(value) : JSON.stringify(String(value)))
        return
      case 'bigint':
        this.#json(String(value))
        return
      case 'object':
        this.#structure(value)
        return
      default:
        this.#json('null')
    }
  }
  #structure(value) {
    if (value === null) this.#json('null')
    else if (value instanceof ColumnText) {
      if (!this.#text(value.bytes)) throw new RowError('not-utf8')
    } else if (value instanceof JsonText) this.#json(value.text)
    else if (value instanceof Uint8Array) this.#textOrBase64(value)
    else if (Array.isArray(value) || ArrayBuffer.isView(value)) this.#list(value)
    else if (value instanceof Date) this.#json(JSON.stringify(value))
    else this.#object(Object.entries(value))
  }
  #list(values) {
    this.#byte(91)
    for (let index = 0; index < values.length; index++) {
      if (index > 0) this.#byte(44)
      const it = values[index]
      if (it === void 0) this.#json('null')
      else this.#value(it)
    }
    this.#byte(93)
  }
  #textOrBase64(bytes) {
    const before = this.#length
    if (this.#text(bytes)) return
    this.#length = before
    this.#json(JSON.stringify(base64(bytes)))
  }
  #key(key) {
    let bytes = this.#keys.get(key)
    if (!bytes) {
      bytes = encoder.encode(`${JSON.stringify(key)}:`)
      if (this.#keys.size < mostKeys) this.#keys.set(key, bytes)
    }
    this.#raw(bytes)
  }
  #json(text) {
    if (text.length > 64) {
      this.#raw(encoder.encode(text))
      return
    }
    const before = this.#length
    this.#reserve(text.length)
    for (let index = 0; index < text.length; index++) {
      const it = text.charCodeAt(index)
      if (it >= 128) {
        this.#length = before
        this.#raw(encoder.encode(text))
        return
      }
      this.#bytes[this.#length++] = it
    }
  }
  /** Writes a text in UTF-8 as a string; false if it is not UTF-8. Stretches without escapes are copied at once: texts are most of a file. */
  #text(text) {
    this.#byte(34)
    let all = 0
    for (let from = 0; from < text.length; ) {
      const start = from
      let it = 0
      while (from < text.length) {
        it = text[from]
        if (isEscaped[it] === 1) break
        all |= it
        from++
      }
      if (start < from) this.#raw(start === 0 && from === text.length ? text : text.subarray(start, from))
      if (from === text.length) break
      this.#json(escapes[it] ?? `\\u00${it.toString(16).padStart(2, '0')}`)
      from++
    }
    this.#byte(34)
    return all < 128 || validUtf8Length(text) === text.length
  }
  #raw(bytes) {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }
  #byte(it) {
    this.#reserve(1)
    this.#bytes[this.#length++] = it
  }
  /** Makes room for `length` more bytes. */
  #reserve(length) {
    const wanted = this.#length + length
    if (wanted - this.#start > this.#longest + 1) throw new RowError('too-long')
    if (wanted <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(wanted, 2 * this.#bytes.length))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
var escapes = {
  8: '\\b',
  9: '\\t',
  10: '\\n',
  12: '\\f',
  13: '\\r',
  34: '\\"',
  92: '\\\\',
}
function numberText(value) {
  return Object.is(value, -0) ? '-0' : String(value)
}
var digits64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
function base64(bytes) {
  const parts = []
  for (let at = 0; at < bytes.length; at += 3) {
    const [one = 0, two, three] = bytes.subarray(at, at + 3)
    const word = (one << 16) | ((two ?? 0) << 8) | (three ?? 0)
    const digit = (shift) => digits64[(word >> shift) & 63] ?? ''
    parts.push(
      digit(18) + digit(12) + (two === void 0 ? '=' : digit(6)) + (three === void 0 ? '=' : digit(0)),
    )
  }
  return parts.join('')
}
var isEscaped = Uint8Array.from({ length: 256 }, (_, it) => Number(it < 32 || it in escapes))

// core/src/datasets/sources/parquet-column.ts
var longestHeader = 2 ** 24
var objectsOfList = 4
var codec = 'of the file'
var ParquetColumn = class {
  #bytes
  #shape
  #decoder
  #nValues
  #hold
  #dictionary
  /** The page that is being decoded. */
  #page
  /** Rows from `#head` on are not taken yet; the last one goes on in the next page if values repeat. */
  #rows = []
  #head = 0
  /** Pages whose rows are not all taken: the number of rows up to their end, in `#rows`. */
  #held = []
  #nSeen = 0
  constructor(file2, { schemaPath, column, unpack, readAhead: readAhead2, hold }) {
    const start = Number(column.dictionary_page_offset || column.data_page_offset)
    this.#bytes = new ChunkBytes(file2, start, start + Number(column.total_compressed_size), readAhead2)
    this.#shape = shapeOf(schemaPath)
    this.#nValues = Number(column.num_values)
    this.#hold = hold
    const leaf = schemaPath.at(-1)
    if (!leaf) throw new RangeError('a column is not in the schema')
    this.#decoder = {
      pathInSchema: column.path_in_schema,
      type: column.type,
      element: leaf.element,
      schemaPath: [...schemaPath],
      codec,
      parsers: { ...DEFAULT_PARSERS, ...columnParsers },
      compressors: {
        [codec]: (packed, size) => {
          const decoded = unpack(packed, size)
          if (!this.#page || decoded.length !== size) throw new RangeError('a page has another length')
          judgeContent(this.#page, decoded, this.#shape)
          return decoded
        },
      },
      utf8: false,
    }
  }
  /** True if all pages are read. */
  get isAtEnd() {
    return this.#bytes.left <= 1
  }
  /** Rows that are complete, and not taken. */
  get nRows() {
    const isLastOpen = this.#shape.repetition > 0 && !this.isAtEnd && this.#rows.length > this.#head
    return this.#rows.length - this.#head - Number(isLastOpen)
  }
  /** Decodes the next page. @throws RangeError, PageError, SourceError */
  async readOn() {
    const header2 = await this.#header()
    const [packedSize, size] = sizesOf(header2.struct)
    this.#hold({ bytes: Math.max(packedSize, size), values: 0 })
    const packed = await this.#bytes.take(packedSize)
    const page = pageIn(header2.struct, packed)
    const values = page.nValues * (1 + objectsOfList * this.#shape.repetition)
    this.#hold({ bytes: size - Math.max(packedSize, size), values })
    if (page.nValues === 0 && page.kind !== 'dictionary') return
    judgeLevels(page, this.#shape)
    const { repetition, definition } = page.levels
    if (!page.isCompressed) judgeContent(page, packed.subarray(repetition + definition), this.#shape)
    this.#page = page
    const isNested = this.#shape.repetition > 0
    const { data } = readPage(
      readerOf(packed),
      parquetHeader(readerOf(header2.bytes)),
      this.#decoder,
      this.#dictionary,
      isNested ? this.#rows : void 0,
      0,
    )
    this.#page = void 0
    if (page.kind === 'dictionary') {
      this.#dictionary = convert(data ?? [], this.#decoder)
      return
    }
    this.#nSeen += page.nValues
    if (data && data !== this.#rows) for (const it of data) this.#rows.push(it)
    this.#held.push({ end: this.#rows.length, bytes: size, values })
    if (this.isAtEnd && this.#nSeen !== this.#nValues) throw new RangeError('values are missing')
  }
  /** The next `count` rows, which are complete. */
  take(count2) {
    const end = this.#head + count2
    const rows = this.#rows.slice(this.#head, end)
    this.#head = end
    while (this.#held[0] && this.#held[0].end <= end) {
      const { bytes, values } = this.#held.shift()
      this.#hold({ bytes: -bytes, values: -values })
    }
    if (this.#head > this.#rows.length / 2) {
      this.#rows = this.#rows.slice(this.#head)
      for (const it of this.#held) it.end -= this.#head
      this.#head = 0
    }
    return rows
  }
  /** The header of the next page, which is passed, and the bytes of the page that follow it. */
  async #header() {
    for (let length = usualHeader; ; length *= 16) {
      const bytes = await this.#bytes.peek(length)
      const reader = new ThriftReader(bytes)
      const struct = attempt(() => reader.struct())
      if (struct) {
        await this.#bytes.take(reader.at)
        return { bytes, struct }
      }
      if (bytes.length < length || length >= longestHeader) throw new RangeError('a page header is damaged')
    }
  }
}
function readerOf({ buffer, byteOffset, byteLength }) {
  return { view: new DataView(buffer, byteOffset, byteLength), offset: 0 }
}
var usualHeader = 256
function attempt(read) {
  try {
    return read()
  } catch (error) {
    if (error instanceof RangeError) return void 0
    throw error
  }
}
function shapeOf(path) {
  let [repetition, definition] = [0, 0]
  for (const { element } of path.slice(1)) {
    if (element.repetition_type === 'REPEATED') repetition++
    if (element.repetition_type !== 'REQUIRED') definition++
  }
  return { repetition, definition }
}
var slice = 2 ** 22
var ChunkBytes = class {
  #file
  #end
  #readAhead
  #at
  /** What is read from `#at` on. */
  #bytes = new Uint8Array()
  constructor(file2, start, end, readAhead2) {
    if (start < 4 || end < start || end > file2.size) throw new RangeError('a column is outside of the file')
    this.#file = file2
    this.#at = start
    this.#end = end
    this.#readAhead = readAhead2
  }
  /** Bytes that are not taken yet. */
  get left() {
    return this.#end - this.#at
  }
  /** The next bytes; fewer than `length` only at the end. */
  async peek(length) {
    const wanted = Math.min(length, this.left)
    if (this.#bytes.length < wanted) {
      const end = Math.min(this.#end, this.#at + Math.max(wanted, this.#readAhead))
      const joined = new Uint8Array(end - this.#at)
      joined.set(this.#bytes)
      for (let at = this.#bytes.length; at < joined.length; at += slice)
        joined.set(await readExactly(this.#file, this.#at + at, Math.min(slice, joined.length - at)), at)
      this.#bytes = joined
    }
    return this.#bytes.subarray(0, wanted)
  }
  /** The next bytes, which are then passed. @throws RangeError if there are fewer */
  async take(length) {
    if (length > this.left) throw new RangeError('a column is cut off')
    const bytes = await this.peek(length)
    this.#at += length
    const rest = this.#bytes.subarray(length)
    this.#bytes = rest.length < length ? rest.slice() : rest
    return bytes
  }
}

// core/src/datasets/sources/parquet.ts
var mostHeld = 512 * 2 ** 20
var mostValues = 2 ** 25
var mostColumns = 1e4
var rowsAtOnce = 1 << 12
var readAhead = 1 << 20
var mostReadAhead = 1 << 25
var linesAtOnce = 1 << 18
async function* parquetLines(file2, longest) {
  const metadata = await guarded(async () => {
    const footer = await footerOf(file2)
    return parquetMetadata(footer, { parsers: columnParsers, geoparquet: false })
  })
  const columns = columnsOf(metadata)
  const schema = await guarded(async () => parquetSchema(metadata))
  const writer = new RowWriter(longest)
  let row = 0
  try {
    for (const group of metadata.row_groups) {
      const end = row + Number(group.num_rows)
      const rows = await guarded(async () => new GroupRows(file2, group, schema, row), row)
      while (row < end) {
        const { count: count2, cells } = await guarded(() => rows.next(row, end - row), row)
        for (let index = 0; index < count2; index++) {
          const members = columns.map(({ name, show }) => [name, show(cells.get(name)?.[index])])
          try {
            writer.add(members)
          } catch (error) {
            if (!(error instanceof RowError)) throw error
            if (writer.length > 0) yield writer.take()
            yield* error.reason === 'not-utf8' ? [notUtf8] : tooLong(longest)
          }
          if (writer.length >= linesAtOnce) yield writer.take()
        }
        row += count2
      }
      await guarded(() => rows.assertEnd(), row)
    }
  } catch (error) {
    if (writer.length > 0) yield writer.take()
    throw error
  }
  if (writer.length > 0) yield writer.take()
}
var notUtf8 = Uint8Array.of(34, 255, 34, 10)
function* tooLong(longest) {
  const part = new Uint8Array(2 ** 20).fill(34)
  for (let length = 0; length <= longest; length += part.length) yield part
  yield Uint8Array.of(10)
}
function columnsOf({ schema }) {
  if (schema.length > mostColumns)
    throw new SourceError(localize`the Parquet file has more than ${mostColumns} columns, which is the limit`)
  const columns = []
  const open = []
  for (const element of schema) {
    const parent = open.at(-1)
    if (parent) {
      const { name } = element
      if (parent.names.has(name))
        throw new SourceError(localize`the Parquet file has two columns with the same name`)
      if (name === '__proto__')
        throw new SourceError(localize`the Parquet file has a column named \`${name}\``)
      parent.names.add(name)
      parent.left--
      if (open.length === 1) columns.push({ name, show: shownBy(element) })
    }
    open.push({ left: element.num_children ?? 0, names: /* @__PURE__ */ new Set() })
    while (open.at(-1)?.left === 0) open.pop()
  }
  return columns
}
function shownBy({ converted_type, logical_type, scale, num_children }) {
  if (!num_children && converted_type === 'DECIMAL')
    return (value) => (typeof value === 'number' ? Number(value.toFixed(Math.min(100, scale ?? 0))) : value)
  if (logical_type?.type === 'TIMESTAMP' && !logical_type.isAdjustedToUTC)
    return (value) => (typeof value === 'string' ? value.replace(/Z$/, '') : value)
  return (value) => value
}
var GroupRows = class {
  #schema
  /** By path. */
  #columns = /* @__PURE__ */ new Map()
  #held = { bytes: 0, values: 0 }
  #row
  /** @throws SourceError, RangeError */
  constructor(file2, group, schema, row) {
    this.#schema = schema
    this.#row = row
    const ahead = Math.min(readAhead, Math.floor(mostReadAhead / Math.max(1, group.columns.length)))
    for (const { meta_data: column, file_path } of group.columns) {
      if (file_path) throw new SourceError(localize`the Parquet file has columns in other files`)
      if (!column) throw new SourceError(localize`the Parquet file is encrypted`)
      const { codec: codec2, path_in_schema } = column
      const unpack = codec2 === 'UNCOMPRESSED' ? (page) => page : compressors[codec2]
      if (!unpack)
        throw new SourceError(
          localize`the Parquet file uses the compression ${codec2 ?? '?'}, which is not supported`,
        )
      const schemaPath = getTreePath(schema, path_in_schema)
      const hold = (change) => this.#hold(change)
      const reading = { schemaPath, column, unpack, readAhead: ahead, hold }
      this.#columns.set(path_in_schema.join('.'), new ParquetColumn(file2, reading))
    }
  }
  /** The next rows, from `row` on: one at least, and `most` at most. @throws RangeError, PageError, SourceError */
  async next(row, most) {
    this.#row = row
    let count2 = Math.min(most, rowsAtOnce)
    for (const column of this.#columns.values()) {
      while (column.nRows === 0) {
        if (column.isAtEnd) throw new RangeError('rows are missing')
        await column.readOn()
      }
      count2 = Math.min(count2, column.nRows)
    }
    const taken = new Map([...this.#columns].map(([path, column]) => [path, column.take(count2)]))
    for (const child of this.#schema.children)
      if (child.children.length > 0) assembleNested(taken, child, { ...DEFAULT_PARSERS2, ...columnParsers })
    if (this.#schema.children.some(({ element }) => taken.get(element.name)?.length !== count2))
      throw new RangeError('rows are missing')
    return { count: count2, cells: taken }
  }
  /** All rows are read. @throws RangeError if a column has more */
  async assertEnd() {
    for (const column of this.#columns.values()) {
      while (!column.isAtEnd) await column.readOn()
      if (column.nRows > 0) throw new RangeError('a column has more rows')
    }
  }
  #hold({ bytes, values }) {
    this.#held.bytes += bytes
    this.#held.values += values
    if (this.#held.bytes <= mostHeld && this.#held.values <= mostValues) return
    const most = mostHeld / 2 ** 20
    throw new SourceError(
      localize`the Parquet file needs more than ${most} MB for the pages from row ${this.#row} on, which is the limit`,
    )
  }
}

// ../../../tmp/p16/micro.ts
import { readFileSync } from 'node:fs'

var file = new Uint8Array(readFileSync('/tmp/p16/a.parquet'))
var random = { size: file.length, read: async ({ start, end }) => file.subarray(start, end) }
for (let i = 0; i < 6; i++) {
  const c = process.cpuUsage()
  let n = 0
  for await (const ch of parquetLines(random, 1e8)) n += ch.length
  const u = process.cpuUsage(c)
  console.log(n, ((u.user + u.system) / 1e3) | 0)
}
