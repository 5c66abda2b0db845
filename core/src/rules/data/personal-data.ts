/** Data of persons in a sample. */
import { bodyText } from '../../semantics/body-text.ts'
import { localizable, localize, localized } from '../../text/localize.ts'
import { redacted } from '../../text/secrets.ts'
import { example } from '../example.ts'
import { personalDataIn } from '../personal-data-in.ts'
import type { Finding, MessageRule } from '../rule.ts'

/** What a model is trained on, it can repeat (S16). */
export const personalData: MessageRule = {
  name: 'personal-data',
  code: 'H-DATA-PERSONAL',
  severity: 'hint',
  scope: 'message',
  group: 'data',
  section: '2.2 §11, S16',
  summary: 'A message of a sample contains an email address, phone number, card number, IBAN, or IP address',
  why: 'A model that is trained on personal data can repeat it, and the law may forbid its use.\nNumbers are reported only if their check digits are right; addresses that are reserved for documentation are not reported.',
  bad: example`
    {"messages": [{"role": "user", "content": "Write to ann.lee@lee-family.net please"}, {"role": "assistant", "content": "Sent."}]}
  `,
  good: example`
    {"messages": [{"role": "user", "content": "Write to [REDACTED] please"}, {"role": "assistant", "content": "Sent."}]}
  `,
  concerns({ isMessage }) {
    return isMessage
  },
  check({ segment, facts }) {
    const body = bodyText(segment, facts)
    const found = body ? personalDataIn(body.text) : []
    if (!body || found.length === 0) return undefined
    return found.map(({ range, kind }): Finding => {
      const span = body.spanOf(range)
      const edits = [{ span, text: redacted }]
      const fixes = [{ title: localize`Redact it`, edits, isSafe: false }]
      return { span, message: localized(messages[kind]), fixes }
    })
  },
}

const messages = {
  mail: localizable`The message contains an email address`,
  phone: localizable`The message contains a phone number`,
  card: localizable`The message contains a card number`,
  iban: localizable`The message contains an IBAN`,
  address: localizable`The message contains an IP address`,
}
