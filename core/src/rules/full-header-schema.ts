/**
 * The schema of the YAML header with the names of rules and codes as keys of `lint` and items of `expect`: what writers
 * of a header are listed. What they wrote there is checked by `unknown-lint-entry` and `ocm check --expect`.
 */
import type { HeaderSchema, HeaderWord } from '../embedded/header-schema.ts'
import { documentHeaderSchema } from '../semantics/document-header-schema.ts'
import { rules, rulesWithCode } from './rule-registry.ts'
import { type SeveritySetting, severitySettings } from './rule-settings.ts'

const section = '2.2 §2'

const severityMeanings: Readonly<Record<SeveritySetting, string>> = {
  error: 'Reported as an error',
  warning: 'Reported as a warning',
  information: 'Reported as information',
  hint: 'Reported as a hint',
  off: 'Not reported',
}

const severities: readonly HeaderWord[] = severitySettings.map((name) => ({
  name,
  summary: severityMeanings[name],
}))

let made: HeaderSchema | undefined

/** What the header of a transcript may say, with all that is proposed and explained there; made when it is first asked for. */
export function fullHeaderSchema(): HeaderSchema {
  made ??= withRules()
  return made
}

function withRules(): HeaderSchema {
  const ruleWords = rules.map(({ name, summary }) => ({ name, summary }))
  const codeWords = [...new Set(rules.map(({ code }) => code))].map(codeWord)
  const names = [...ruleWords, ...codeWords]
  return {
    ...documentHeaderSchema,
    properties: {
      ...documentHeaderSchema.properties,
      expect: { ...known('expect'), items: expectedProblem(ruleWords, codeWords) },
      lint: { ...known('lint'), properties: Object.fromEntries(names.map((it) => [it.name, severity(it)])) },
    },
  }
}

function codeWord(name: string): HeaderWord {
  const [only, ...others] = rulesWithCode(name)
  return { name, summary: only && others.length === 0 ? only.summary : 'All rules that report this code' }
}

function known(key: string): HeaderSchema {
  return documentHeaderSchema.properties?.[key] ?? documentHeaderSchema
}

function severity({ summary }: HeaderWord): HeaderSchema {
  return { type: 'string', description: summary, section, enum: severitySettings, words: severities }
}

function expectedProblem(ruleWords: readonly HeaderWord[], codeWords: readonly HeaderWord[]): HeaderSchema {
  const of = (type: HeaderSchema['type'], description: string): HeaderSchema => ({
    type,
    description,
    section,
  })
  return {
    ...of(['string', 'object'], 'An expected problem: a code, a rule, or a mapping with one of them.'),
    words: [...ruleWords, ...codeWords],
    properties: {
      code: {
        ...of(['string', 'array'], 'The code of the problem, or a list of accepted codes.'),
        words: codeWords,
      },
      rule: {
        ...of(['string', 'array'], 'The rule that reports it, or a list of accepted rules.'),
        words: ruleWords,
      },
      severity: {
        ...of('string', 'The severity of the problem.'),
        words: severities.filter(({ name }) => name !== 'off'),
      },
      line: of('number', 'The line on which the problem starts, from zero.'),
      lines: of('array', 'The first and the last line on which the problem may start, from zero.'),
      at: of('string', 'The exact place, `line:character-line:character`, from zero.'),
      text: of(['string', 'array'], 'The marked text, or a list of accepted texts.'),
      optional: of('boolean', 'Nothing is reported if the problem does not occur.'),
      why: of('string', 'The reason, for people.'),
    },
  }
}
