/** Where expectations are: known before any are read. */

/** The file with the expectations of the transcript at `path`: `chat.ocm` has `chat.expected.yaml`. */
export function expectationPath(path: string): string {
  return `${path.replace(/\.ocm$/, '')}.expected.yaml`
}
