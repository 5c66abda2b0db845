/** The edits of a whole document that one answer has: where there are more, it says so, and asking again goes on after them. */
import { localize, type TextEdit } from '../../core/src/internal.ts'
import { collect, type Job } from './scheduler.ts'
import type { ServerContext } from './server-context.ts'

/** More edits take editors seconds to apply, and hundreds of megabytes on the way to them. */
export const editsAtMost = 20_000

/** The first of `edits`, in order of the text; a client learns if there are more. */
export async function firstEdits(
  edits: Iterable<TextEdit>,
  job: Job & { readonly context: ServerContext },
): Promise<readonly TextEdit[]> {
  const { items, isComplete } = await collect(edits, job, editsAtMost)
  if (!isComplete)
    job.context.tell(
      localize`Only the first ${editsAtMost} places are changed at once. Run the command again to change the others.`,
    )
  return items
}
