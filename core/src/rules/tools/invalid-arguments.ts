/** Arguments that are missing, or not what the definition of the tool says. */

import type { JsonNode } from '../../embedded/json-tree.ts'
import type { SchemaMismatch } from '../../embedded/tool-mismatch.ts'
import { placeholder } from '../../embedded/tool-placeholder.ts'
import { type Schema, valuesOf } from '../../embedded/tool-schema.ts'
import type { CallVerdict } from '../../semantics/tool-calls.ts'
import { jsonText } from '../../text/json-text.ts'
import { localize } from '../../text/localize.ts'
import { perValue } from '../../text/memo.ts'
import {
  closestName,
  declaredHere,
  definedHere,
  findingsOf,
  isAboutDeadline,
  type MismatchVerdict,
  mayCall,
  memberRemoval,
  misspellings,
  nameAt,
  optionalNull,
  spanIn,
} from '../call-findings.ts'
import { definedTools, example, weatherToolWithFormat } from '../example.ts'
import { listed, quoted } from '../quoted.ts'
import type { Finding, Fix, MessageRule, SpanEdit } from '../rule.ts'

/** Required arguments are there, and every argument has the declared type or one of the declared values (D19). */
export const invalidArguments: MessageRule = {
  name: 'invalid-arguments',
  code: 'E-CALL-SCHEMA',
  severity: 'error',
  scope: 'message',
  section: '2.2 §8.2, §14, D19',
  summary: 'An argument of a tool call is missing or invalid',
  why: 'The tool rejects such a call, or does something that was not intended.\nEvery `namespace` in a developer or system message counts as a definition, and so do tools as JSON objects in a developer message; without a definition, nothing is checked.\nAn optional argument that is `null` although its schema does not allow that can be removed. In samples of datasets this is safe, because tables give all rows the same fields.',
  bad: example`
    ${definedTools(weatherToolWithFormat)}
    <|start|>assistant to=functions.get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"location":"Oslo","format":"kelvin"}<|call|>
  `,
  good: example`
    ${definedTools(weatherToolWithFormat)}
    <|start|>assistant to=functions.get_weather call_id=c1<|channel|>commentary<|constrain|>json<|message|>{"location":"Oslo","format":"celsius"}<|call|>
  `,
  concerns(facts) {
    return mayCall(facts)
  },
  check(context) {
    const isSample = context.sample !== undefined
    const found = findingsOf(context, 'mismatches', (verdict) => findingsIn(verdict, isSample))
    return found?.concat(
      findingsOf(context, 'too-deep', tooDeep) ?? [],
      findingsOf(context, 'too-large', tooLarge) ?? [],
    )
  },
}

type LimitVerdict = Extract<CallVerdict, { kind: 'too-deep' | 'too-large' }>

function tooLarge({ call, tool, problem }: LimitVerdict): Finding {
  const name = quoted(tool.definition.name)
  return {
    span: spanIn(call, problem.range),
    message: localize`The arguments are not checked against ${name}: ${problem.message}`,
    severity: 'information',
    related: [definedHere(tool)],
  }
}

function tooDeep({ call, tool, problem }: LimitVerdict): Finding {
  const name = quoted(tool.definition.name)
  return {
    span: spanIn(call, problem.range),
    message: localize`The arguments do not match ${name}: ${problem.message}`,
    related: [definedHere(tool)],
  }
}

function findingsIn(verdict: MismatchVerdict, isSample: boolean): readonly Finding[] {
  const renamed = misspellings(verdict)
  return verdict.mismatches.flatMap((mismatch): readonly Finding[] => {
    if (isAboutDeadline(mismatch, verdict.tool)) return []
    switch (mismatch.kind) {
      case 'value':
        return [wrongValue(verdict, mismatch, { isSafe: isSample })]
      case 'missing': {
        const meant = new Set(
          renamed.flatMap((it) => (it.written.node.parent === mismatch.node ? it.meant : [])),
        )
        const missing = mismatch.names.filter((it) => !meant.has(it))
        return missing.length > 0 ? [missingArguments(verdict, mismatch, missing)] : []
      }
      case 'unexpected': {
        const found = renamed.find((it) => it.written === mismatch)
        const isNeeded = found && mismatch.schema.required?.includes(found.meant)
        return found && isNeeded ? [misspeltArgument(verdict, mismatch, found.meant)] : []
      }
      default:
        return mismatch.kind satisfies never
    }
  })
}

