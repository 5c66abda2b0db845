/**
 * OpenChatML: parse, edit, check and convert transcripts.
 * This is the whole public API, written by hand; docs/library.md explains each name. What is not listed here is internal.
 */

export type { Conversation, ConversationMessage } from './conversation/conversation.ts'
export { ConversionError, type Loss } from './conversation/loss.ts'
export { shownTextOf } from './conversation/message-visibility.ts'
export {
  convert,
  type ReadOptions,
  readConversation,
  readJsonConversation,
  type WriteOptions,
  writeConversation,
} from './convert/convert.ts'
export { type ParseJson, parseToJson } from './convert/parse-json.ts'
export { countTokens, type TextEncoding, tokenIds } from './convert/token-counts.ts'
export { datasetKind } from './datasets/dataset-kind.ts'
export { editableSample } from './datasets/editable-sample.ts'
export { editedSample } from './datasets/edited-sample.ts'
export { readSample } from './datasets/sample.ts'
export { StretchCutter, samplePlaces } from './datasets/stretch-cutter.ts'
export { Transcript } from './document/transcript.ts'
export type { JsonValue } from './embedded/yaml-header.ts'
export { detectForm } from './forms/detect-form.ts'
export type { JsonForm, TextForm } from './forms/form.ts'
export { forms } from './forms/form-registry.ts'
export { conversionEdits } from './forms/transcript/transcript-conversions.ts'
export { type VisibleMessage, visibleMessages, visibleTexts } from './preview/visible-messages.ts'
export { applyEdits, applyFixes } from './rules/apply-fix.ts'
export { Document, type DocumentOptions } from './rules/document.ts'
export type { Problem } from './rules/problem.ts'
export { rules } from './rules/rule-registry.ts'
export { ruleSettingsFrom } from './rules/rule-settings.ts'
export { fixSafely } from './rules/safe-fixes.ts'
export { type Analysis, analyze } from './semantics/analysis.ts'
export { factsOf, type MessageFacts } from './semantics/message-facts.ts'
export type { StreamEvent } from './streaming/stream-event.ts'
export { streamEvents, streamVisibleText } from './streaming/stream-visible-text.ts'
export { StreamingParser } from './streaming/streaming-parser.ts'
export { renderedBody } from './syntax/body.ts'
export { messageView } from './syntax/message-view.ts'
export type { Segment } from './syntax/segment.ts'
export { failureText } from './text/failure-text.ts'
export { setTranslations } from './text/localize.ts'
export { releaseTexts } from './text/memo.ts'
export type { TextEdit } from './text/range.ts'
