/** From our types to the protocol's; the other direction is in `from-lsp.ts`. Offsets become positions here and nowhere else. */
import * as lsp from 'vscode-languageserver'
import type {
  CallHierarchyItem,
  ChannelHint,
  CodeAction,
  Completion,
  CompletionKind,
  Definition,
  Fold,
  Hover,
  InlayHint,
  Problem,
  PromptCase,
  Range,
  SemanticToken,
  Severity,
  TextEdit,
  ToolLens,
} from '../../core/src/internal.ts'
import { localize, semanticTokenModifiers, semanticTokenTypes } from '../../core/src/internal.ts'
import type { MessageCount } from './counting/segment-token-counts.ts'
import { filterTextOf } from './list-filter.ts'
import type { OpenDocument } from './open-document.ts'

/** The name under which diagnostics appear. */
export const diagnosticSource = 'openchatml'

/** The kind of the action that applies all safe fixes. */
export const fixAllKind = 'source.fixAll.openchatml'

/** The range in lines and characters. */
export function toRange({ transcript }: OpenDocument, { start, end }: Range): lsp.Range {
  return { start: transcript.positionAt(start), end: transcript.positionAt(end) }
}

const severities: Readonly<Record<Severity, lsp.DiagnosticSeverity>> = {
  error: lsp.DiagnosticSeverity.Error,
  warning: lsp.DiagnosticSeverity.Warning,
  information: lsp.DiagnosticSeverity.Information,
  hint: lsp.DiagnosticSeverity.Hint,
}

const tags = {
  unnecessary: lsp.DiagnosticTag.Unnecessary,
  deprecated: lsp.DiagnosticTag.Deprecated,
} as const

/** A problem; `documentationBase` is the folder of the rules' pages. */
export function toDiagnostic(
  document: OpenDocument,
  problem: Problem,
  documentationBase: string | undefined,
): lsp.Diagnostic {
  const { code, rule, severity, message, range, related, tag } = problem
  return {
    range: toRange(document, range),
    severity: severities[severity],
    code,
    ...(documentationBase !== undefined && { codeDescription: { href: `${documentationBase}/${rule}.md` } }),
    source: diagnosticSource,
    message,
    ...(tag && { tags: [tags[tag]] }),
    ...(related.length > 0 && {
      relatedInformation: related.map((it) => ({
        location: { uri: document.uri, range: toRange(document, it.range) },
        message: it.message,
      })),
    }),
    data: { rule },
  }
}

/** The entry that stands for `count` problems beyond the limit. */
export function toOverflow(range: lsp.Range, count: number, limit: number): lsp.Diagnostic {
  return {
    range,
    severity: lsp.DiagnosticSeverity.Information,
    source: diagnosticSource,
    message: localize`${count} more problems are not shown: the limit \`openchatml.maxProblems\` is ${limit}`,
  }
}

/** An explanation. */
export function toHover(document: OpenDocument, { range, markdown }: Hover): lsp.Hover {
  return { range: toRange(document, range), contents: { kind: lsp.MarkupKind.Markdown, value: markdown } }
}

const completionKinds: Readonly<Record<CompletionKind, lsp.CompletionItemKind>> = {
  token: lsp.CompletionItemKind.Keyword,
  role: lsp.CompletionItemKind.Class,
  channel: lsp.CompletionItemKind.EnumMember,
  attribute: lsp.CompletionItemKind.Property,
  value: lsp.CompletionItemKind.Value,
  tool: lsp.CompletionItemKind.Function,
  id: lsp.CompletionItemKind.Reference,
  message: lsp.CompletionItemKind.Snippet,
  key: lsp.CompletionItemKind.Property,
}

/** How proposals are written for a client. */
export interface CompletionFormat {
  /** The text from the proposal's range to the place. */
  readonly typed: string
  readonly hasSnippets: boolean
  readonly suggestCommand: string | undefined
}

