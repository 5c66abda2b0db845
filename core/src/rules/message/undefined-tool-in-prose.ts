/** A tool that instructions name, and that they do not define. */
import type { ToolDefinition } from '../../embedded/tool-definition.ts'
import { declarationsOf } from '../../semantics/tool-declarations.ts'
import { localize } from '../../text/localize.ts'
import { functionPrefix } from '../../vocabulary/roles.ts'
import { closestWord, didYouMean } from '../closest-word.ts'
import { example } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { Finding, MessageRule } from '../rule.ts'

/** Instructions and definitions of one message speak of the same tools. */
export const undefinedToolInProse: MessageRule = {
  name: 'undefined-tool-in-prose',
  code: 'H-TOOL-PROSE',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §8.1',
  summary: 'Instructions name a function that their message does not define',
  why: 'A model that is asked to use an undefined tool calls it anyway.\nOften the tool was renamed in its definition only.\nOnly names that begin with `functions.` are looked at, in messages that define functions.',
  bad: example`
    version: 2.2
    <|start|>developer<|message|>Look things up with functions.serach first.

    # Tools

    ## functions

    namespace functions {

    type search = (_: {
    query: string,
    }) => any;

    } // namespace functions<|end|>
  `,
  good: example`
    version: 2.2
    <|start|>developer<|message|>Look things up with functions.search first.

    # Tools

    ## functions

    namespace functions {

    type search = (_: {
    query: string,
    }) => any;

    } // namespace functions<|end|>
  `,
  concerns(facts) {
    return facts.role === 'developer' || facts.role === 'system'
  },
  *check({ segment }): Iterable<Finding> {
    if (!segment.text.includes(functionPrefix)) return
    const declarations = declarationsOf(segment)
    const functions = declarations?.definitions.filter(isFunction) ?? []
    if (!declarations || functions.length === 0) return
    const names = functions.map(({ name }) => name)
    const known = new Set(names)
    for (const { index, 0: written, 1: name = '' } of declarations.source.text.matchAll(mention)) {
      const end = index + written.length
      const isDefined =
        known.has(name) || functions.some(({ range }) => range.start <= index && end <= range.end)
      if (isDefined) continue
      const span = declarations.source.spanOf({ start: end - name.length, end })
      const meant = closestWord(name, names)
      const fix = {
        title: localize`Write ${quoted(meant ?? '')}`,
        edits: [{ span, text: meant ?? '' }],
        isSafe: false,
      }
      yield {
        span,
        message: didYouMean(localize`${quoted(functionPrefix + name)} is not defined in this message`, meant),
        fixes: meant === undefined ? [] : [fix],
      }
    }
  },
}

function isFunction({ namespace }: ToolDefinition): boolean {
  return `${namespace}.` === functionPrefix
}

// The name ends where the word does; a dot behind it ends the sentence.
const mention = /\bfunctions\.([A-Za-z_][\w-]*)/g
