/** Hashes in the files that we write. */

/** A SHA-256 digest as review files and files of edits have it. */
export function hashText(digest: Uint8Array): string {
  return `sha256:${[...digest].map((it) => it.toString(16).padStart(2, '0')).join('')}`
}