/** A proposal. */
export function toCompletionItem(
  document: OpenDocument,
  completion: Completion,
  { typed, hasSnippets, suggestCommand }: CompletionFormat,
): lsp.CompletionItem {
  const { label, kind, detail, documentation, range, text, snippet, sortText } = completion
  const isSnippet = hasSnippets && snippet !== undefined
  return {
    label,
    kind: completionKinds[kind],
    detail,
    ...(documentation !== '' && { documentation: { kind: lsp.MarkupKind.Markdown, value: documentation } }),
    textEdit: { range: toRange(document, range), newText: isSnippet ? snippet : text },
    insertTextFormat: isSnippet ? lsp.InsertTextFormat.Snippet : lsp.InsertTextFormat.PlainText,
    filterText: filterTextOf(completion, typed),
    sortText,
    ...(completion.asksAgain &&
      suggestCommand !== undefined && {
        // As if asked by typing: a list that was asked for keeps Enter, whatever is typed on.
        command: { title: localize`Suggest`, command: suggestCommand, arguments: [{ auto: true }] },
      }),
  }
}

/** A fold over whole lines. */
export function toFoldingRange({ kind, startLine, endLine }: Fold): lsp.FoldingRange {
  return { startLine, endLine, ...(kind === 'run' && { kind: lsp.FoldingRangeKind.Region }) }
}

/** Edits of one document. */
export function toTextEdits(document: OpenDocument, edits: readonly TextEdit[]): lsp.TextEdit[] {
  return edits.map(({ start, end, text }) => ({ range: toRange(document, { start, end }), newText: text }))
}

/** Edits of a file that may not be open. */
export interface FileEdits {
  readonly uri: string
  readonly edits: lsp.TextEdit[]
}

/** Edits as a change of the workspace, bound to the version they were made for if the client knows versions. */
export function toWorkspaceEdit(
  document: OpenDocument,
  edits: readonly TextEdit[],
  { hasVersions, others = [] }: { readonly hasVersions: boolean; readonly others?: readonly FileEdits[] },
): lsp.WorkspaceEdit {
  const { uri, version } = document
  const textEdits = toTextEdits(document, edits)
  const all = [{ uri, version, edits: textEdits }, ...others.map((it) => ({ ...it, version: null }))]
  if (!hasVersions) return { changes: Object.fromEntries(all.map((it) => [it.uri, it.edits])) }
  return {
    documentChanges: all.map((it) => ({
      textDocument: { uri: it.uri, version: it.version },
      edits: it.edits,
    })),
  }
}

/** A quick fix. */
export function toQuickFix(
  document: OpenDocument,
  { title, problem, edits, isPreferred }: CodeAction,
  options: { readonly hasVersions: boolean; readonly documentationBase: string | undefined },
): lsp.CodeAction {
  return {
    title,
    kind: lsp.CodeActionKind.QuickFix,
    diagnostics: [toDiagnostic(document, problem, options.documentationBase)],
    isPreferred,
    edit: toWorkspaceEdit(document, edits, options),
  }
}

/** The way to another message. */
export function toLocationLink(
  document: OpenDocument,
  { origin, target, selection }: Definition,
): lsp.LocationLink {
  return {
    originSelectionRange: toRange(document, origin),
    targetUri: document.uri,
    targetRange: toRange(document, target),
    targetSelectionRange: toRange(document, selection),
  }
}

/** A note above a definition; `command` shows the calls. */
export function toCodeLens(
  document: OpenDocument,
  { range, title, calls }: ToolLens,
  command: string | undefined,
): lsp.CodeLens {
  const place = toRange(document, range)
  if (command === undefined || calls.length === 0) return { range: place, command: { title, command: '' } }
  const locations = calls.map((it) => toLocation(document, it))
  return { range: place, command: { title, command, arguments: [document.uri, place.start, locations] } }
}

/** Above a case of the header: a command that shows the prompt filled with it. */
export function toCaseLens(
  document: OpenDocument,
  { name, range }: PromptCase,
  command: string,
): lsp.CodeLens {
  const title = localize`Show Filled Prompt…`
  return { range: toRange(document, range), command: { title, command, arguments: [document.uri, name] } }
}

/** A tool or a turn. */
export function toHierarchyItem(
  document: OpenDocument,
  { kind, name, detail, range, selection }: CallHierarchyItem,
): lsp.CallHierarchyItem {
  return {
    name,
    detail,
    kind: kind === 'tool' ? lsp.SymbolKind.Function : lsp.SymbolKind.Namespace,
    uri: document.uri,
    range: toRange(document, range),
    selectionRange: toRange(document, selection),
  }
}

