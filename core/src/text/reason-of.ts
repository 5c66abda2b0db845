/** What `error` says, to be shown after what failed; unlike `failureText`, it may quote what was read, so it is not for logs. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
