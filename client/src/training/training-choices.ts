/** What training views are rendered by: the reader's choice, remembered per workspace, the settings, or what is found there. */
import * as vscode from 'vscode'
import {
  type EditableSample,
  harmonyTemplateName,
  localizable,
  localize,
  localized,
  type MaskMode,
  maskModes,
  type Range,
  type RenderingRequest,
  type TemplateProblem,
  withLineFeeds,
} from '../../../core/src/internal.ts'
import type { TrainingChoiceName } from '../preview/preview-protocol.ts'
import type { SampleRendering, TrainingAccess, TrainingSetup } from '../preview/training-source.ts'
import { withoutIcons } from '../text-without-links.ts'
import type { ReadWorkspaceFile } from '../workspace-files.ts'
import {
  foundModelFiles,
  foundTemplates,
  modelFileName,
  modelFiles,
  modificationOf,
  readTemplate,
  readTokenizer,
  templateFileAt,
  tokenizerFileAt,
} from './model-files.ts'
import { TemplateMarks } from './template-marks.ts'
import type { AskForRendering } from './training-server.ts'
import { changedTrainingSettings, type TokenizerName, trainingSettings } from './training-settings.ts'

/** Where a choice is kept in the state of the workspace. */
const stateKey = 'openchatml.training'

const builtInTokenizer = 'o200k_harmony' satisfies TokenizerName
const noTokenizer = 'characters' satisfies TokenizerName

/** What the reader chose; what is absent is set or found. */
interface Chosen {
  /** `harmony`, or the address of a file. */
  readonly template?: string
  /** `o200k_harmony`, `characters`, or the address of a `tokenizer.json`. */
  readonly tokenizer?: string
  readonly mask?: MaskMode
  readonly maxLength?: number
}

/** What choices need of others. */
export interface ChoicesOptions {
  readonly readFile: ReadWorkspaceFile
  readonly render: AskForRendering
  readonly sampleOf: (uri: vscode.Uri) => EditableSample | undefined
}

type Setup = TrainingSetup & { readonly tokenizer: vscode.Uri | typeof builtInTokenizer | undefined }

const masks: Readonly<Record<MaskMode, string>> = {
  template: localizable`What the template marks with {% generation %}`,
  assistant: localizable`What each assistant message adds to the rendering`,
  last: localizable`The last assistant message only`,
  completion: localizable`Everything after the last message that is not from the assistant`,
  all: localizable`Everything`,
}

/** The choices of a workspace. */
export class TrainingChoices implements TrainingAccess<vscode.Uri>, vscode.Disposable {
  readonly #state: vscode.Memento
  readonly #options: ChoicesOptions
  readonly #changed = new vscode.EventEmitter<void>()
  readonly #watcher = vscode.workspace.createFileSystemWatcher(modelFiles)
  readonly #subscriptions: vscode.Disposable[]
  #setup:
    | Promise<Setup | { readonly kind: 'failed'; readonly message: string; readonly setup: Setup }>
    | undefined
  /** The text of the template, as it is rendered. */
  #source: string | undefined
  #failure: TemplateProblem | undefined
  /** The parts of the template that wrote what the reader points at, as long as that is shown. */
  #pointed: readonly Range[] = []
  readonly #marks = new TemplateMarks()
  /** Fired when views have to be rendered again. */
  readonly onChanged = this.#changed.event

  constructor(state: vscode.Memento, options: ChoicesOptions) {
    this.#state = state
    this.#options = options
    this.#subscriptions = [
      this.#changed,
      this.#marks,
      this.#watcher,
      this.#watcher.onDidChange(() => this.#renew()),
      this.#watcher.onDidCreate(() => this.#renew()),
      this.#watcher.onDidDelete(() => this.#renew()),
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#renew()),
      vscode.workspace.onDidChangeConfiguration((event) => void this.#takeSettings(event)),
    ]
  }

