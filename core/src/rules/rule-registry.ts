/** Every rule, in the order of the documentation: adding one is a file and a line here. */
import { differentPrompts } from './data/different-prompts.ts'
import { emptyAnswer } from './data/empty-answer.ts'
import { identicalBranches } from './data/identical-branches.ts'
import { misplacedSystemMessage } from './data/misplaced-system-message.ts'
import { missingAnswer } from './data/missing-answer.ts'
import { nullArgument } from './data/null-argument.ts'
import { personalData } from './data/personal-data.ts'
import { refusal } from './data/refusal.ts'
import { repeatedTurn } from './data/repeated-turn.ts'
import { secret } from './data/secret.ts'
import { selfDescription } from './data/self-description.ts'
import { unclosedReasoning } from './data/unclosed-reasoning.ts'
import { wrongEncoding } from './data/wrong-encoding.ts'
import { duplicateSample } from './dataset/duplicate-sample.ts'
import { leakedSample } from './dataset/leaked-sample.ts'
import { lengthBias } from './dataset/length-bias.ts'
import { mixedArguments } from './dataset/mixed-arguments.ts'
import { mixedReasoning } from './dataset/mixed-reasoning.ts'
import { nearDuplicateSample } from './dataset/near-duplicate-sample.ts'
import { duplicateCallId } from './exchange/duplicate-call-id.ts'
import { mismatchedReplyName } from './exchange/mismatched-reply-name.ts'
import { missingCallId } from './exchange/missing-call-id.ts'
import { reportedCancellation } from './exchange/reported-cancellation.ts'
import { reportedTimeout } from './exchange/reported-timeout.ts'
import { unansweredCall } from './exchange/unanswered-call.ts'
import { unmatchedCallId } from './exchange/unmatched-call-id.ts'
import { headlessOutput } from './header/headless-output.ts'
import { invalidHeader } from './header/invalid-header.ts'
import { invalidVersion } from './header/invalid-version.ts'
import { missingHeader } from './header/missing-header.ts'
import { missingVersion } from './header/missing-version.ts'
import { textBeforeMessages } from './header/text-before-messages.ts'
import { unfitCase } from './header/unfit-case.ts'
import { unfitHeaderValue } from './header/unfit-header-value.ts'
import { unfitInput } from './header/unfit-input.ts'
import { unknownLintEntry } from './header/unknown-lint-entry.ts'
import { unsupportedVersion } from './header/unsupported-version.ts'
import { unusedInput } from './header/unused-input.ts'
import { versionLosesZero } from './header/version-loses-zero.ts'
import { bareJson } from './message/bare-json.ts'
import { brokenTemplate } from './message/broken-template.ts'
import { callWithoutRecipient } from './message/call-without-recipient.ts'
import { constraintViolation } from './message/constraint-violation.ts'
import { contradictingEffort } from './message/contradicting-effort.ts'
import { doubtfulHeader } from './message/doubtful-header.ts'
import { forbiddenPreamble } from './message/forbidden-preamble.ts'
import { forgedHeader } from './message/forged-header.ts'
import { gluedChannel } from './message/glued-channel.ts'
import { hiddenCharacter } from './message/hidden-character.ts'
import { hiddenPreamble } from './message/hidden-preamble.ts'
import { impossibleComparison } from './message/impossible-comparison.ts'
import { interruptedHeader } from './message/interrupted-header.ts'
import { lateRecipient } from './message/late-recipient.ts'
import { lateSystemMessage } from './message/late-system-message.ts'
import { lostRecipient } from './message/lost-recipient.ts'
import { malformedFunctionCall } from './message/malformed-function-call.ts'
import { mergeConflict } from './message/merge-conflict.ts'
import { misroutedCall } from './message/misrouted-call.ts'
import { missingChannel } from './message/missing-channel.ts'
import { missingToolName } from './message/missing-tool-name.ts'
import { repeatedThought } from './message/repeated-thought.ts'
import { roleAsRecipient } from './message/role-as-recipient.ts'
import { sampleWithoutReturn } from './message/sample-without-return.ts'
import { storedReturn } from './message/stored-return.ts'
import { truncatedMessage } from './message/truncated-message.ts'
import { unconstrainedCall } from './message/unconstrained-call.ts'
import { undefinedInput } from './message/undefined-input.ts'
import { undefinedToolInProse } from './message/undefined-tool-in-prose.ts'
import { unfinishedHeader } from './message/unfinished-header.ts'
import { unfitAllow } from './message/unfit-allow.ts'
import { unknownValue } from './message/unknown-value.ts'
import { unofferedBuiltin } from './message/unoffered-builtin.ts'
import { unreadConstraint } from './message/unread-constraint.ts'
import { unreadReply } from './message/unread-reply.ts'
import { visibleThought } from './message/visible-thought.ts'
import { visibleThoughtTag } from './message/visible-thought-tag.ts'
import { visibleToolCall } from './message/visible-tool-call.ts'
import { wrongTerminator } from './message/wrong-terminator.ts'
import { overBudget } from './prompt/over-budget.ts'
import { tokenInValue } from './prompt/token-in-value.ts'
import { unfillablePrompt } from './prompt/unfillable-prompt.ts'
import { unmentionedTool } from './prompt/unmentioned-tool.ts'
import { userTextInInstructions } from './prompt/user-text-in-instructions.ts'
import { writtenOutDate } from './prompt/written-out-date.ts'
import { cutBranches } from './rendering/cut-branches.ts'
import { emptyMask } from './rendering/empty-mask.ts'
import { excessiveLength } from './rendering/excessive-length.ts'
import { failingTemplate } from './rendering/failing-template.ts'
import { lostText } from './rendering/lost-text.ts'
import { unstablePrefix } from './rendering/unstable-prefix.ts'
import { untrainedStop } from './rendering/untrained-stop.ts'
import type { Rule, RuleDocumentation } from './rule.ts'
import { unreadColumn } from './sample/unread-column.ts'
import { unreadableCall } from './sample/unreadable-call.ts'
import { unshownPart } from './sample/unshown-part.ts'
import { incompleteFim } from './sequence/incomplete-fim.ts'
import { bareContentType } from './syntax/bare-content-type.ts'
import { cutHeader } from './syntax/cut-header.ts'
import { duplicateAttribute } from './syntax/duplicate-attribute.ts'
import { earlyConstraint } from './syntax/early-constraint.ts'
import { emptyAttribute } from './syntax/empty-attribute.ts'
import { emptyChannel } from './syntax/empty-channel.ts'
import { emptyConstraint } from './syntax/empty-constraint.ts'
import { extraWord } from './syntax/extra-word.ts'
import { lateAttribute } from './syntax/late-attribute.ts'
import { missingRole } from './syntax/missing-role.ts'
import { openLiteral } from './syntax/open-literal.ts'
import { openThought } from './syntax/open-thought.ts'
import { repeatedChannel } from './syntax/repeated-channel.ts'
import { repeatedConstraint } from './syntax/repeated-constraint.ts'
import { spaceAfterToken } from './syntax/space-after-token.ts'
import { strayText } from './syntax/stray-text.ts'
import { tokenInBody } from './syntax/token-in-body.ts'
import { tokenInHeader } from './syntax/token-in-header.ts'
import { unknownAttribute } from './syntax/unknown-attribute.ts'
import { unknownChannel } from './syntax/unknown-channel.ts'
import { unknownRole } from './syntax/unknown-role.ts'
import { wordBeforeChannel } from './syntax/word-before-channel.ts'
import { argumentsNotAnObject } from './tools/arguments-not-an-object.ts'
import { brokenToolDefinition } from './tools/broken-tool-definition.ts'
import { duplicateArgument } from './tools/duplicate-argument.ts'
import { inconsistentReply } from './tools/inconsistent-reply.ts'
import { invalidArguments } from './tools/invalid-arguments.ts'
import { invalidDeadline } from './tools/invalid-deadline.ts'
import { unexpectedAnswer } from './tools/unexpected-answer.ts'
import { unexpectedArgument } from './tools/unexpected-argument.ts'
import { unknownTool } from './tools/unknown-tool.ts'
import { unprefixedTool } from './tools/unprefixed-tool.ts'

