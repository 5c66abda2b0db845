/** The icon on a preview's tab: two speech bubbles. It travels inside the script, so it needs no file next to it. */
import * as vscode from 'vscode'

/** For light and for dark themes. */
export const previewIcon = { light: icon('#424242'), dark: icon('#c5c5c5') }

function icon(colour: string): vscode.Uri {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16" fill="none" stroke="${colour}" stroke-linejoin="round"><path d="M2.5 2.5h8v5.5h-4.500l-2 2v-2h-1.500z"/><path d="M12.500 6h1v5.500h-1.500v2l-2-2h-2.500"/></svg>`
  return vscode.Uri.parse(`data:image/svg+xml;base64,${btoa(svg)}`)
}
