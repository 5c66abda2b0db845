/**
 * OpenChatML: parse, edit, analyse, check and convert transcripts.
 * This is the whole public API, written by hand; what is not listed here is internal.
 */

export {
  type ContentPart,
  type Conversation,
  type ConversationMessage,
  textOf,
} from './conversation/conversation.ts'
export { escapeBody } from './conversation/escape-body.ts'
export type { Places } from './conversation/json-places.ts'
export { ConversionError, type Loss, type LossKind, type LossList } from './conversation/loss.ts'
export { shownTextOf } from './conversation/message-visibility.ts'
export {
  type Conversion,
  convert,
  convertJson,
  type Reading,
  type ReadJsonOptions,
  type ReadOptions,
  readConversation,
  readJsonConversation,
  transcriptOfConversation,
  type WriteOptions,
  writeConversation,
} from './convert/convert.ts'
export {
  parseSample,
  repeatedKeys,
  roundedNumbers,
  sampleText,
  sampleTextPlaces,
} from './convert/dataset-sample.ts'
export { openEnd, type TokenParts, tokenParts } from './convert/message-tokens.ts'
export {
  type HarmonyPiece,
  NextPrompt,
  type PromptFate,
  type PromptMessage,
} from './convert/next-prompt.ts'
export {
  type JsonRange,
  type ParsedDiagnostic,
  type ParsedMessage,
  type ParseJson,
  parseToJson,
  toParseJson,
} from './convert/parse-json.ts'
export {
  countTokens,
  type MessageTokens,
  type TextEncoding,
  type TokenCounts,
  tokenIds,
} from './convert/token-counts.ts'
export { type Cutter, DatasetError, type SamplePlace } from './datasets/cutter.ts'
export { cutterFor, type DatasetKind, datasetKind, isDatasetName, lookedAt } from './datasets/dataset-kind.ts'
export { editableSample, type TranscriptSample } from './datasets/editable-sample.ts'
export { type EditableSample, type EditedSample, editedSample } from './datasets/edited-sample.ts'
export { type BadSample, type GoodSample, readSample, type Sample } from './datasets/sample.ts'
export { SampleIndex } from './datasets/sample-index.ts'
export { inFile, positionsInSample } from './datasets/sample-text.ts'
export {
  fileAsStretch,
  placesIn,
  type Stretch,
  StretchCutter,
  type StretchLimits,
} from './datasets/stretch-cutter.ts'
export { validUtf8Length } from './datasets/utf8.ts'
export type { Located } from './document/segment-list.ts'
export { type EditResult, type ParseOptions, Transcript } from './document/transcript.ts'
export type { ToolDefinition } from './embedded/tool-definition.ts'
export { jsonSchemaOf } from './embedded/tool-schema-text.ts'
export type { HeaderEntry, JsonObject, JsonValue, YamlHeader } from './embedded/yaml-header.ts'
export {
  type BodyRewrite,
  type BodyRewriteName,
  bodyRewrite,
  bodyRewrites,
  type PasteText,
  pasteTexts,
  textOfMessageBefore,
} from './features/body-rewrites.ts'
export {
  type CallHierarchyItem,
  type HierarchyCall,
  hierarchyItemAt,
  incomingCalls,
  outgoingCalls,
} from './features/call-hierarchy.ts'
export { type ChannelHint, channelHints } from './features/channel-hints.ts'
export { type CodeAction, type CodeActionList, codeActions, fixAll } from './features/code-actions.ts'
export { type CompletionOptions, completions } from './features/completion/completion.ts'
export type { Completion, CompletionKind } from './features/completion/proposal.ts'
export { type Definition, definition } from './features/definition.ts'
export { documentHighlights } from './features/document-highlights.ts'
export {
  type DocumentLink,
  documentLinks,
  headerPageAt,
  type LinkTarget,
} from './features/document-links.ts'
export { type Fold, type FoldKind, folds, lineFolds } from './features/folding.ts'
export { type FormatOptions, formatEdits, gapEdits } from './features/format.ts'
export { type HeaderForm, hasHeader, headerEdits, headerForms } from './features/header-edits.ts'
export { type HeaderTypo, headerTypoAt } from './features/header-typos.ts'
export { type Hover, hover } from './features/hover.ts'
export { type JsonFormatOptions, jsonFormatEdits } from './features/json-format.ts'
export { linkedRanges } from './features/linked-ranges.ts'
export { literalEndAt } from './features/literal-end.ts'
export { type MessageCommand, type MessageEdit, messageEdit } from './features/message-edits.ts'
export { type MessageEndPlace, messageEnds } from './features/message-ends.ts'
export {
  bodyAt,
  bodyRange,
  hiddenMessages,
  messageRange,
  nextMessage,
  previousMessage,
} from './features/message-places.ts'
export { type ReferenceOptions, references } from './features/references.ts'
export { type Renaming, rename, renameRange } from './features/rename.ts'
export { selectionRanges } from './features/selection-ranges.ts'
export { selfCheck } from './features/self-check.ts'
export {
  type SemanticToken,
  semanticTokenModifiers,
  semanticTokens,
  semanticTokenTypes,
} from './features/semantic-tokens.ts'
export {
  type OutlineBlock,
  type OutlineEntry,
  type OutlineItem,
  type OutlinePart,
  type OutlineScope,
  outline,
  outlineBlocks,
  outlineSizes,
  type SymbolKind,
} from './features/symbols.ts'
export { type ToolAction, toolActions } from './features/tool-actions.ts'
export { type InlayHint, inlayHints } from './features/tool-inlay-hints.ts'
export { type ToolLens, toolLenses } from './features/tool-lenses.ts'
export {
  type TranscriptTemplate,
  templateSnippet,
  transcriptTemplates,
} from './features/transcript-templates.ts'
export { fitsQuery, type WorkspaceSymbol, workspaceSymbols } from './features/workspace-symbols.ts'
export { conversationForm, detectForm } from './forms/detect-form.ts'
export type {
  Form,
  FormDescription,
  JsonForm,
  ReadContext,
  TextForm,
  WriteContext,
  WriteOption,
} from './forms/form.ts'
export {
  formOf,
  formOfJson,
  forms,
  formsWith,
  isJsonSource,
  listKeys,
  ownKeys,
  type SourceForm,
  sourceForms,
  type TargetForm,
  targetForms,
} from './forms/form-registry.ts'
export type { RenderPurpose } from './forms/harmony/harmony-message.ts'
export type { JsonSample } from './forms/json-sample.ts'
export type { HeaderStyle } from './forms/transcript/header-style.ts'
export {
  conversionEdits,
  headerStyleEdit,
  type TranscriptConversion,
  transcriptConversions,
} from './forms/transcript/transcript-conversions.ts'
export {
  type VisibleMessage,
  type VisiblePart,
  visibleMessageOf,
  visibleMessages,
  visibleTexts,
} from './preview/visible-messages.ts'
export { applyEdits, applyFixes } from './rules/apply-fix.ts'
export { Checker, type CheckerOptions, type ProblemList } from './rules/checker.ts'
export {
  type Configuration,
  type ConfigurationProblem,
  type ConfigurationReading,
  configurationFileNames,
  noPathSettings,
  type PathSettings,
  readConfiguration,
  settingsForPath,
} from './rules/configuration.ts'
export { Document, type DocumentOptions } from './rules/document.ts'
export {
  differences,
  type Expectation,
  type ExpectationReading,
  type ExpectedProblem,
  expectationInHeader,
  nothingExpected,
  readExpectation,
} from './rules/expectation.ts'
export type { FlaggedSegment } from './rules/found-problems.ts'
export type { Problem, ProblemFix } from './rules/problem.ts'
export type { Rule, RuleDocumentation, Severity } from './rules/rule.ts'
export { ruleDocumentationPath, ruleNamed, rules, rulesWithCode } from './rules/rule-registry.ts'
export {
  type RuleSettings,
  ruleSettingsFrom,
  type SeveritySetting,
  settableNames,
  severitySettings,
} from './rules/rule-settings.ts'
export { type FixedText, fixSafely, safeFixOf } from './rules/safe-fixes.ts'
export { type Analysis, type AnalysisChange, analyze } from './semantics/analysis.ts'
export { builtinDefinition } from './semantics/builtin-definitions.ts'
export type { DocumentSettings } from './semantics/document-settings.ts'
export type { Exchange, ExchangeIndex, ExchangeProblem } from './semantics/exchange-index.ts'
export { whyHidden } from './semantics/hidden-text.ts'
export { factsOf, isCall, isReply, type MessageFacts, toolNameOf } from './semantics/message-facts.ts'
export type { DeclaredFormat, DeclaredTool, ToolChange, ToolIndex } from './semantics/tool-index.ts'
export { type HiddenReason, hiddenReason, isVisible, visibleText } from './semantics/visibility.ts'
export type {
  MessageEnd,
  MessageLabel,
  MessageStart,
  ResponseCancel,
  ResponseDelta,
  ResponseDone,
  ResponseFlush,
  StreamError,
  StreamEvent,
  StreamTerminator,
  ToolCall,
  ToolCancel,
} from './streaming/stream-event.ts'
export { streamEvents, streamVisibleText } from './streaming/stream-visible-text.ts'
export { type StreamingOptions, StreamingParser } from './streaming/streaming-parser.ts'
export {
  type BodyPiece,
  type BodyPieceKind,
  isPrivatePiece,
  renderedBody,
  renderedPieces,
} from './syntax/body.ts'
export { type MessageView, messageView } from './syntax/message-view.ts'
export type { Segment, SegmentKind } from './syntax/segment.ts'
export { eachToken, type Token, TokenKind, type TokenRun, tokenKindName } from './syntax/token-run.ts'
export { tokensOf } from './syntax/tokenize.ts'
export { dumpSegment } from './syntax/tree-dump.ts'
export { beginsToken } from './syntax/typed-token.ts'
export { failureText } from './text/failure-text.ts'
export { InvariantError } from './text/invariant.ts'
export {
  type Filling,
  localizable,
  localize,
  localized,
  setTranslations,
  type Translations,
} from './text/localize.ts'
export { releaseTexts } from './text/memo.ts'
export type { Position, Range, Span, TextEdit } from './text/range.ts'
export { dialectNames } from './vocabulary/dialects.ts'
export type { DialectName } from './vocabulary/framing.ts'
export { type Intent, intents } from './vocabulary/intents.ts'
