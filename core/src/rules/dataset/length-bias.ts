/** A bias towards the length of answers. */
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import type { DatasetRule } from '../rule.ts'

/** A preference is about more than length (S16). */
export const lengthBias: DatasetRule = {
  name: 'length-bias',
  code: 'H-PAIR-LENGTH',
  severity: 'hint',
  scope: 'dataset',
  group: 'data',
  section: '2.2 §10, S11, S16',
  summary: 'In nearly all pairs of a dataset, the longer answer is chosen, or the shorter one',
  why: 'The model learns to prefer a length, which is easier than learning what makes an answer better.\nThe bias is reported for 20 or more pairs, if 90 % of them agree.',
  bad: example`
    {"prompt": "Question 1?", "chosen": "Answer 1, with reasons.", "rejected": "Answer 1."}
    {"prompt": "Question 2?", "chosen": "Answer 2, with reasons.", "rejected": "Answer 2."}
    {"prompt": "Question 3?", "chosen": "Answer 3, with reasons.", "rejected": "Answer 3."}
    {"prompt": "Question 4?", "chosen": "Answer 4, with reasons.", "rejected": "Answer 4."}
    {"prompt": "Question 5?", "chosen": "Answer 5, with reasons.", "rejected": "Answer 5."}
    {"prompt": "Question 6?", "chosen": "Answer 6, with reasons.", "rejected": "Answer 6."}
    {"prompt": "Question 7?", "chosen": "Answer 7, with reasons.", "rejected": "Answer 7."}
    {"prompt": "Question 8?", "chosen": "Answer 8, with reasons.", "rejected": "Answer 8."}
    {"prompt": "Question 9?", "chosen": "Answer 9, with reasons.", "rejected": "Answer 9."}
    {"prompt": "Question 10?", "chosen": "Answer 10, with reasons.", "rejected": "Answer 10."}
    {"prompt": "Question 11?", "chosen": "Answer 11, with reasons.", "rejected": "Answer 11."}
    {"prompt": "Question 12?", "chosen": "Answer 12, with reasons.", "rejected": "Answer 12."}
    {"prompt": "Question 13?", "chosen": "Answer 13, with reasons.", "rejected": "Answer 13."}
    {"prompt": "Question 14?", "chosen": "Answer 14, with reasons.", "rejected": "Answer 14."}
    {"prompt": "Question 15?", "chosen": "Answer 15, with reasons.", "rejected": "Answer 15."}
    {"prompt": "Question 16?", "chosen": "Answer 16, with reasons.", "rejected": "Answer 16."}
    {"prompt": "Question 17?", "chosen": "Answer 17, with reasons.", "rejected": "Answer 17."}
    {"prompt": "Question 18?", "chosen": "Answer 18, with reasons.", "rejected": "Answer 18."}
    {"prompt": "Question 19?", "chosen": "Answer 19, with reasons.", "rejected": "Answer 19."}
    {"prompt": "Question 20?", "chosen": "Answer 20, with reasons.", "rejected": "Answer 20."}
  `,
  good: example`
    {"prompt": "Question 1?", "chosen": "Answer 1, with reasons.", "rejected": "Answer 1."}
    {"prompt": "Question 2?", "chosen": "Answer 2.", "rejected": "Answer 2, with reasons."}
    {"prompt": "Question 3?", "chosen": "Answer 3, with reasons.", "rejected": "Answer 3."}
    {"prompt": "Question 4?", "chosen": "Answer 4.", "rejected": "Answer 4, with reasons."}
    {"prompt": "Question 5?", "chosen": "Answer 5, with reasons.", "rejected": "Answer 5."}
    {"prompt": "Question 6?", "chosen": "Answer 6.", "rejected": "Answer 6, with reasons."}
    {"prompt": "Question 7?", "chosen": "Answer 7, with reasons.", "rejected": "Answer 7."}
    {"prompt": "Question 8?", "chosen": "Answer 8.", "rejected": "Answer 8, with reasons."}
    {"prompt": "Question 9?", "chosen": "Answer 9, with reasons.", "rejected": "Answer 9."}
    {"prompt": "Question 10?", "chosen": "Answer 10.", "rejected": "Answer 10, with reasons."}
    {"prompt": "Question 11?", "chosen": "Answer 11, with reasons.", "rejected": "Answer 11."}
    {"prompt": "Question 12?", "chosen": "Answer 12.", "rejected": "Answer 12, with reasons."}
    {"prompt": "Question 13?", "chosen": "Answer 13, with reasons.", "rejected": "Answer 13."}
    {"prompt": "Question 14?", "chosen": "Answer 14.", "rejected": "Answer 14, with reasons."}
    {"prompt": "Question 15?", "chosen": "Answer 15, with reasons.", "rejected": "Answer 15."}
    {"prompt": "Question 16?", "chosen": "Answer 16.", "rejected": "Answer 16, with reasons."}
    {"prompt": "Question 17?", "chosen": "Answer 17, with reasons.", "rejected": "Answer 17."}
    {"prompt": "Question 18?", "chosen": "Answer 18.", "rejected": "Answer 18, with reasons."}
    {"prompt": "Question 19?", "chosen": "Answer 19, with reasons.", "rejected": "Answer 19."}
    {"prompt": "Question 20?", "chosen": "Answer 20.", "rejected": "Answer 20, with reasons."}
  `,
  check({ pairs: { count }, nLongerChosen }) {
    if (count < fewestPairs) return undefined
    const share = nLongerChosen / count
    const [longer, pairs] = [nLongerChosen.toLocaleString('en'), count.toLocaleString('en')]
    if (share >= biased) return localize`The longer answer is chosen in ${longer} of ${pairs} pairs`
    if (share > 1 - biased) return undefined
    return localize`The longer answer is chosen in only ${longer} of ${pairs} pairs`
  },
  compared: ({ pairs }) => pairs,
}

const fewestPairs = 20
const biased = 0.9
