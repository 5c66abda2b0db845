/** The memory of the vector code that searches bytes. Bytes are copied into it, unless they were read into a part of it. */

const pageSize = 2 ** 16 // bytes
const gap = 64 // bytes before others that are never written, for code that looks back
const exceptionsSize = 2 ** 10 - gap
const copiesSize = 16 * pageSize - 2 ** 10 - gap
const lentSize = 8 * pageSize

/** How many pages the memory has: gap, exceptions, gap, copies, gap, and what is lent. */
export const searchPages = 25

/** Memory that vector code can search. */
export interface SearchMemory {
  /** What the code is given. */
  readonly object: { readonly buffer: ArrayBuffer }
  /** The part for patterns that are passed over. */
  readonly exceptions: Uint8Array
  /** The part that what is searched is copied to. Others may write to both at any time. */
  readonly copies: Uint8Array
}

/** A part of the memory that is lent. */
export interface LentMemory {
  /** What is read into it need not be copied to be searched. */
  readonly bytes: Uint8Array
  /** Ends the loan. The bytes must not be used afterwards. */
  giveBack(): void
}

declare const WebAssembly:
  | {
      readonly Memory: new (size: {
        readonly initial: number
        readonly maximum: number
      }) => SearchMemory['object']
    }
  | undefined

// One memory is enough: searching does not wait for anything.
let memory: { readonly made: SearchMemory | undefined } | undefined
let isLent = false

/** The memory; undefined where the platform has none. */
export function searchMemory(): SearchMemory | undefined {
  memory ??= { made: made() }
  return memory.made
}

/** Lends memory to a reader of bytes that are to be searched; undefined if the platform has none, or if it is lent already. */
export function lendSearchMemory(): LentMemory | undefined {
  const buffer = searchMemory()?.object.buffer
  if (!buffer || isLent) return undefined
  isLent = true
  return {
    bytes: new Uint8Array(buffer, 16 * pageSize + gap, lentSize),
    giveBack() {
      isLent = false
    },
  }
}

function made(): SearchMemory | undefined {
  try {
    if (typeof WebAssembly === 'undefined') return undefined
    const object = new WebAssembly.Memory({ initial: searchPages, maximum: searchPages })
    const { buffer } = object
    return {
      object,
      exceptions: new Uint8Array(buffer, gap, exceptionsSize),
      copies: new Uint8Array(buffer, 2 ** 10 + gap, copiesSize),
    }
  } catch {
    return undefined // a platform that allows none
  }
}
