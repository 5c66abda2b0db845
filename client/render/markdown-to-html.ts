/** Markdown to HTML, with HTML in Markdown off. What comes out still goes through the sanitizer. */
import createMarkdownIt, { type Env, type MarkdownIt, type Token } from 'markdown-it'
import { jsonBody, jsonOnLines } from '../../core/src/internal.ts'
import { highlighted } from './highlight.ts'
import { lineMap, resolved, type StandIns } from './literals.ts'
import { addMath, type MathEnvironment } from './math-syntax.ts'
import { localize } from './page-texts.ts'

/** What one rendering knows, for the rules that need it. */
interface Environment extends Env, MathEnvironment {
  readonly standIns: StandIns
  /** Lines of quotations that were read, each as often as quotations are around it. */
  quotedLines?: number
}

/** What a reader may choose. */
export interface MarkdownOptions {
  /** False for TeX as it is written; default true. */
  readonly hasMath?: boolean
}

const inlineImage = /^data:image\/(?:png|gif|jpeg|webp|avif);base64,[a-z0-9+/=]*$/i
const followable = /^(?:https?:\/\/|mailto:)/i

/** Longer text is shown as it stands, by {@link plainNote}: reading it as Markdown would take seconds (UTF-16 code units). */
export const longestMarkdown = 100_000

/** Says that a text is not formatted. */
export function plainNote(): string {
  return localize`Shown as plain text, because it is too long to be formatted.`
}

/** Lines in quotations in quotations, counted in each: what a person quotes is far less, and more would take seconds. */
const mostQuotedLines = 300_000

/** Levels of quotations and lists that are read; the reader of Markdown leaves out deeper ones silently. */
const deepest = 100

/** True for the addresses that a click may open. */
export function isFollowable(href: string): boolean {
  return followable.test(href)
}

/** True for the addresses that a click may show as an image: pixels within the text, nothing to load. */
export function isInlineImage(source: string): boolean {
  return inlineImage.test(source)
}

/** `standIns.markdown` as HTML. Blocks carry the line of the message on which they start in `data-line`. */
export function toHtml(standIns: StandIns, { hasMath = true }: MarkdownOptions = {}): string {
  return renderer.render(standIns.markdown, { standIns, hasMath } satisfies Environment)
}

/** `json` as a block of code. */
export function jsonHtml(json: string): string {
  const { escapeHtml } = renderer.utils
  return `<pre><code class="language-json" data-line="0">${highlighted(json, 'json') ?? escapeHtml(json)}</code></pre>\n`
}

/** `text` with each member and item on a line of its own; undefined if it is not JSON, or would become far longer. */
export function laidOutJson(text: string): string | undefined {
  if (!jsonBody(text).ok) return undefined
  const laidOut = jsonOnLines(text.trim(), { eol: '\n', indent: '  ' })
  return laidOut === undefined || laidOut.length > 4 * longestMarkdown ? undefined : laidOut
}

/** A block of Markdown and its lines, zero-based. */
export type MarkdownBlock =
  | { readonly kind: 'code'; readonly from: number; readonly to: number }
  | {
      readonly kind: 'text'
      readonly from: number
      readonly to: number
      readonly text: string
      /** Code within the text, by offsets in it; the signs around it may count in. */
      readonly codes: readonly { readonly from: number; readonly to: number }[]
    }

/**
 * The blocks of `markdown` that have text of their own, in order. Cells of a table have the line of their row.
 *
 * @param links `all` to read it as programs do that make a link of every address
 */
export function* markdownBlocks(
  markdown: string,
  links: 'followable' | 'all' = 'followable',
): IterableIterator<MarkdownBlock> {
  let [from, to] = [0, 0]
  const reader = links === 'all' ? readerOfAllLinks() : renderer
  for (const { type, map, content, children } of reader.parse(markdown, {})) {
    if (map) [from, to] = map
    if (type === 'fence' || type === 'code_block') yield { kind: 'code', from, to }
    else if (type === 'inline')
      yield { kind: 'text', from, to, text: content, codes: codesIn(children ?? []) }
  }
}

function codesIn(tokens: readonly Token[]): { readonly from: number; readonly to: number }[] {
  const codes: { readonly from: number; readonly to: number }[] = []
  for (const { type, meta, markup, content } of tokens) {
    if (type !== 'code_inline') continue
    const { from } = meta as { readonly from: number }
    codes.push({ from, to: from + markup.length + content.length + 1 }) // a blank may be left out on each side
  }
  return codes
}

const renderer = createRenderer()

let allLinks: MarkdownIt | undefined

function readerOfAllLinks(): MarkdownIt {
  if (!allLinks) {
    allLinks = createRenderer()
    allLinks.validateLink = () => true
  }
  return allLinks
}

