/** The settings that users can make, read from whatever a client sends. */

import {
  type DialectName,
  dialectNames,
  type FormatOptions,
  type Intent,
  intents,
  type PathSettings,
  type RequestTools,
  type RuleSettings,
  ruleSettingsFrom,
  type SampleTraits,
  type Translations,
} from '../../core/src/internal.ts'
import type { CountScripts } from './counting/start-browser.ts'

/** Which notes are shown in the text. */
export interface HintSettings {
  /** The channel of messages that name none. */
  readonly channels: boolean
  /** After each call where it is answered. */
  readonly calls: boolean
  /** After each message how many tokens it has. */
  readonly tokens: boolean
}

/** Settings of one document. */
export interface Settings {
  /** A dialect that the user forces. */
  readonly dialect: DialectName | 'auto'
  /** The greatest number of problems reported for one document. */
  readonly maxProblems: number
  /** What is set for rules, the least specific place first. */
  readonly rules: readonly RuleSettings[]
  /** False to report what placeholders of templates cause. */
  readonly templates: boolean
  /** What transcripts are for that do not say it themselves. */
  readonly intent: Intent | undefined
  /** The URI of a configuration file with errors ({@link PathSettings.broken}). */
  readonly broken?: string | undefined
  readonly format: FormatOptions
  readonly inlayHints: HintSettings
  /** True to say above each definition of a tool how often it is called. */
  readonly codeLens: boolean
  /** True to show in the status how many tokens a transcript has. */
  readonly tokenCount: boolean
  /** The largest transcript that is read for symbols of the workspace without being open, in bytes. */
  readonly largestIndexedFile: number
  /** What the transcript is a sample of, if it is one. */
  readonly sample?: SampleTraits | undefined
  /** The tools of the request that a sample of a dataset is; its transcript shows them as TypeScript alone. */
  readonly requestTools?: RequestTools | undefined
}

/** The section that clients are asked for. */
export const settingsSection = 'openchatml'

/** The defaults. */
export const defaultSettings: Settings = {
  dialect: 'auto',
  maxProblems: 1000,
  rules: [],
  templates: true,
  intent: undefined,
  format: { blankLines: false },
  inlayHints: { channels: true, calls: true, tokens: false },
  codeLens: true,
  tokenCount: true,
  largestIndexedFile: 10_000_000,
}

const mostProblems = 100_000 // as the editor's list of settings says; others may send anything

/** The settings in `value`; what is missing or makes no sense takes its default. */
export function settingsFrom(value: unknown): Settings {
  if (typeof value !== 'object' || value === null) return defaultSettings
  const { dialect, maxProblems, rules, templates, intent, format, inlayHints, codeLens, tokenCount } =
    value as {
      readonly [key: string]: unknown
    }
  return {
    dialect: dialectNames.find((name) => name === dialect) ?? defaultSettings.dialect,
    maxProblems:
      typeof maxProblems === 'number' && maxProblems >= 1
        ? Math.min(Math.floor(maxProblems), mostProblems)
        : defaultSettings.maxProblems,
    rules: [ruleSettingsFrom(rules)],
    templates: templates !== false,
    intent: intents.find(({ name }) => name === intent)?.name,
    format: { blankLines: flag(format, 'blankLines', defaultSettings.format.blankLines) },
    inlayHints: {
      channels: flag(inlayHints, 'channels', true),
      calls: flag(inlayHints, 'calls', true),
      tokens: flag(inlayHints, 'tokens', false),
    },
    codeLens: codeLens !== false,
    tokenCount: tokenCount !== false,
    largestIndexedFile: largestIndexedFileIn(value),
  }
}

function largestIndexedFileIn(value: object): number {
  const { workspaceSymbols } = value as { readonly workspaceSymbols?: { readonly maxFileSize?: unknown } }
  const megabytes = workspaceSymbols?.maxFileSize
  return typeof megabytes === 'number' && megabytes >= 0
    ? megabytes * 1_000_000
    : defaultSettings.largestIndexedFile
}

/** The flag called `name` in the group of settings `value`. */
function flag(value: unknown, name: string, otherwise: boolean): boolean {
  if (typeof value !== 'object' || value === null) return otherwise
  const found = (value as { readonly [key: string]: unknown })[name]
  return typeof found === 'boolean' ? found : otherwise
}

