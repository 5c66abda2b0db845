/**
 * OpenChatML: parse, edit, analyse, check and convert transcripts.
 * This is the whole public API, written by hand; what is not listed here is internal.
 */

export {
  type JsonRange,
  type ParsedDiagnostic,
  type ParsedMessage,
  type ParseJson,
  parseToJson,
  toParseJson,
} from './convert/parse-json.ts'
export type { Located } from './document/segment-list.ts'
export { type EditResult, type ParseOptions, Transcript } from './document/transcript.ts'
export type { HeaderEntry, JsonObject, JsonValue, YamlHeader } from './embedded/yaml-header.ts'
export {
  type VisibleMessage,
  type VisiblePart,
  visibleMessages,
  visibleTexts,
} from './preview/visible-messages.ts'
export { applyEdits, applyFixes, editsOf } from './rules/apply-fix.ts'
export { Checker, type CheckerOptions, type ProblemList } from './rules/checker.ts'
export type { Problem, ProblemFix } from './rules/problem.ts'
export { ruleNamed, rules, rulesWithCode } from './rules/registry.ts'
export type { Rule, RuleDocumentation, Severity } from './rules/rule.ts'
export { type Analysis, type AnalysisChange, analyze } from './semantics/analysis.ts'
export type { DocumentSettings } from './semantics/document-settings.ts'
export type { Exchange, ExchangeIndex, ExchangeProblem } from './semantics/exchange-index.ts'
export { factsOf, isCall, isReply, type MessageFacts, toolNameOf } from './semantics/message-facts.ts'
export { type HiddenReason, hiddenReason, isVisible, visibleText } from './semantics/visibility.ts'
export { renderedBody } from './syntax/body.ts'
export { type MessageView, messageView } from './syntax/message-view.ts'
export type { Segment, SegmentKind } from './syntax/segment.ts'
export { eachToken, type Token, TokenKind, type TokenRun, tokenKindName } from './syntax/token-run.ts'
export { tokensOf } from './syntax/tokenize.ts'
export { dumpSegment } from './syntax/tree-dump.ts'
export { InvariantError } from './text/invariant.ts'
export type { Position, Range, Span, TextEdit } from './text/range.ts'
export type { DialectName } from './vocabulary/framing.ts'
export { dialectNames } from './vocabulary/registry.ts'