function createRenderer(): MarkdownIt {
  const markdown = createMarkdownIt({
    html: false,
    linkify: true,
    // A line break in a chat is one.
    breaks: true,
  })
  markdown.set({ maxNesting: deepest })
  markdown.inline.State = class extends markdown.inline.State {
    override push(type: string, tag: string, nesting: -1 | 0 | 1): Token {
      const token = super.push(type, tag, nesting)
      if (type === 'code_inline') token.meta = { from: this.pos }
      return token
    }
  }
  // `README.md` is a file, not a host.
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false })
  markdown.validateLink = (address) => isFollowable(address) || isInlineImage(address)
  const readBlocks = markdown.block.tokenize.bind(markdown.block)
  markdown.block.tokenize = (state, from, to) => {
    const environment = state.env as Partial<Environment>
    if (state.parentType === 'blockquote') {
      environment.quotedLines = (environment.quotedLines ?? 0) + to - from
      if (environment.quotedLines > mostQuotedLines) {
        state.line = to
        return
      }
    }
    readBlocks(state, from, to)
  }
  // No word may be missing: text that goes too deep is shown as it is written.
  markdown.core.ruler.after('block', 'depth', (state) => {
    const { standIns, quotedLines = 0 } = state.env as Partial<Environment>
    const isWhole = quotedLines <= mostQuotedLines && state.tokens.every(({ level }) => level < deepest - 1)
    if (!standIns || isWhole) return
    const source = new state.Token('code_block', 'code', 0)
    source.content = state.src
    source.map = [0, 1]
    state.tokens = [source]
  })
  // An image within the text may be shown, and leads nowhere.
  markdown.core.ruler.after('inline', 'links', ({ tokens }) => {
    for (const { children } of tokens) if (children) spellOutDeadLinks(children)
  })
  markdown.core.ruler.push('lines', (state) => {
    const { standIns } = state.env as Partial<Environment>
    if (standIns) addLines(state.tokens, lineMap(standIns))
  })
  // No image is loaded by itself: a stand-in says what there is, and a click may bring it.
  markdown.renderer.rules.image = (tokens, index, options, environment, self) => {
    const token = tokens[index]
    const text = token ? self.renderInlineAsText(token.children ?? [], options, environment) : ''
    const source = String(token?.attrGet('src') ?? '')
    return `<span data-image="${markdown.utils.escapeHtml(source)}">${markdown.utils.escapeHtml(text)}</span>`
  }
  markdown.renderer.rules.code_block = (tokens, index, _options, environment) =>
    codeHtml(markdown, tokens[index], environment as Environment)
  markdown.renderer.rules.fence = markdown.renderer.rules.code_block
  addMath(markdown)
  return markdown
}

/** Makes text of links that no click may open: what they are called, and their address. */
function spellOutDeadLinks(tokens: readonly Token[]): void {
  let behind: string | undefined
  for (const token of tokens) {
    const address = token.type === 'link_open' ? String(token.attrGet('href') ?? '') : undefined
    if (address !== undefined && !isFollowable(address)) {
      const isBare = token.markup === 'autolink'
      behind = isBare ? '>' : `](${address})`
      becomeText(token, isBare ? '<' : '[')
    } else if (behind !== undefined && token.type === 'link_close') {
      becomeText(token, behind)
      behind = undefined
    }
  }
}

function becomeText(token: Token, content: string): void {
  token.type = 'text'
  token.tag = ''
  token.nesting = 0
  token.attrs = null
  token.content = content
}

/**
 * A block of code. Literal blocks in it are part of the code, so they are put in before it is coloured. Words after the
 * language, which browsers do not show, are above it.
 */
function codeHtml(markdown: MarkdownIt, token: Token | undefined, { standIns }: Environment): string {
  const { escapeHtml } = markdown.utils
  const info = resolved(markdown.utils.unescapeAll(token?.info ?? ''), standIns).trim()
  const language = info.split(/\s+/)[0] ?? ''
  const caption = info === language ? '' : `<p><code>${escapeHtml(info)}</code></p>\n`
  const code = resolved(token?.content ?? '', standIns)
  const html = highlighted(code, language) ?? escapeHtml(code)
  const className = language === '' ? '' : ` class="language-${escapeHtml(language)}"`
  return `${caption}<pre><code${className} data-line="${token?.attrGet('data-line') ?? ''}">${html}</code></pre>\n`
}

function addLines(tokens: readonly Token[], lineOf: (line: number) => number): void {
  for (const token of tokens) {
    const isAlignment = token.attrGet('style')
    if (isAlignment) {
      // Alignment of a table's cells comes as a style; the page's policy has no inline styles.
      token.attrs = [['class', `align-${String(isAlignment).replace('text-align:', '')}`]]
    }
    if (token.map && token.nesting !== -1 && token.type !== 'inline') {
      token.attrSet('data-line', String(lineOf(token.map[0])))
    }
  }
}
