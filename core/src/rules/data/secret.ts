/** Keys and tokens of services in a sample. */
import { bodyText } from '../../semantics/body-text.ts'
import { localize } from '../../text/localize.ts'
import { redacted, secretsIn } from '../../text/secrets.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { Finding, MessageRule } from '../rule.ts'

/** What a model is trained on, it can repeat (S16). */
export const secret: MessageRule = {
  name: 'secret',
  code: 'W-DATA-SECRET',
  severity: 'warning',
  scope: 'message',
  group: 'data',
  section: '2.2 §11, S16',
  summary: 'A message of a sample contains a key or a token of a service',
  why: 'Anyone with the data can use the secret, and a model that is trained on it can repeat it.\nKeys are found by the prefixes that services give them, secret keys of AWS by their name, and passwords in addresses such as `postgres://app:…@db`; placeholders such as `sk-xxxx` are not reported.\nAll text that a model may be trained on is searched: messages, reasoning, arguments of calls, replies, and tool definitions. Other fields of a sample and addresses of images are not.\nRedact it, and revoke it where it was issued.',
  bad: example`
    {"messages": [{"role": "user", "content": "My token is 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"}, {"role": "assistant", "content": "Revoke it."}]}
  `,
  good: example`
    {"messages": [{"role": "user", "content": "My token is [REDACTED]"}, {"role": "assistant", "content": "Revoke it."}]}
  `,
  concerns({ isMessage }) {
    return isMessage
  },
  check({ segment, facts }) {
    const body = bodyText(segment, facts)
    if (!body) return undefined
    const found = secretsIn(body.text)
    if (found.length === 0) return undefined
    return found.map(({ range, what }): Finding => {
      const span = body.spanOf(range)
      const edits = [{ span, text: redacted }]
      const fixes = [{ title: localize`Redact it`, edits, isSafe: false }]
      return { span, message: localize`The message contains a secret: ${quoted(what)}`, fixes }
    })
  },
}
