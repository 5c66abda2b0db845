/** What a page does with changes, with a list in place of elements. */
import type { PageChange } from '../../client/src/preview/preview-protocol.ts'

/** `messages` after `changes`. The page does the same with elements. */
export function applyChanges<Shown extends { readonly id: string }>(
  messages: readonly Shown[],
  changes: readonly PageChange<Shown>[],
): Shown[] {
  const result = [...messages]
  const indexOf = (id: string) => result.findIndex((message) => message.id === id)
  for (const change of changes) {
    switch (change.kind) {
      case 'remove':
        result.splice(indexOf(change.id), 1)
        break
      case 'insert':
        result.splice(change.after === undefined ? 0 : indexOf(change.after) + 1, 0, change.message)
        break
      case 'replace':
        result[indexOf(change.message.id)] = change.message
        break
      default:
        change satisfies never
    }
  }
  return result
}