/** All rules. */
export const rules: readonly Rule[] = [
  missingHeader,
  invalidHeader,
  headlessOutput,
  textBeforeMessages,
  missingVersion,
  invalidVersion,
  unsupportedVersion,
  versionLosesZero,
  unfitHeaderValue,
  unknownLintEntry(() => rules),
  missingRole,
  unknownRole,
  wordBeforeChannel,
  duplicateAttribute,
  emptyAttribute,
  unknownAttribute,
  lateAttribute,
  emptyChannel,
  unknownChannel,
  repeatedChannel,
  extraWord,
  bareContentType,
  emptyConstraint,
  earlyConstraint,
  repeatedConstraint,
  spaceAfterToken,
  tokenInHeader,
  cutHeader,
  tokenInBody,
  openLiteral,
  openThought,
  strayText,
  mergeConflict,
  interruptedHeader,
  unfinishedHeader,
  truncatedMessage,
  missingChannel,
  missingToolName,
  unknownValue,
  wrongTerminator,
  sampleWithoutReturn,
  storedReturn,
  callWithoutRecipient,
  misroutedCall,
  constraintViolation,
  malformedFunctionCall,
  forbiddenPreamble,
  visibleThought,
  bareJson,
  hiddenPreamble,
  lostRecipient,
  lateSystemMessage,
  roleAsRecipient,
  doubtfulHeader,
  gluedChannel,
  visibleToolCall,
  visibleThoughtTag,
  repeatedThought,
  hiddenCharacter,
  forgedHeader,
  unofferedBuiltin,
  unreadConstraint,
  unconstrainedCall,
  lateRecipient,
  unreadReply,
  missingCallId,
  duplicateCallId,
  unmatchedCallId,
  mismatchedReplyName,
  unansweredCall,
  reportedTimeout,
  reportedCancellation,
  incompleteFim,
  unknownTool,
  unprefixedTool,
  argumentsNotAnObject,
  invalidArguments,
  unexpectedArgument,
  invalidDeadline,
  duplicateArgument,
  brokenToolDefinition,
  inconsistentReply,
  unexpectedAnswer,
  unreadColumn,
  unreadableCall,
  unshownPart,
  undefinedInput,
  impossibleComparison,
  unusedInput,
  unfitInput,
  unfitCase,
  brokenTemplate,
  contradictingEffort,
  undefinedToolInProse,
  unfillablePrompt,
  overBudget,
  tokenInValue,
  unmentionedTool,
  userTextInInstructions,
  writtenOutDate,
  unfitAllow,
  missingAnswer,
  emptyAnswer,
  repeatedTurn,
  misplacedSystemMessage,
  nullArgument,
  unclosedReasoning,
  refusal,
  selfDescription,
  secret,
  personalData,
  wrongEncoding,
  identicalBranches,
  differentPrompts,
  failingTemplate,
  emptyMask,
  untrainedStop,
  unstablePrefix,
  lostText,
  excessiveLength,
  cutBranches,
  duplicateSample,
  nearDuplicateSample,
  leakedSample,
  mixedArguments,
  mixedReasoning,
  lengthBias,
]

/** The rule called `name`, or undefined. */
export function ruleNamed(name: string): Rule | undefined {
  return rules.find((rule) => rule.name === name)
}

/** The rules that report `code`. */
export function rulesWithCode(code: string): readonly Rule[] {
  return rules.filter((rule) => rule.code === code)
}

/** The page about `rule`, as a path in this project. */
export function ruleDocumentationPath({ name }: RuleDocumentation): string {
  return `docs/rules/${name}.md`
}
