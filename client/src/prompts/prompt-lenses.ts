/** Lenses of filled prompts: the case and the target, to choose others, and the tokens of messages, sections, and tools. */
import * as vscode from 'vscode'
import { shortened } from '../../../core/src/internal.ts'
import { withoutIcons } from '../text-without-links.ts'
import { addressOf, filledScheme } from './filled-address.ts'
import type { FilledPrompts } from './filled-prompts.ts'

const lossesAtMost = 3 // that are shown
const longestHeading = 40 // code units

/** Gives them to the editor. */
export class PromptLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #prompts: FilledPrompts
  readonly onDidChangeCodeLenses: vscode.Event<void>
  readonly #subscription: vscode.Disposable

  constructor(prompts: FilledPrompts) {
    this.#prompts = prompts
    this.onDidChangeCodeLenses = prompts.onDidMeasure
    this.#subscription = vscode.languages.registerCodeLensProvider({ scheme: filledScheme }, this)
  }

  provideCodeLenses(document: vscode.TextDocument): vscode.CodeLens[] {
    const address = addressOf(document.uri)
    if (address?.caseName === undefined) return []
    const { caseName, target, template } = address
    const { t } = vscode.l10n
    const shown = this.#prompts.shownAt(document.uri)
    const top = new vscode.Range(0, 0, 0, 0)
    const lens = (range: vscode.Range, text: string, { icon = '', command = '' } = {}) =>
      new vscode.CodeLens(range, { title: icon + withoutIcons(text), command, arguments: [document.uri] })
    const name = template ? `${target} (${template.path.split('/').at(-1)})` : target
    const lenses = [
      lens(top, t('Case: {0}', caseName), {
        icon: '$(chevron-down) ',
        command: 'openchatml.choosePromptCase',
      }),
      lens(top, t('Target: {0}', name), {
        icon: '$(chevron-down) ',
        command: 'openchatml.choosePromptTarget',
      }),
    ]
    for (const { message } of shown?.view.losses.slice(0, lossesAtMost) ?? [])
      lenses.push(lens(top, t('Lost: {0}', message), { icon: '$(warning) ' }))
    if (!shown?.sizes || shown.view.isRefused) return lenses
    lenses.push(lens(top, t('{0} tokens', shown.sizes.total.toLocaleString())))
    for (const { kind, name: item, start, tokens } of shown.sizes.items) {
      const place = document.positionAt(start)
      const title = t(
        '{0}: {1} tokens',
        kind === 'section' ? `# ${shortened(item, longestHeading)}` : item,
        tokens.toLocaleString(),
      )
      lenses.push(lens(new vscode.Range(place, place), title))
    }
    return lenses
  }

  dispose(): void {
    this.#subscription.dispose()
  }
}
