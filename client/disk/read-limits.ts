/** What may be read of the files of a workspace, and the results. Types and numbers only, so that browsers have them, too. */

/** What may be read. */
export interface ReadLimits {
  /** The largest file. */
  readonly bytes: number
  /** Folders in which a link may end, besides that of the file; undefined for a file that the user named, which may be anywhere. */
  readonly within: readonly string[] | undefined
  /** True if the folder of the file counts only where it is in one of `within`: for a path that a document names. */
  readonly isConfined?: boolean | undefined
}

/** Milliseconds until a file counts as unreadable: a disk that has to wake up and a file system far away answer in this time. */
export const patience = 5000

/** The largest configuration file, in bytes: a configuration is a page or two. */
export const largestConfiguration = 1_000_000

/** The result. */
export type FileReading =
  | { readonly kind: 'read'; readonly bytes: Uint8Array }
  /** Nothing is there, or a link that leads nowhere. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Why a file was not read. `error` is that of Node. */
export type Refusal =
  | { readonly reason: 'directory' | 'special' | 'outside' | 'late' }
  | { readonly reason: 'too-large'; readonly bytes: number }
  | { readonly reason: 'error'; readonly error: unknown }