/** True if the same notes are shown under both. */
export function showSame(one: Settings, other: Settings): boolean {
  const [before, after] = [one.inlayHints, other.inlayHints]
  return (
    before.channels === after.channels &&
    before.calls === after.calls &&
    before.tokens === after.tokens &&
    one.codeLens === other.codeLens
  )
}

/** True if a check finds the same under both. */
export function findSame(one: Settings, other: Settings): boolean {
  return (
    one.templates === other.templates &&
    one.intent === other.intent &&
    (one.sample === undefined) === (other.sample === undefined) &&
    one.sample?.alternates === other.sample?.alternates &&
    rulesKey(one) === rulesKey(other)
  )
}

function rulesKey({ rules }: Settings): string {
  return JSON.stringify(rules.filter(({ size }) => size > 0).map((it) => [...it]))
}

/** What the client sends once, when it starts the server. */
export interface InitializationOptions {
  /** URI of the folder with a page per rule, `RULE.md`; without it, diagnostics have no link. */
  readonly documentationBase: string | undefined
  /** Command of the editor that opens the list of proposals again; without it, proposals just end. */
  readonly suggestCommand: string | undefined
  /** Command of the editor that shows places, given a URI, a position and locations; without it, lenses are only read. */
  readonly referencesCommand: string | undefined
  /** Command of the editor that shows the prompt at a URI filled with a case; without it, cases have no lens. */
  readonly filledPromptCommand: string | undefined
  /** True if the client wants `openchatml.status` notifications. */
  readonly wantsStatus: boolean
  /** True if the client answers `openchatml.readFile`, for configuration files that the server cannot read itself. */
  readonly readsFiles: boolean
  /** True if the client answers `openchatml.sampleTools`, for samples of datasets. */
  readonly readsSamples: boolean
  /** True if the client answers `openchatml.findTranscripts` and `openchatml.readTranscript`. */
  readonly findsTranscripts: boolean
  /** Scripts that count tokens, where the server runs in a browser and cannot find them itself. */
  readonly countScripts: CountScripts | undefined
  /** What users read, in their language; undefined for English. */
  readonly translations: Translations | undefined
  /** Settings for clients that cannot be asked. */
  readonly settings: Settings
}

/** The options in `value`, which comes from the client and may be anything. */
export function initializationOptionsFrom(value: unknown): InitializationOptions {
  const options =
    typeof value === 'object' && value !== null ? (value as { readonly [key: string]: unknown }) : {}
  const { documentationBase, status, countScripts, l10n, settings } = options
  const command = (value: unknown) => (typeof value === 'string' ? value : undefined)
  return {
    documentationBase:
      typeof documentationBase === 'string' ? documentationBase.replace(/\/$/, '') : undefined,
    suggestCommand: command(options.suggestCommand),
    referencesCommand: command(options.referencesCommand),
    filledPromptCommand: command(options.filledPromptCommand),
    wantsStatus: status === true,
    readsFiles: options.readsFiles === true,
    readsSamples: options.readsSamples === true,
    findsTranscripts: options.findsTranscripts === true,
    countScripts: scriptsFrom(countScripts),
    translations: translationsFrom(l10n),
    settings: settingsFrom(settings),
  }
}

function scriptsFrom(value: unknown): InitializationOptions['countScripts'] {
  if (typeof value !== 'object' || value === null) return undefined
  const { thread, vocabulary, tokenizers } = value as { readonly [key: string]: unknown }
  if (typeof thread !== 'string' || typeof vocabulary !== 'string') return undefined
  return { thread, vocabulary, tokenizers: typeof tokenizers === 'string' ? tokenizers : undefined }
}

/** A bundle as VS Code has it: a translation by its English text, alone or with a comment for translators. */
function translationsFrom(value: unknown): Translations | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  const translations: Record<string, string> = Object.create(null)
  for (const [english, entry] of Object.entries(value)) {
    const text = typeof entry === 'object' && entry !== null && 'message' in entry ? entry.message : entry
    if (typeof text === 'string') translations[english] = text
  }
  return translations
}
