/** Links that a reader clicked. They are words of a model or of a stranger, so nothing opens without a question. */

import * as vscode from 'vscode'
import { localize } from '../../../core/src/internal.ts'
import { showInformation } from '../notice.ts'

const webSchemes: ReadonlySet<string> = new Set(['http', 'https'])

/** Opens a web or mail address outside the editor; anything else is ignored. */
export async function openLink(href: string): Promise<void> {
  const uri = linkTarget(href)
  if (!uri) return
  // For web addresses the editor itself shows the address and asks, unless the user trusts the domain.
  if (webSchemes.has(uri.scheme) || (await isConfirmed(href))) await vscode.env.openExternal(uri)
}

function linkTarget(href: string): vscode.Uri | undefined {
  if (!/^(https?:\/\/|mailto:)/i.test(href)) return undefined
  try {
    return vscode.Uri.parse(href, true)
  } catch {
    return undefined // such as `http:////a`
  }
}

async function isConfirmed(href: string): Promise<boolean> {
  const open = localize`Open`
  const answer = await showInformation(
    localize`Open this link outside the editor?`,
    { modal: true, detail: href },
    open,
  )
  return answer === open
}
