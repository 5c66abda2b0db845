/** The addresses of filled prompts: what a document of this scheme shows. */
import * as vscode from 'vscode'
import { type PromptTarget, promptTargets, targetLanguage } from '../../../core/src/internal.ts'

/** The scheme of the addresses. */
export const filledScheme = 'openchatml-filled'

/** What a document of this scheme shows. */
export interface FilledAddress {
  readonly source: vscode.Uri
  /** The case that the prompt is filled with; undefined for the sizes of all cases. */
  readonly caseName: string | undefined
  readonly target: PromptTarget
  /** The chat template of the target `chat-template`. */
  readonly template: vscode.Uri | undefined
  /** The commit that all files are read from; undefined for the workspace. */
  readonly commit: string | undefined
}

const extensions: Readonly<Record<string, string>> = {
  openchatml: 'ocm',
  json: 'json',
  jsonl: 'jsonl',
  markdown: 'md',
  plaintext: 'txt',
}

/** The address of a filled prompt. The names are for people; what counts is the query. */
export function filledUri({ source, caseName, target, template, commit }: FilledAddress): vscode.Uri {
  const name = (source.path.split('/').at(-1) || source.path).replace(/\.ocm$/, '')
  const shown = caseName === undefined ? vscode.l10n.t('tokens') : `${caseName} → ${target}`
  const extension = caseName === undefined ? 'txt' : extensions[targetLanguage(target)]
  const query = JSON.stringify([
    source.toString(),
    caseName ?? null,
    target,
    template?.toString() ?? null,
    commit ?? null,
  ])
  return vscode.Uri.from({ scheme: filledScheme, path: `/${name} · ${shown}.${extension}`, query })
}

/** What `uri` shows; undefined if it is no such address. */
export function addressOf({ scheme, query }: vscode.Uri): FilledAddress | undefined {
  if (scheme !== filledScheme) return undefined
  const [source, caseName, asked, template, commit]: unknown[] = JSON.parse(query)
  const target = promptTargets.find((it) => it === asked)
  if (typeof source !== 'string' || !target) return undefined
  return {
    source: vscode.Uri.parse(source, true),
    caseName: typeof caseName === 'string' ? caseName : undefined,
    target,
    template: typeof template === 'string' ? vscode.Uri.parse(template, true) : undefined,
    commit: typeof commit === 'string' ? commit : undefined,
  }
}
