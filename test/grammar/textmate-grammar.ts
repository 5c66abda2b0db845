/** The grammar as VS Code runs it: vscode-textmate and Oniguruma with the grammars that ship with VS Code. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import oniguruma from 'vscode-oniguruma'
import textmate, { type IGrammar, type StateStack } from 'vscode-textmate'
import { vscodeExtensionsFolder } from '../../scripts/vscode/install.mjs'

/** A piece of a line with its scopes, outermost first; offsets are within the line. */
export interface ScopedToken {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly scopes: readonly string[]
}

/** A line with its tokens, which tile it. */
export interface ScopedLine {
  readonly text: string
  readonly tokens: readonly ScopedToken[]
}

const fences = 'markdown.openchatml.codeblock'

/** Where the grammar is. */
export const grammarPath = join('syntaxes', 'openchatml.tmLanguage.json')

/** Loads the grammar of `scope`, and through it the real grammars that it embeds. */
export async function loadGrammar(scope = 'text.openchatml'): Promise<IGrammar> {
  const require = createRequire(import.meta.url)
  await oniguruma.loadWASM(readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm')))
  const folder = await vscodeExtensionsFolder()
  const paths = new Map([
    ['text.openchatml', grammarPath],
    [fences, join('syntaxes', 'openchatml-fences.tmLanguage.json')],
    ...shippedGrammars(folder),
  ])
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new CountingScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    getInjections: (scopeName) => (scopeName === 'text.html.markdown' ? [fences] : []),
    loadGrammar: async (scopeName) => {
      const path = paths.get(scopeName)
      return path === undefined ? null : textmate.parseRawGrammar(readFileSync(path, 'utf8'), path)
    },
  })
  const language = 1 // some number
  const grammar = await registry.loadGrammarWithConfiguration(scope, language, {
    balancedBracketSelectors: ['*'], // what VS Code takes if nothing else is said
    unbalancedBracketSelectors: contribution.unbalancedBracketScopes,
  })
  if (grammar === null) throw new Error(`${grammarPath} cannot be loaded`)
  return grammar
}

interface Manifest {
  readonly contributes: { readonly grammars: readonly GrammarContribution[] }
}

interface GrammarContribution {
  readonly scopeName: string
  readonly path: string
  readonly unbalancedBracketScopes: string[]
  readonly embeddedLanguages?: Readonly<Record<string, string>>
}

const [contribution] = (JSON.parse(readFileSync('package.json', 'utf8')) as Manifest).contributes
  .grammars as [GrammarContribution]

let searches = 0

/** How many searches all grammars have made so far: work that can be counted. */
export function searchCount(): number {
  return searches
}

class CountingScanner extends oniguruma.OnigScanner {
  override findNextMatchSync(
    ...args: Parameters<oniguruma.OnigScanner['findNextMatchSync']>
  ): ReturnType<oniguruma.OnigScanner['findNextMatchSync']> {
    searches++
    return super.findNextMatchSync(...args)
  }
}

/** The extensions whose grammars transcripts embed, directly or through Markdown. */
const extensions = [
  'json',
  'markdown-basics',
  'typescript-basics',
  'javascript',
  'yaml',
  'python',
  'html',
  'css',
]

function shippedGrammars(folder: string): [string, string][] {
  return extensions.flatMap((extension) => {
    const manifest = JSON.parse(readFileSync(join(folder, extension, 'package.json'), 'utf8')) as Manifest
    return manifest.contributes.grammars.map((it): [string, string] => [
      it.scopeName,
      join(folder, extension, it.path),
    ])
  })
}

/** The languages that code has in the Markdown of VS Code, by scope. */
export async function markdownLanguages(): Promise<readonly (readonly [string, string])[]> {
  const path = join(await vscodeExtensionsFolder(), 'markdown-basics', 'package.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest
  return manifest.contributes.grammars.flatMap(({ embeddedLanguages = {} }) =>
    Object.entries(embeddedLanguages),
  )
}

/** The lines of `text` with their tokens. Lines are split as VS Code splits them. */
export function scopedLines(grammar: IGrammar, text: string): ScopedLine[] {
  let state: StateStack = textmate.INITIAL
  return text.split(/\r\n|\r|\n/).map((line) => {
    const result = grammar.tokenizeLine(line, state)
    state = result.ruleStack
    return {
      text: line,
      tokens: result.tokens.map(({ startIndex, endIndex, scopes }) => ({
        from: startIndex,
        to: Math.min(endIndex, line.length),
        text: line.slice(startIndex, endIndex),
        scopes: scopes.slice(1), // the first is always text.openchatml
      })),
    }
  })
}

/** The brackets of `text` that VS Code pairs and colours. */
export function pairedBrackets(grammar: IGrammar, text: string): string {
  let state: StateStack = textmate.INITIAL
  let found = ''
  for (const line of text.split('\n')) {
    const { tokens, ruleStack } = grammar.tokenizeLine2(line, state)
    state = ruleStack
    for (let index = 0; index < tokens.length; index += 2) {
      const [from, metadata] = [tokens[index] ?? 0, tokens[index + 1] ?? 0]
      if (metadata & balancedBrackets) found += line.slice(from, tokens[index + 2]).replace(/[^()[\]{}]/g, '')
    }
  }
  return found
}

const balancedBrackets = 1 << 10 // of the metadata of a token

/** What is left open at the end of `text`: the depth of the rule stack. */
export function depthBehind(grammar: IGrammar, text: string): number {
  let state: StateStack = textmate.INITIAL
  for (const line of text.split('\n')) state = grammar.tokenizeLine(line, state).ruleStack
  return state.depth
}
