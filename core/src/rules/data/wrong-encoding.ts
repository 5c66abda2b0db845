/** Text that was decoded with the wrong encoding. */
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { proseMatches } from '../prose.ts'
import { quoted } from '../quoted.ts'
import type { Finding, MessageRule } from '../rule.ts'
import { mojibake, restored } from '../wrong-encodings.ts'

/** A model learns the characters that it reads (S16). */
export const wrongEncoding: MessageRule = {
  name: 'wrong-encoding',
  code: 'W-DATA-MOJIBAKE',
  severity: 'warning',
  scope: 'message',
  group: 'data',
  section: '2.2 §10, S16',
  summary: 'A message of a sample contains wrongly encoded characters or replacement characters',
  why: 'Text in UTF-8 that was read as Windows-1252 has `Ã©` in place of `é`; what could not be read at all is `�`.\nA model that is trained on such text writes it, too.\nText in backticks and in code is not reported.',
  bad: example`
    {"messages": [{"role": "user", "content": "Where is the cafÃ©?"}, {"role": "assistant", "content": "There."}]}
  `,
  good: example`
    {"messages": [{"role": "user", "content": "Where is the café?"}, {"role": "assistant", "content": "There."}]}
  `,
  concerns({ isMessage }) {
    return isMessage
  },
  check(context) {
    if (!mayHaveMojibake(context.segment.text)) return undefined
    const findings: Finding[] = []
    for (const { span, match } of proseMatches(context, mojibake)) {
      const [text] = match
      if (text.startsWith('\ufffd')) {
        findings.push({ span, message: localize`Replacement characters: part of the text is lost` })
        continue
      }
      const meant = restored(text)
      if (meant === undefined) continue
      const fixes = [
        { title: localize`Replace with ${quoted(meant)}`, edits: [{ span, text: meant }], isSafe: false },
      ]
      findings.push({
        span,
        message: localize`${quoted(text)} is ${quoted(meant)} in the wrong encoding`,
        fixes,
      })
    }
    return findings
  },
}

/** True for a text with one of the beginnings of {@link mojibake}; a character alone is found faster than one of several. */
function mayHaveMojibake(text: string): boolean {
  return beginnings.some((it) => text.includes(it))
}

/**
 * As far as they are unusual: letters of French alone are no reason to look closer. For Chinese and Japanese, what most texts have:
 * `，`, `。`, `的`, and kana.
 */
const beginnings = [
  '\ufffd',
  'Ã',
  'Â',
  'ðŸ',
  'ð\u009f',
  'Ð',
  'Ñ',
  'â€',
  'â\u0080',
  'ï»¿',
  'ï¼',
  'ã€',
  'ã\u0080',
  'çš',
  'ç\u009a',
  'ã\u0081',
  'ã‚',
  'ã\u0082',
  'ãƒ',
  'ã\u0083',
]
