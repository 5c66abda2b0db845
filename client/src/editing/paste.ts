/** Offers to paste text that holds control tokens as text: escaped, or as a literal block. */
import * as vscode from 'vscode'
import { pasteTexts } from '../../../core/src/internal.ts'
import type { LiveAnalyses } from './live-analyses.ts'

/** Kinds of pastes, as VS Code knows them from 1.97 on; the types of the oldest version that is supported lack them. */
interface PasteKind {
  append(...parts: string[]): PasteKind
}

interface PasteEdit {
  yieldTo?: readonly PasteKind[]
}

interface PasteApi {
  readonly DocumentDropOrPasteEditKind: { readonly Empty: PasteKind; readonly Text: PasteKind }
  readonly DocumentPasteEdit: new (insertText: string, title: string, kind: PasteKind) => PasteEdit
  readonly languages: {
    registerDocumentPasteEditProvider(
      selector: vscode.DocumentSelector,
      provider: {
        provideDocumentPasteEdits(
          document: vscode.TextDocument,
          ranges: readonly vscode.Range[],
          data: vscode.DataTransfer,
        ): Promise<PasteEdit[]>
      },
      metadata: {
        readonly pasteMimeTypes: readonly string[]
        readonly providedPasteEditKinds: readonly PasteKind[]
      },
    ): vscode.Disposable
  }
}

/** Registers the offers where VS Code has a place for them. */
export function registerPaste(context: vscode.ExtensionContext, analyses: LiveAnalyses): void {
  if (!hasPasteApi(vscode)) return
  const { DocumentDropOrPasteEditKind, DocumentPasteEdit, languages } = vscode as unknown as PasteApi
  const { Empty, Text } = DocumentDropOrPasteEditKind
  const plainKind = Text.append('plain') // VS Code's own; `text` alone would be ours as well
  const escapedKind = Empty.append('text', 'openchatml', 'escaped')
  const literalKind = Empty.append('text', 'openchatml', 'literal')
  const offer = (text: string, title: string, kind: PasteKind) => {
    const edit = new DocumentPasteEdit(text, title, kind)
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
    languages.registerDocumentPasteEditProvider(
      { language: 'openchatml' },
      { provideDocumentPasteEdits },
      { pasteMimeTypes: ['text/plain'], providedPasteEditKinds: [escapedKind, literalKind] },
    ),
  )
}

function hasPasteApi(api: typeof vscode): boolean {
  return 'registerDocumentPasteEditProvider' in api.languages && 'DocumentPasteEdit' in api
}
