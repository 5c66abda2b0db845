/**
 * Reads what Parquet writes in Thrift's compact protocol far enough to judge it before the library reads it: the library trusts
 * lengths, nesting, and the width of integers. Throws RangeError for what is damaged.
 */

/** The whole numbers and structures of a structure, by the number of their field. */
export interface ThriftStruct {
  readonly numbers: ReadonlyMap<number, number>
  readonly structs: ReadonlyMap<number, ThriftStruct>
}

const deepest = 32 // metadata of Parquet nests less than 10 deep
const longestInteger = 10 // bytes of 64 bits, 7 in each

const type = {
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
} as const

/** Reads structures from bytes, one after the other. */
export class ThriftReader {
  readonly #bytes: Uint8Array
  /** Where the next structure begins. */
  at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  /** The structure at {@link at}, which is then after it. Structures in lists are checked, and not returned. */
  struct(): ThriftStruct {
    return this.#struct(0)
  }

  #struct(depth: number): ThriftStruct {
    if (depth > deepest) throw new RangeError('nested too deep')
    const numbers = new Map<number, number>()
    const structs = new Map<number, ThriftStruct>()
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

  #skip(kind: number, depth: number): void {
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

  #list(depth: number): void {
    if (depth > deepest) throw new RangeError('nested too deep')
    const head = this.#byte()
    const size = head >> 4 === 15 ? this.#integer() : head >> 4
    if (size > this.#bytes.length - this.at) throw new RangeError('a list is longer than the data')
    for (let index = 0; index < size; index++) this.#skip(head & 15, depth)
  }

  #integer(): number {
    let value = 0
    for (let nth = 0; nth < longestInteger; nth++) {
      const it = this.#byte()
      value += (it & 0x7f) * 2 ** (7 * nth)
      if (it < 0x80) return value
    }
    throw new RangeError('an integer is too long')
  }

  #byte(): number {
    const it = this.#bytes[this.at++]
    if (it === undefined) throw new RangeError('the data is cut off')
    return it
  }

  #pass(length: number): void {
    this.at += length
    if (this.at > this.#bytes.length) throw new RangeError('the data is cut off')
  }
}

function zigZag(value: number): number {
  return value % 2 === 0 ? value / 2 : -(value + 1) / 2
}
