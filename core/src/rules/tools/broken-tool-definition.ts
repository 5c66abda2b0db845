/** A tool definition, or a part of it, that cannot be read. */

import { declarationsOf } from '../../semantics/tool-declarations.ts'
import { definedTools, example, weatherTool } from '../example.ts'
import type { MessageRule } from '../rule.ts'

/** Definitions are TypeScript as Harmony shows it, or JSON Schema (D19, D22). */
export const brokenToolDefinition: MessageRule = {
  name: 'broken-tool-definition',
  code: 'H-TOOL-DEFINITION',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §8.2, D19, D22',
  summary: 'A tool definition or response format cannot be read',
  why: 'A model may misread such a definition. The broken parts are not used to check calls of the tool.\nThe other definitions of the message are not affected.',
  bad: example`
    ${definedTools(weatherTool.replace('})', '}'))}
  `,
  good: example`
    ${definedTools(weatherTool)}
  `,
  concerns({ role }) {
    return role === 'developer' || role === 'system'
  },
  check({ segment }) {
    const declarations = declarationsOf(segment)
    if (!declarations) return undefined
    return declarations.problems.slice(0, problemsAtMost).map(({ kind, range, message, related }) => ({
      span: declarations.source.spanOf(range),
      message,
      // That something is not examined must be seen; it is not a mistake of the text.
      ...(kind === 'too-large' && { severity: 'information' }),
      related: related
        ? [{ segment, span: declarations.source.spanOf(related.range), message: related.message }]
        : [],
    }))
  },
}

const problemsAtMost = 200 // of one message
