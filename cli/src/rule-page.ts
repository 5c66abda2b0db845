/** The documentation of rules as text for a terminal. */
import { type Rule, withLineFeeds } from '../../core/src/internal.ts'
import type { Style } from './terminal/colour.ts'
import { displayable, safeJson } from './terminal/displayable.ts'

/** One line per rule: code, severity, name, summary. */
export function* ruleList(rules: readonly Rule[], style: Style): IterableIterator<string> {
  const width = (of: (rule: Rule) => string) => Math.max(0, ...rules.map((it) => of(it).length))
  const codeWidth = width(({ code }) => code)
  const nameWidth = width(({ name }) => name)
  const sorted = [...rules].sort(
    (one, other) => compare(one.code, other.code) || compare(one.name, other.name),
  )
  for (const { code, name, severity, summary } of sorted) {
    const severityText = style.severity(severity, severity.padEnd('information'.length))
    yield `${style.strong(code.padEnd(codeWidth))}  ${severityText}  ${name.padEnd(nameWidth)}  ${summary}\n`
  }
}

/** Everything that is written about `rule`. */
export function rulePage(rule: Rule, style: Style): string {
  const { name, code, severity, section, summary, why, bad, good } = rule
  return [
    `${style.strong(`${code}  ${name}`)}  ${style.severity(severity, severity)}`,
    `${summary}.`,
    '',
    style.strong('Why'),
    indented(why),
    '',
    style.strong('Wrong'),
    indented(bad),
    '',
    style.strong('Right'),
    indented(good),
    '',
    style.faint(`Specification: ${section}`),
    '',
  ].join('\n')
}

/** A list of objects with everything that is written about `rules`. */
export function rulesJson(rules: readonly Rule[]): string {
  const list = rules.map(({ name, code, severity, group, section, summary, why, bad, good }) => ({
    name,
    code,
    severity,
    group: group ?? null,
    section,
    summary,
    why,
    bad,
    good,
  }))
  return jsonText(list)
}

/** A list of objects for a program. */
export function jsonText(list: readonly object[]): string {
  return `${safeJson(JSON.stringify(list, undefined, 2))}\n`
}

function indented(text: string): string {
  return displayable(withLineFeeds(text).trimEnd()).replace(/^(?=.)/gm, '    ')
}

function compare(one: string, other: string): number {
  if (one === other) return 0
  return one < other ? -1 : 1
}
