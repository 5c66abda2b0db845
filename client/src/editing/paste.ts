/** Offers to paste text that holds control tokens as text: escaped, or as a literal block. */
import * as vscode from 'vscode'
import { pasteTexts } from '../../../core/src/internal.ts'
import type { LiveAnalyses } from './live-analyses.ts'

/** Registers the offers. */
export function registerPaste(context: vscode.ExtensionContext, analyses: LiveAnalyses): void {
  const { Empty, Text } = vscode.DocumentDropOrPasteEditKind
  const plainKind = Text.append('plain') // VS Code's own; `text` alone would be ours as well
  const escapedKind = Empty.append('text', 'openchatml', 'escaped')
  const literalKind = Empty.append('text', 'openchatml', 'literal')
  const offer = (text: string, title: string, kind: vscode.DocumentDropOrPasteEditKind) => {
    const edit = new vscode.DocumentPasteEdit(text, title, kind)
    edit.yieldTo = [plainKind] // what is pasted is what was copied, unless the user picks an offer
    return edit
  }
  const provideDocumentPasteEdits = async (
    document: vscode.TextDocument,
    ranges: readonly vscode.Range[],
    data: vscode.DataTransfer,
  ) => {
    const text = await data.get('text/plain')?.asString()
    if (!text) return []
    const waysAt = ({ start }: vscode.Range) =>
      pasteTexts(analyses.of(document), document.offsetAt(start), text)
    // What is offered is pasted at every cursor.
    const [ways, ...others] = ranges.map(waysAt)
    if (!ways || others.includes(undefined)) return []
    const offers = [offer(ways.escaped, vscode.l10n.t('Paste with Escaped Tokens'), escapedKind)]
    if (ways.literal !== undefined) {
      offers.push(offer(ways.literal, vscode.l10n.t('Paste as Literal Block'), literalKind))
    }
    return offers
  }
  context.subscriptions.push(
    vscode.languages.registerDocumentPasteEditProvider(
      { language: 'openchatml' },
      { provideDocumentPasteEdits },
      { pasteMimeTypes: ['text/plain'], providedPasteEditKinds: [escapedKind, literalKind] },
    ),
  )
}
