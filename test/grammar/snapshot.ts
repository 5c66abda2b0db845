/**
 * Readable snapshots of a grammar's scopes: a source line behind `>`, then a line for each token with a scope of its own.
 *
 * ```
 * == A title, then a transcript
 * > <|start|>user<|message|>*Hi*<|end|>
 *   | meta.message.user
 *   ^^^^^^^^^ keyword.control.start
 *            ^^^^ entity.name.type.role
 * ```
 *
 * `|` gives the context of the tokens below it. `.openchatml` is left out at the end of scopes; of the scopes that an
 * embedded grammar gives a token, the innermost is shown, but neither `meta` nor punctuation.
 * The sources stand in the snapshot itself.
 */
import type { IGrammar } from 'vscode-textmate'
import { type ScopedToken, scopedLines } from './textmate-grammar.ts'

/** A titled transcript of a snapshot file. */
export interface SnapshotCase {
  readonly title: string
  readonly source: string
}

/** The cases of a snapshot file; what it says about their scopes is not read. */
export function casesOf(snapshot: string): SnapshotCase[] {
  return snapshot
    .split(/^== /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...lines] = part.split('\n')
      const source = lines.filter((it) => it.startsWith('>')).map((it) => it.slice(2))
      return { title, source: source.join('\n') }
    })
}

/** The snapshot of `cases`. */
export function snapshotOf(grammar: IGrammar, cases: readonly SnapshotCase[]): string {
  return cases.map(({ title, source }) => `== ${title}\n${scopesOf(grammar, source)}`).join('\n')
}

function scopesOf(grammar: IGrammar, source: string): string {
  const out: string[] = []
  let shownContext = ''
  for (const { text, tokens } of scopedLines(grammar, source)) {
    out.push(`> ${text}`.trimEnd())
    for (const token of tokens) {
      const { context, own } = split(token)
      if (context !== shownContext && token.text.trim() !== '') {
        shownContext = context
        out.push(`  | ${context || '(none)'}`)
      }
      if (own === '' || token.text.trim() === '') continue
      out.push(`${' '.repeat(2 + token.from)}${'^'.repeat(Math.max(1, token.to - token.from))} ${own}`)
    }
  }
  return `${out.join('\n')}\n`
}

function split({ scopes }: ScopedToken): { readonly context: string; readonly own: string } {
  const isContext = (scope: string) => scope.startsWith('meta.') && scope.endsWith('.openchatml')
  const context = scopes.filter(isContext)
  const innermost = scopes.filter((it) => !isContext(it)).at(-1) ?? ''
  const isNoise = !innermost.endsWith('.openchatml') && /^(?:meta|punctuation)\./.test(innermost)
  const own = isNoise ? '' : innermost
  const short = (scope: string) => scope.replace(/\.openchatml$/, '')
  return { context: context.map(short).join(' '), own: short(own) }
}
