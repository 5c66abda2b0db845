/** Rules that find phrases in answers of the assistant: whom they concern, and how they look. */
import { kindOf } from '../semantics/message-kind.ts'
import { proseMatches } from './prose.ts'
import { quoted } from './quoted.ts'
import type { Finding, MessageRule } from './rule.ts'

/** What is looked for. */
export interface AnswerPhrases {
  /** Matches every text that has one of the phrases, and costs little. */
  readonly hint: RegExp
  /** Global. */
  readonly phrases: RegExp
  /** True if the phrases begin the answer: then its beginning is all that is looked at. */
  readonly areFirst?: boolean
  /** The message about the phrase, which is quoted. */
  readonly messageOf: (phrase: string) => string
}

/** Reports the first phrase of each answer. */
export function answerCheck({
  hint,
  phrases,
  areFirst = false,
  messageOf,
}: AnswerPhrases): Pick<MessageRule, 'concerns' | 'check'> {
  return {
    concerns: ({ role, isMessage }) => isMessage && role === 'assistant',
    check(context): Finding | undefined {
      if (kindOf(context.facts) !== 'answer') return undefined
      const { text, plainBodyStart } = context.segment
      const isBeginning = areFirst && plainBodyStart > 0
      if (!hint.test(isBeginning ? text.slice(plainBodyStart, plainBodyStart + longestPhrase) : text))
        return undefined
      const [found] = proseMatches(context, phrases)
      return found && { span: found.span, message: messageOf(quoted(found.match[0].trim())) }
    },
  }
}

const longestPhrase = 120 // code units; those at the beginning of an answer are shorter
