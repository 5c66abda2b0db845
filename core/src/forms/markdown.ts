/** What an end user sees of a transcript as Markdown. Nothing hidden can be in it (D15). */

import { LossList, wellFormed } from '../conversation/loss.ts'
import { writeOcmUnits } from '../conversation/write-transcript.ts'
import { Transcript } from '../document/transcript.ts'
import { visibleMessages } from '../preview/visible-messages.ts'
import { type Analysis, analyze } from '../semantics/analysis.ts'
import { factsOf } from '../semantics/message-facts.ts'
import { isVisible } from '../semantics/visibility.ts'
import { longestBackticks } from '../text/backticks.ts'
import { localizable, localize } from '../text/localize.ts'
import { defineForm } from './form.ts'

/** The form, which is only written. */
export const markdown = defineForm({
  name: 'markdown',
  title: 'Markdown',
  summary: localizable`Only what an end user sees`,
  documentation:
    'what an end user sees, each text unchanged below a heading; write only. To publish a conversation, use *Export Conversation…* or `ocm render --format markdown`: they quote each message, so that no message can imitate another',
  language: 'markdown',
  holds: 'text',
  write(conversation, { losses }) {
    const text = writeOcmUnits(conversation, new LossList())
    return toMarkdown(analyze(Transcript.parse(text)), losses)
  },
})

/** The visible messages, each below a heading that says who speaks. */
function toMarkdown(analysis: Analysis, losses: LossList): string {
  const sections: string[] = []
  for (const { role, name, parts, truncated } of visibleMessages(analysis)) {
    const speaker = role === 'user' ? 'User' : 'Assistant'
    const alias = name === undefined ? '' : ` (${escapedName(name)})`
    const body = parts.map(({ kind, text }) => (kind === 'literal' ? literal(text) : text)).join('')
    sections.push(`## ${speaker}${alias}\n\n${body.trim()}${truncated ? ' …' : ''}\n`)
  }
  analysis.transcript.forEachSegment((segment) => {
    const facts = factsOf(segment)
    if (facts?.isMessage && !isVisible(facts))
      losses.add('hidden-message', localize`What users do not see is left out`)
  })
  return wellFormed(sections.join('\n'), losses)
}

function escapedName(name: string): string {
  return name.replace(/[\\`*_{}[\]<>()#+!|]/g, '\\$&')
}

/** Verbatim text as code, with a fence that it does not contain. */
function literal(text: string): string {
  const longest = longestBackticks(text)
  if (!text.includes('\n')) {
    const ticks = '`'.repeat(longest + 1)
    return text === '' ? '' : `${ticks} ${text} ${ticks}`
  }
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `\n${fence}\n${text.replace(/^\n|\n$/g, '')}\n${fence}\n`
}