/** A note after a call, which leads to the reply. */
export function toInlayHint(document: OpenDocument, { offset, label, target }: InlayHint): lsp.InlayHint {
  return {
    position: document.transcript.positionAt(offset),
    label: target ? [{ value: label, location: toLocation(document, target) }] : label,
    paddingLeft: true,
  }
}

/** The channel of a message that names none. */
export function toChannelHint(document: OpenDocument, { offset, label }: ChannelHint): lsp.InlayHint {
  return {
    position: document.transcript.positionAt(offset),
    label,
    tooltip: localize`This message has no channel, so it is on \`final\``,
    paddingLeft: true,
  }
}

/** How many tokens a message has, after it. */
export function toTokenHint(
  document: OpenDocument,
  offset: number,
  { all, body }: MessageCount,
): lsp.InlayHint {
  return {
    position: document.transcript.positionAt(offset),
    label: all === 1 ? localize`1 token` : localize`${all} tokens`,
    tooltip: localize`${all} tokens of o200k_harmony, of which the body has ${body}`,
    paddingLeft: true,
  }
}

/** A place in the document. */
export function toLocation(document: OpenDocument, range: Range): lsp.Location {
  return { uri: document.uri, range: toRange(document, range) }
}

/** Ranges around a place, the smallest first, as the chain that the protocol wants. */
export function toSelectionRange(document: OpenDocument, ranges: readonly Range[]): lsp.SelectionRange {
  let chain: lsp.SelectionRange | undefined
  for (const range of [...ranges].reverse()) {
    chain = { range: toRange(document, range), ...(chain && { parent: chain }) }
  }
  return chain ?? { range: toRange(document, { start: 0, end: 0 }) }
}

/** What the numbers of {@link toSemanticTokens} mean. */
export const semanticTokensLegend: lsp.SemanticTokensLegend = {
  tokenTypes: [...semanticTokenTypes],
  tokenModifiers: [...semanticTokenModifiers],
}

/** Tokens of the protocol, of which there may be more than there are of ours. */
export interface CutTokens {
  readonly tokens: lsp.SemanticTokens
  /** False if the limit cut the list. */
  readonly isComplete: boolean
}

/** Tokens within `clip`, cut at line breaks, as the protocol's list of differences; the first `limit` of them. */
export function toSemanticTokens(
  document: OpenDocument,
  tokens: readonly SemanticToken[],
  { clip, limit }: { readonly clip: Range; readonly limit: number },
): CutTokens {
  const builder = new lsp.SemanticTokensBuilder()
  let left = limit
  for (const { start, end, type, modifiers } of tokens) {
    const typeIndex = semanticTokenTypes.indexOf(type)
    const modifierBits = modifiers.reduce((bits, it) => bits | (1 << semanticTokenModifiers.indexOf(it)), 0)
    const range = { start: Math.max(start, clip.start), end: Math.min(end, clip.end) }
    if (range.start >= range.end) continue
    let { line, character } = document.transcript.positionAt(range.start)
    const isLong = severalLines.has(type)
    for (const length of isLong ? lineLengths(document.transcript.text(range)) : [range.end - range.start]) {
      if (length > 0) {
        if (left-- === 0) return { tokens: builder.build(), isComplete: false }
        builder.push(line, character, length, typeIndex, modifierBits)
      }
      line++
      character = 0
    }
  }
  return { tokens: builder.build(), isComplete: true }
}

/** The types of tokens that may go over several lines; all others are a word or a control token. */
const severalLines: ReadonlySet<SemanticToken['type']> = new Set(['text', 'string', 'comment'] as const)

/** The lengths of the lines of `text`, without their ends, one by one. */
function* lineLengths(text: string): IterableIterator<number> {
  const lineBreak = /\r\n|\n|\r/g
  let from = 0
  for (let match = lineBreak.exec(text); match; match = lineBreak.exec(text)) {
    yield match.index - from
    from = lineBreak.lastIndex
  }
  yield text.length - from
}
