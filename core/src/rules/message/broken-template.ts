/** A template that can't be read to its end. */
import { type JinjaProblem, tooLongTags } from '../../embedded/jinja.ts'
import { templateOf } from '../../semantics/template-body.ts'
import { localize } from '../../text/localize.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { Finding, MessageRule } from '../rule.ts'

/** Each body is a template of its own. */
export const brokenTemplate: MessageRule = {
  name: 'broken-template',
  code: 'W-TEMPLATE-SYNTAX',
  severity: 'warning',
  scope: 'message',
  section: '2.2 §2',
  summary: 'A template has a tag or block that is not closed',
  why: 'Each body is a separate template, so a block must end in the message in which it begins.\nA template with a syntax error cannot be filled.\nA transcript without `inputs` is not checked.',
  bad: example`
    version: 2.2
    inputs:
      customer: { type: string }
    <|start|>user<|message|>{% if customer %}Hello {{ customer }}<|end|>
  `,
  good: example`
    version: 2.2
    inputs:
      customer: { type: string }
    <|start|>user<|message|>{% if customer %}Hello {{ customer }}{% endif %}<|end|>
  `,
  concerns(_facts, { settings }) {
    return settings.inputs !== undefined
  },
  *check({ segment }): Iterable<Finding> {
    const template = templateOf(segment)
    const isInTag = template?.problems.some(
      ({ kind }) => kind === 'unclosed-tag' || kind === 'unclosed-string',
    )
    for (const problem of template?.problems ?? []) {
      const span = template?.source.spanOf(problem.range)
      if (!span) continue
      const closer = `{% end${problem.word} %}`
      const end = template?.source.spanOf({
        start: template.source.text.length,
        end: template.source.text.length,
      })
      const fixes =
        problem.kind === 'unclosed-block' && end && !isInTag
          ? [{ title: localize`Add ${quoted(closer)}`, edits: [{ span: end, text: closer }], isSafe: false }]
          : []
      yield { span, message: messageOf(problem), fixes, isOnTemplate: false }
    }
  },
}

function messageOf({ kind, word }: JinjaProblem): string {
  switch (kind) {
    case 'unclosed-tag':
      return localize`The tag ${quoted(word)} is not closed`
    case 'unclosed-string':
      return localize`A string in this tag is not closed`
    case 'too-long':
      return tooLongTags()
    case 'unclosed-block':
      return localize`The block ${quoted(word)} is not closed in this message`
    case 'unexpected-end':
      return localize`${quoted(word)} does not close a block of this message`
    default:
      return kind satisfies never
  }
}