function wrongValue(
  { call, tool }: MismatchVerdict,
  mismatch: SchemaMismatch,
  removal: { readonly isSafe: boolean },
): Finding {
  const { path, expected, found, range, schema, node } = mismatch
  const name = nameAt(path)
  const span = spanIn(call, range)
  const values = valueTexts(schema)
  const { value } = node
  const suggestion = typeof value === 'string' ? closestName(jsonText(value), values) : undefined
  const first = values.slice(0, fixesAtMost)
  const ordered = suggestion === undefined ? first : [suggestion, ...first.filter((it) => it !== suggestion)]
  const converted = ordered.length === 0 ? convertedValue(node, schema.types ?? []) : undefined
  const unset = optionalNull(mismatch, tool)
  // Tables leave null for what a sample does not have.
  const removals = unset ? [memberRemoval(call, unset, removal)] : []
  const written = [...ordered.slice(0, fixesAtMost), ...(converted === undefined ? [] : [converted])].map(
    (value): Fix => ({
      title: localize`Write ${quoted(value)}`,
      edits: [{ span, text: value }],
      isSafe: false,
      ...(suggestion === undefined && ordered.length > 1 && { isChoice: true }),
    }),
  )
  return {
    span,
    message:
      name === undefined
        ? localize`The arguments must be ${expected}, but are ${found}`
        : localize`${quoted(name)} must be ${expected}, but is ${found}`,
    related: [declaredHere(tool, path)],
    fixes: [...removals, ...written],
  }
}

const valueTexts = perValue((schema: Schema) => (valuesOf(schema) ?? []).map((it) => jsonText(it)))

const fixesAtMost = 5 // values that are offered instead of a wrong one

/** `"3"` where a number is wanted, `3` where a string is: what was meant is plain. */
function convertedValue({ type, value }: JsonNode, types: readonly string[]): string | undefined {
  if (type === 'string' && typeof value === 'string') {
    const wantsNumber = types.includes('number') || (types.includes('integer') && /^-?\d+$/.test(value))
    if (wantsNumber && /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(value)) return value
    return types.includes('boolean') && /^(?:true|false)$/.test(value) ? value : undefined
  }
  const isScalar = type === 'number' || type === 'boolean'
  return isScalar && types.includes('string') ? jsonText(String(value)) : undefined
}

function messageOfMissing(tool: string, owner: string | undefined, names: readonly string[]): string {
  if (owner !== undefined) return localize`${quoted(owner)} is missing ${listed(names)}`
  return names.length === 1
    ? localize`The argument ${listed(names)} of \`${tool}\` is missing`
    : localize`The arguments ${listed(names)} of \`${tool}\` are missing`
}

function missingArguments(
  { call, tool }: MismatchVerdict,
  { node, path, schema, range }: SchemaMismatch,
  names: readonly string[],
): Finding {
  const text = call.body.text.slice(range.start, range.end)
  // A long object would be underlined from end to end.
  const marked = /[\r\n]/.test(text) ? { start: range.start, end: range.start + 1 } : range
  const whole = nameAt(path)
  return {
    span: spanIn(call, marked),
    message: messageOfMissing(tool.definition.name, whole, names),
    related: [names.length === 1 ? declaredHere(tool, [...path, names[0] ?? '']) : definedHere(tool)],
    // A large object may lack much: what is added is made when it is asked for.
    get fixes() {
      const gap = text.includes('": ') ? ' ' : ''
      const members = names.map(
        (it) => `${jsonText(it)}:${gap}${placeholder(schema.properties?.get(it)?.schema)}`,
      )
      const place = (at: number) => spanIn(call, { start: at, end: at }).from
      const edits = [insertion(call.body.text, node, members, place)]
      return [{ title: localize`Add ${listed(names)}`, edits, isSafe: false }]
    },
  }
}

/** Puts `members` after the last member of `node`, on lines of their own where that one has its own. */
function insertion(
  text: string,
  node: JsonNode,
  members: readonly string[],
  place: (at: number) => number,
): SpanEdit {
  const last = node.children?.at(-1)
  if (!last) {
    const at = place(node.offset + 1)
    return { span: { from: at, to: at }, text: members.join(', ') }
  }
  const before = text.slice(node.offset, last.offset)
  const [indent] = /(?:\r\n|\n|\r)[ \t]*$/.exec(before) ?? []
  const gap =
    indent ??
    (/, /.test(text.slice(node.offset, node.offset + node.length)) || members[0]?.includes('": ') ? ' ' : '')
  // The place after a character: between two pieces of a body, the earlier one.
  const at = place(last.offset + last.length - 1) + 1
  return { span: { from: at, to: at }, text: members.map((it) => `,${gap}${it}`).join('') }
}

function misspeltArgument(
  { call, tool }: MismatchVerdict,
  { range, names, path }: SchemaMismatch,
  meant: string,
): Finding {
  const span = spanIn(call, range)
  return {
    span,
    message: localize`The argument ${quoted(meant)} is missing; ${listed(names)} looks like a typo of it`,
    related: [declaredHere(tool, [...path, meant])],
    fixes: [
      {
        title: localize`Rename to ${quoted(meant)}`,
        edits: [{ span, text: jsonText(meant) }],
        isSafe: false,
      },
    ],
  }
}
