/** A tool that instructions name, and that they do not define. */

import type { ToolDefinition } from '../../embedded/tool-definition.ts'
import { declarationsOf } from '../../semantics/tool-declarations.ts'
import { localize } from '../../text/localize.ts'
import { functionPrefix } from '../../vocabulary/roles.ts'
import { writingFixes } from '../choice-fixes.ts'
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
  why: 'A model that is asked to use an undefined tool calls it anyway.\nOften, the tool was renamed only in its definition.\nOnly messages that define functions are checked, and in them only names that begin with `functions.`, and names in backticks that are similar to a defined one.',
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
    if (!segment.text.includes(functionPrefix) && !segment.text.includes('`')) return
    const declarations = declarationsOf(segment)
    const functions = declarations?.definitions.filter(isFunction) ?? []
    if (!declarations || functions.length === 0) return
    const names = functions.map(({ name }) => name)
    const known = new Set(names)
    const { source } = declarations
    const isInDefinition = (start: number, end: number) =>
      functions.some(({ range }) => range.start <= start && end <= range.end)
    let argumentNames: ReadonlySet<string> | undefined
    let left = mentionsAtMost
    for (const { index, 0: written, 1: inCode, 2: withPrefix } of source.text.matchAll(mention)) {
      const name = inCode ?? withPrefix ?? ''
      const start = index + written.indexOf(name, inCode === undefined ? functionPrefix.length : 0)
      const end = start + name.length
      if (known.has(name) || isInDefinition(index, end)) continue
      if (left-- === 0) return
      const meant = closestWord(name, names)
      if (inCode !== undefined) {
        // Other words in backticks are arguments, files, or code.
        if (meant === undefined || !isSlip(name, meant)) continue
        argumentNames ??= wordsOf(functions.map(({ range }) => source.text.slice(range.start, range.end)))
        if (argumentNames.has(name)) continue
      }
      const span = source.spanOf({ start, end })
      const shown = inCode ?? functionPrefix + name
      yield {
        span,
        message: didYouMean(localize`${quoted(shown)} is not defined in this message`, meant),
        fixes: writingFixes(span, meant),
      }
    }
  },
}

const mentionsAtMost = 2000 // that are compared with the names; no instructions have so many
const shortestSlip = 6 // letters: two of them may be wrong

/** True for a name that looks like one of a function, unless it is the plural or singular of the other. */
function isSlip(name: string, meant: string): boolean {
  const isCompound = /_|[a-z][A-Z]/.test(name)
  return isCompound && name.length >= shortestSlip && name !== `${meant}s` && meant !== `${name}s`
}

function wordsOf(texts: readonly string[]): ReadonlySet<string> {
  return new Set(texts.flatMap((it) => it.match(/[A-Za-z_]\w*/g) ?? []))
}

function isFunction({ namespace }: ToolDefinition): boolean {
  return `${namespace}.` === functionPrefix
}

// The name ends where the word does; a dot after it ends the sentence. In backticks, brackets may follow.
const mention = /`([A-Za-z_]\w*)[`(]|\bfunctions\.([A-Za-z_][\w-]*)/g
