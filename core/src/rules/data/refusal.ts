/** Answers that refuse. */
import { localize } from '../../text/localize.ts'
import { answerCheck } from '../answer-phrases.ts'
import { example } from '../example.ts'
import type { MessageRule } from '../rule.ts'

/** Refusals are learned like any other answer (S16). */
export const refusal: MessageRule = {
  name: 'refusal',
  code: 'H-DATA-REFUSAL',
  severity: 'hint',
  scope: 'message',
  group: 'data',
  section: '2.2 §10, S16',
  summary: 'An answer of a sample begins with a refusal',
  why: 'Refusals of the model that wrote the data become refusals of the model that is trained on it, often for questions that it could answer.\nOnly English phrases at the beginning of an answer are found.',
  bad: example`
    {"messages": [{"role": "user", "content": "Write a villain's speech."}, {"role": "assistant", "content": "I'm sorry, but I can't help with that."}]}
  `,
  good: example`
    {"messages": [{"role": "user", "content": "Write a villain's speech."}, {"role": "assistant", "content": "Kneel, all of you!"}]}
  `,
  ...answerCheck({
    hint: /sorry|cannot|can['’]t|unable|not able|won['’]t|will not|apologi[sz]e/i,
    phrases:
      /^(?:I['’]m (?:really |very |so )?sorry,? (?:but )?|I am (?:very )?sorry,? (?:but )?|Sorry,? (?:but )?|I apologi[sz]e,? (?:but )?|Unfortunately,? )?I(?: can(?:['’]t|not)| am (?:not able|unable) to|['’]m (?:not able|unable) to| won['’]t(?: be able to)?| will not) (?:assist|help|provide|fulfil|fulfill|comply|create|generate|engage|support|discuss|answer that|do that|write that|continue with)\b/gi,
    areFirst: true,
    messageOf: (phrase) => localize`The answer refuses: ${phrase}`,
  }),
}
