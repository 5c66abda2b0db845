/** Asks before hidden text of a folder that is not trusted is shown. */
import * as vscode from 'vscode'
import { localize } from '../../../core/src/internal.ts'
import { showWarning } from '../notice.ts'

/** True if hidden text may be shown: it can hold what an attacker hid for a model, so Restricted Mode asks. */
export async function mayShowHidden(): Promise<boolean> {
  if (vscode.workspace.isTrusted) return true
  const show = localize`Show Hidden Messages`
  const answer = await showWarning(
    localize`Show what is hidden in a transcript that you do not trust?`,
    {
      modal: true,
      detail: localize`You are in Restricted Mode. Instructions, reasoning, tool calls, and replies become visible in this panel until you close it.`,
    },
    show,
  )
  return answer === show
}
