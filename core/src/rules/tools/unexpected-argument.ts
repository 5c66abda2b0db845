/** Arguments that the tool does not know. */

import type { SchemaMismatch } from '../../embedded/tool-mismatch.ts'
import { jsonText } from '../../text/json-text.ts'
import { localize } from '../../text/localize.ts'
import {
  definedHere,
  findingsOf,
  isAboutDeadline,
  isNullMember,
  type MismatchVerdict,
  mayCall,
  memberRemoval,
  misspellings,
  nameAt,
  spanIn,
} from '../call-findings.ts'
import { didYouMean } from '../closest-word.ts'
import { definedTools, example, weatherToolWithFormat } from '../example.ts'
import { quoted } from '../quoted.ts'
import type { Finding, Fix, MessageRule } from '../rule.ts'

/** A call gives a tool what it takes, and nothing else (D19). */
export const unexpectedArgument: MessageRule = {
  name: 'unexpected-argument',
  code: 'E-CALL-SCHEMA',
  severity: 'warning',
  scope: 'message',
  section: '2.2 §8.2, §14, D19',
  summary: 'A tool call has an argument that the tool does not accept',
  why: 'Most tools ignore unknown arguments, so the call does not do what it says; strict tools reject it.\nOften, the name is misspelled.\n`deadline_ms` is allowed in every call.',
  bad: example`
    ${definedTools(weatherToolWithFormat)}
    <|start|>assistant to=functions.get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"location":"Oslo","fromat":"celsius"}<|call|>
  `,
  good: example`
    ${definedTools(weatherToolWithFormat)}
    <|start|>assistant to=functions.get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"location":"Oslo","format":"celsius"}<|call|>
  `,
  concerns(facts) {
    return mayCall(facts)
  },
  check(context) {
    const { sample } = context
    return findingsOf(context, 'mismatches', (verdict) => findingsIn(verdict, sample !== undefined))
  },
}

/** In a sample, what is null is reported by a rule of its own. */
function findingsIn(verdict: MismatchVerdict, isSample: boolean): readonly Finding[] {
  const renamed = misspellings(verdict)
  return verdict.mismatches.flatMap((mismatch) => {
    if (mismatch.kind !== 'unexpected' || isAboutDeadline(mismatch, verdict.tool)) return []
    if (isSample && isNullMember(mismatch)) return []
    const meant = renamed.find((it) => it.written === mismatch)?.meant
    // In place of a required argument it is a mistake, which another rule reports.
    if (meant !== undefined && mismatch.schema.required?.includes(meant)) return []
    return [findingOf(verdict, mismatch, meant)]
  })
}

function findingOf(
  { call, tool }: MismatchVerdict,
  { names, range, path, node }: SchemaMismatch,
  meant: string | undefined,
): Finding {
  const [name = ''] = names
  const owner = nameAt(path) ?? tool.definition.name
  const span = spanIn(call, range)
  const rename: Fix[] =
    meant === undefined
      ? []
      : [
          {
            title: localize`Rename to ${quoted(meant)}`,
            edits: [{ span, text: jsonText(meant) }],
            isSafe: false,
          },
        ]
  return {
    span,
    message: didYouMean(localize`${quoted(owner)} does not accept the argument ${quoted(name)}`, meant),
    related: [definedHere(tool)],
    fixes: [...rename, memberRemoval(call, node, { isSafe: false })],
    tag: 'unnecessary',
  }
}
