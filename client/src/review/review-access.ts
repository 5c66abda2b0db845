/** How the review file of a dataset is read and appended to. */
export interface ReviewAccess {
  /** Its text; undefined if there is none. */
  read(): Promise<string | undefined>
  /** Appends lines, each with its line break, after whatever others appended. Resolves when they are written. */
  append(lines: string): Promise<void>
}
