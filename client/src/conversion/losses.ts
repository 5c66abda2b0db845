/** Reports what a conversion lost: a summary that is not in the way, and on request each place to jump to. */
import * as vscode from 'vscode'
import type { Loss } from '../../../core/src/internal.ts'
import { showWarning } from '../notice.ts'
import { withoutIcons } from '../text-without-links.ts'

/** Something lost, at its place in a document. */
interface LossItem extends vscode.QuickPickItem {
  readonly range: vscode.Range | undefined
}

/**
 * Reports `losses`, if there are any, without waiting for an answer.
 *
 * @param source where the places of losses are; without one, they are reported without places
 */
export function tellLosses(losses: readonly Loss[], source: vscode.TextDocument | undefined): void {
  if (losses.length > 0) void offerDetails(losses, source)
}

async function offerDetails(losses: readonly Loss[], source: vscode.TextDocument | undefined): Promise<void> {
  const { t } = vscode.l10n
  const [first] = losses
  const summary =
    losses.length === 1
      ? t('1 detail of the source is lost: {0}', first?.message ?? '')
      : t('{0} details of the source are lost', losses.length)
  const show = t('Show Details')
  if ((await showWarning(summary, show)) === show) await showLosses(losses, source)
}

/** A list of the losses; the editor goes along from place to place, and back if the list is left. */
async function showLosses(losses: readonly Loss[], source: vscode.TextDocument | undefined): Promise<void> {
  const list = vscode.window.createQuickPick<LossItem>()
  list.title = vscode.l10n.t('What the conversion lost')
  list.matchOnDescription = true
  list.items = losses.map((loss) => itemOf(loss, source))
  list.onDidChangeActive(([item]) => {
    if (source && item?.range) void reveal(source, item.range, { preserveFocus: true })
  })
  list.onDidAccept(() => {
    const [item] = list.activeItems
    list.hide()
    if (source && item?.range) void reveal(source, item.range, { preserveFocus: false })
  })
  list.onDidHide(() => list.dispose())
  list.show()
}

function itemOf({ message, kind, range }: Loss, source: vscode.TextDocument | undefined): LossItem {
  const place =
    source && range && new vscode.Range(source.positionAt(range.start), source.positionAt(range.end))
  return {
    label: withoutIcons(message),
    description: place ? vscode.l10n.t('line {0}', place.start.line + 1) : kind,
    range: place,
  }
}

async function reveal(
  source: vscode.TextDocument,
  selection: vscode.Range,
  { preserveFocus }: { readonly preserveFocus: boolean },
): Promise<void> {
  const shown = vscode.window.visibleTextEditors.find(({ document }) => document === source)
  const viewColumn = shown?.viewColumn ?? vscode.ViewColumn.Active
  await vscode.window.showTextDocument(source, { selection, preserveFocus, viewColumn })
}