  dispose(): void {
    for (const it of this.#subscriptions) it.dispose()
  }

  sampleOf(uri: vscode.Uri): EditableSample | undefined {
    return this.#options.sampleOf(uri)
  }

  setup(_: vscode.Uri, isFirst: boolean): ReturnType<TrainingAccess<vscode.Uri>['setup']> {
    if (isFirst || !this.#setup) this.#setup = this.#read()
    return this.#setup
  }

  failedAt(problem: TemplateProblem | undefined): void {
    this.#failure = problem
  }

  async render(setup: TrainingSetup, sample: RenderingRequest['sample']): Promise<SampleRendering> {
    const { template, mask, maxLength, hasPlaces, isTraced } = setup
    const { tokenizer } = setup as Setup // the only setups are those of this class
    const rendering = { template, sample, mask, maxLength, hasPlaces, isTraced }
    const failed = (message: string) => ({ kind: 'failed', message }) as const
    const key =
      tokenizer instanceof vscode.Uri ? `${tokenizer} ${await modificationOf(tokenizer)}` : undefined
    const sent = key === undefined ? (tokenizer as typeof builtInTokenizer | undefined) : { key }
    let answer = await this.#options.render({ rendering, tokenizer: sent })
    if (answer?.kind === 'files' && key !== undefined && tokenizer instanceof vscode.Uri) {
      const files = await readTokenizer(tokenizer, this.#options.readFile)
      if (!files) return failed(localize`The tokenizer cannot be read.`)
      answer = await this.#options.render({ rendering, tokenizer: { key, files } })
    }
    if (!answer || answer.kind === 'files')
      return failed(localize`The sample cannot be rendered: the language server does not answer.`)
    if (answer.kind === 'tokenizer') return failed(localize`The tokenizer cannot be used: ${answer.problem}`)
    return answer.kind === 'view' ? { ...answer, doubt: answer.doubt } : answer
  }

  /** Asks the reader for one of the choices. */
  async choose(name: TrainingChoiceName): Promise<void> {
    switch (name) {
      case 'template':
        return this.#chooseTemplate()
      case 'tokenizer':
        return this.#chooseTokenizer()
      case 'mask':
        return this.#chooseMask()
      case 'length':
        return this.#chooseLength()
      default:
        return name satisfies never
    }
  }

  /** Marks the parts of the template that wrote what the reader points at. */
  async point(parts: readonly Range[]): Promise<void> {
    this.#pointed = parts
    const uri = await this.#templateUri()
    if (this.#pointed === parts) this.#markParts(uri)
  }

  /** A template in a configuration is one line of JSON, of which nothing is marked. */
  #markParts(uri: vscode.Uri | undefined): void {
    const source = this.#source
    const isMarked = uri && source !== undefined && !uri.path.endsWith('.json') && this.#pointed.length > 0
    this.#marks.show(isMarked ? { uri, source, parts: this.#pointed } : undefined)
  }

  /** Opens the file of the template, where it failed if it did, or at what the reader points at. */
  async openTemplate(): Promise<void> {
    const uri = await this.#templateUri()
    if (!uri) return
    const document = await vscode.workspace.openTextDocument(uri.with({ fragment: '' }))
    const { line, column } = this.#failure ?? { line: 1, column: 1 }
    const isSource = !uri.path.endsWith('.json')
    const position = new vscode.Position(isSource ? line - 1 : 0, isSource ? column - 1 : 0)
    await vscode.window.showTextDocument(document, {
      selection: new vscode.Range(position, position),
      viewColumn: vscode.ViewColumn.Beside,
    })
    if (!this.#failure) this.#markParts(uri)
  }

  get #chosen(): Chosen {
    return this.#state.get<Chosen>(stateKey) ?? {}
  }

  async #keep(changes: { readonly [Key in keyof Chosen]: Chosen[Key] | undefined }): Promise<void> {
    const kept = Object.entries({ ...this.#chosen, ...changes }).filter(([, value]) => value !== undefined)
    await this.#state.update(stateKey, Object.fromEntries(kept))
    this.#renew()
  }

  /** What was set last counts more than what was chosen before. */
  async #takeSettings(event: vscode.ConfigurationChangeEvent): Promise<void> {
    const changed = changedTrainingSettings(event)
    if (changed.length === 0) return
    await this.#keep(Object.fromEntries(changed.map((it) => [it, undefined])))
  }

  #renew(): void {
    this.#setup = undefined
    this.#pointed = []
    this.#marks.show(undefined)
    this.#changed.fire()
  }

  /** The file of the template; undefined for Harmony. */
  async #templateUri(): Promise<vscode.Uri | undefined> {
    const { template } = this.#chosen
    if (template === harmonyTemplateName) return undefined
    if (template !== undefined) return vscode.Uri.parse(template)
    const { template: set } = trainingSettings()
    if (set !== undefined) return set === harmonyTemplateName ? undefined : templateFileAt(set)
    // What a workspace brings along is not used unasked before the user trusts it.
    return vscode.workspace.isTrusted ? (await foundTemplates(this.#options.readFile))[0]?.uri : undefined
  }

  async #read(): Promise<
    Setup | { readonly kind: 'failed'; readonly message: string; readonly setup: Setup }
  > {
    const { template: chosenTemplate, tokenizer: chosen, ...own } = this.#chosen
    const set = trainingSettings()
    const mask = own.mask ?? set.mask
    const length = own.maxLength ?? set.maxLength
    const uri = await this.#templateUri()
    const template = uri && (await readTemplate(uri, this.#options.readFile))
    // A tokenizer that is set is one for the template that is set or found, not for another one.
    const usual = chosenTemplate === undefined ? await setTokenizer(set.tokenizer) : undefined
    const tokenizer = tokenizerOf(chosen ?? usual, uri ? template?.tokenizer : builtInTokenizer)
    this.#source = template && withLineFeeds(template.source)
    const maxLength = length ?? template?.maxLength
    const setup: Setup = {
      template,
      tokenizer: uri ? tokenizer : builtInTokenizer,
      mask,
      maxLength,
      hasPlaces: true,
      isTraced: true,
      hasTemplateFile: uri !== undefined,
      choices: {
        template: uri ? modelFileName(uri) : 'Harmony',
        tokenizer: nameOfTokenizer(uri ? tokenizer : builtInTokenizer),
        mask: mask ?? localize`automatic`,
        length: maxLength === undefined ? localize`no limit` : maxLength.toLocaleString(vscode.env.language),
      },
    }
    if (uri && !template)
      return { kind: 'failed', message: localize`The template ${modelFileName(uri)} cannot be read.`, setup }
    return setup
  }

  async #chooseTemplate(): Promise<void> {
    const found = await foundTemplates(this.#options.readFile)
    const picked = await pick(localize`Chat Template`, [
      {
        label: localize`automatic`,
        description: localize`from the settings, or the first one found`,
        value: '',
      },
      { label: 'Harmony', description: localize`Built in: gpt-oss`, value: harmonyTemplateName },
      ...found.map(({ uri, label }) => ({ label, value: uri.toString() })),
      browseItem(),
    ])
    if (picked === undefined) return
    const template = picked === browse ? await browsed(['jinja', 'json']) : picked
    // The tokenizer of another model would count wrong without a word.
    if (template !== undefined) await this.#keep({ template: template || undefined, tokenizer: undefined })
  }

  async #chooseTokenizer(): Promise<void> {
    const found = (await foundModelFiles()).filter(({ path }) => path.endsWith('/tokenizer.json'))
    const picked = await pick(localize`Tokenizer`, [
      {
        label: localize`automatic`,
        description: localize`from the settings, or next to the template`,
        value: '',
      },
      ...found.map((uri) => ({ label: modelFileName(uri), value: uri.toString() })),
      { label: builtInTokenizer, description: localize`Built in: gpt-oss`, value: builtInTokenizer },
      { label: localize`None: count characters`, value: noTokenizer },
      browseItem(),
    ])
    if (picked === undefined) return
    const tokenizer = picked === browse ? await browsed(['json']) : picked
    if (tokenizer !== undefined) await this.#keep({ tokenizer: tokenizer || undefined })
  }

  async #chooseMask(): Promise<void> {
    const picked = await pick(localize`Loss Mask`, [
      {
        label: localize`automatic`,
        description: localize`template if the template marks what is trained, else assistant`,
        value: '',
      },
      ...maskModes.map((value) => ({ label: value, description: localized(masks[value]), value })),
    ])
    if (picked !== undefined) await this.#keep({ mask: maskModes.find((it) => it === picked) })
  }

  async #chooseLength(): Promise<void> {
    const { maxLength } = this.#chosen
    const value = await vscode.window.showInputBox({
      title: localize`Maximum Length`,
      prompt: localize`In tokens. Leave empty to use the tokenizer's length.`,
      value: maxLength === undefined ? '' : String(maxLength),
      validateInput: (it) =>
        /^([1-9]\d{0,8})?$/.test(it.trim()) ? undefined : localize`Enter a whole number above 0.`,
    })
    if (value !== undefined) await this.#keep({ maxLength: value.trim() === '' ? undefined : Number(value) })
  }
}

const browse = 'browse'

function browseItem() {
  return { label: localize`Browse…`, value: browse }
}

async function pick(
  title: string,
  items: readonly { readonly label: string; readonly description?: string; readonly value: string }[],
): Promise<string | undefined> {
  const shown = items.map((it) => ({ ...it, label: withoutIcons(it.label) }))
  return (await vscode.window.showQuickPick(shown, { title, matchOnDescription: true }))?.value
}

async function browsed(extensions: readonly string[]): Promise<string | undefined> {
  const kind = localize`Files of a Model`
  const files = await vscode.window.showOpenDialog({
    filters: { [kind]: [...extensions] },
  })
  return files?.[0]?.toString()
}

function tokenizerOf(chosen: string | undefined, usual: Setup['tokenizer']): Setup['tokenizer'] {
  if (chosen === undefined) return usual
  if (chosen === noTokenizer) return undefined
  return chosen === builtInTokenizer ? builtInTokenizer : vscode.Uri.parse(chosen)
}

/** A choice that says the same as the setting. */
async function setTokenizer(tokenizer: TokenizerName | vscode.Uri | undefined): Promise<string | undefined> {
  return tokenizer instanceof vscode.Uri ? (await tokenizerFileAt(tokenizer)).toString() : tokenizer
}

function nameOfTokenizer(tokenizer: Setup['tokenizer']): string {
  if (tokenizer === undefined) return localize`none`
  return tokenizer === builtInTokenizer ? tokenizer : modelFileName(tokenizer)
}
