/** A value of an attribute or a constraint that means nothing. */

import { bodyText } from '../../semantics/body-text.ts'
import type { WordView } from '../../syntax/message-view.ts'
import { localize } from '../../text/localize.ts'
import { contentTypes, intents, isContentType } from '../../vocabulary/attributes.ts'
import { choiceFixes } from '../choice-fixes.ts'
import { closestWord, expectedOneOf } from '../closest-word.ts'
import { doubtAt, doubtFixes } from '../doubt-fixes.ts'
import { example } from '../example.ts'
import { jsonArguments } from '../json-arguments.ts'
import { attributeNamed, removal } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { Finding, Fix, MessageContext, MessageRule } from '../rule.ts'

/** Intents and types come from short lists (D6, D7). */
export const unknownValue: MessageRule = {
  name: 'unknown-value',
  code: 'W-VALUE-UNKNOWN',
  severity: 'warning',
  scope: 'message',
  section: '2.2 §6, D6, D7',
  summary: 'An intent, a constraint, or a content type has an unknown value',
  why: 'An unknown intent has no effect: with a mistyped `preamble` the message stays hidden.\nA body cannot be checked against an unknown type.\nAll media types, such as `text/plain`, are accepted.',
  bad: example`
    version: 2.2
    <|start|>assistant intent=preambel<|channel|>commentary<|message|>Let me see.<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant intent=preamble<|channel|>commentary<|message|>Let me see.<|end|>
  `,
  concerns(facts, { hasTurns }) {
    return (
      facts.isMessage &&
      !hasTurns &&
      (facts.intent !== undefined || facts.constraint !== undefined || facts.contentType !== undefined)
    )
  },
  check(context) {
    const { facts } = context
    const { intent, constraint, contentType } = facts
    const isIntentKnown = intent === undefined || intentNames.includes(intent)
    const isConstraintKnown = constraint === undefined || isContentType(constraint)
    const isTypeKnown = contentType === undefined || isContentType(contentType)
    if (isIntentKnown && isConstraintKnown && isTypeKnown) return undefined
    const { view } = context
    if (view.isCut) return undefined
    const findings: Finding[] = []
    if (!isIntentKnown)
      add(attributeNamed(view, 'intent')?.value, (it) => localize`Unknown intent ${it}`, intentNames)
    if (!isConstraintKnown)
      add(
        view.constraint?.value,
        (it) => localize`Unknown type ${it}`,
        typeNames,
        () => constraintFixes(context),
      )
    if (!isTypeKnown) add(typeWord(context), (it) => localize`Unknown content type ${it}`, typeNames)
    return findings

    function add(
      word: WordView | undefined,
      unknown: (word: string) => string,
      known: readonly string[],
      otherFixes: () => readonly Fix[] = () => [],
    ): void {
      if (!word) return
      const suggestion = closestWord(word.text, known)
      const doubt = doubtFixes(context.segment, view, word.span)
      const others = suggestion || doubt.length > 0 ? [] : otherFixes()
      // Without a slip of the pen to correct, any of the known words may be meant.
      const words = (suggestion ? [suggestion] : known).filter(
        (it) => !others.some(({ edits }) => edits[0]?.text === it),
      )
      findings.push({
        span: word.span,
        message: doubtAt(context.segment, view, word.span)
          ? localize`${unknown(quoted(word.text))} may say who the message is for, so the message is hidden`
          : expectedOneOf(unknown(quoted(word.text)), suggestion, known),
        fixes: [...doubt, ...others, ...choiceFixes(word.span, words)],
      })
    }
  },
}

const intentNames = intents.map(({ name }) => name)
const typeNames = contentTypes.map(({ name }) => name)

/** The content type as attribute, or bare on a call; bare on another message it has a problem of its own (D7). */
function typeWord({ view, facts }: MessageContext): WordView | undefined {
  const attribute = attributeNamed(view, 'content_type')
  if (attribute) return attribute.value
  return facts.hasRecipient ? view.bareContentType : undefined
}

/** Without a slip of the pen to correct: the type that the body has, or no type. */
function constraintFixes(context: MessageContext): readonly Fix[] {
  const { constraint } = context.view
  if (!constraint?.value) return []
  const fixes: Fix[] = []
  if (jsonArguments(context) || bodyText(context.segment, context.facts)?.text.trim() === '{}') {
    const edits = [{ span: constraint.value.span, text: 'json' }]
    fixes.push({ title: localize`Write \`json\`, the type of the body`, edits, isSafe: false })
  }
  const edits = [removal(context.segment, { from: constraint.marker.from, to: constraint.value.span.to })]
  return [...fixes, { title: localize`Remove the constraint`, edits, isSafe: false }]
}
