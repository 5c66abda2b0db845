/** Which rules run, by what they look at, and how severe users want them: decided once per setting, not per message. */
import type { PreambleView } from '../syntax/preamble-view.ts'
import type { SyntaxProblemKind } from '../syntax/syntax-problem.ts'
import { ConcernedRules } from './concerned-rules.ts'
import type {
  Conditions,
  ExchangeRule,
  HeaderContext,
  HeaderRule,
  MessageRule,
  PromptRule,
  Rule,
  SequenceRule,
  Severity,
  SyntaxRule,
} from './rule.ts'
import { type RuleSettings, ruleSettingsFrom, severitySettingFor } from './rule-settings.ts'

/** The rules that are not off, by scope. */
export class RuleChoice {
  readonly syntax: ReadonlyMap<SyntaxProblemKind, SyntaxRule>
  readonly header: readonly HeaderRule[]
  readonly message: ConcernedRules
  readonly exchange: readonly ExchangeRule[]
  readonly sequence: readonly SequenceRule[]
  readonly prompt: readonly PromptRule[]
  /** The severities that users set; a rule that is not among them has its own. */
  readonly severities: ReadonlyMap<Rule, Severity>
  readonly #rules = new Set<Rule>()
  readonly #soundPreambles = new Map<string, WeakSet<PreambleView>>()

  /** What `places`, the least specific first, leave of `rules`, in a document under `conditions`. */
  constructor(rules: readonly Rule[], places: readonly RuleSettings[], conditions: Conditions) {
    const syntax = new Map<SyntaxProblemKind, SyntaxRule>()
    const header: HeaderRule[] = []
    const message: MessageRule[] = []
    const exchange: ExchangeRule[] = []
    const sequence: SequenceRule[] = []
    const prompt: PromptRule[] = []
    const severities = new Map<Rule, Severity>()
    for (const rule of rules) {
      const setting = severitySettingFor(rule, places)
      if (setting === 'off' || (rule.group === 'data' && !setting && !conditions.sample)) continue
      if (setting) severities.set(rule, setting)
      this.#rules.add(rule)
      switch (rule.scope) {
        case 'syntax':
          syntax.set(rule.kind, rule)
          break
        case 'header':
          header.push(rule)
          break
        case 'message':
          message.push(rule)
          break
        case 'exchange':
          exchange.push(rule)
          break
        case 'sequence':
          sequence.push(rule)
          break
        case 'sample':
        case 'branches':
        case 'rendering':
        case 'dataset': // of samples, which have no segments
          break
        case 'prompt':
          prompt.push(rule)
          break
        default:
          rule satisfies never
      }
    }
    this.syntax = syntax
    this.header = header
    this.message = new ConcernedRules(message, conditions)
    this.exchange = exchange
    this.sequence = sequence
    this.prompt = prompt
    this.severities = severities
  }

  /** True if `rule` is not off. */
  has(rule: Rule): boolean {
    return this.#rules.has(rule)
  }

  /**
   * Where to remember preambles in which nothing was found, by all else that rules on headers look at: the samples of a
   * dataset are many, and their headers few. Without it, the row "Check JSONL of messages" of `npm run bench` would be 7 % slower.
   */
  soundPreambles({ dialect, usesVersion2, unusedInputs }: HeaderContext): WeakSet<PreambleView> {
    const key = `${dialect} ${usesVersion2} ${unusedInputs.length > 0}`
    const known = this.#soundPreambles.get(key)
    if (known) return known
    const sound = new WeakSet<PreambleView>()
    this.#soundPreambles.set(key, sound)
    return sound
  }
}

interface Chosen {
  readonly rules: readonly Rule[]
  readonly settings: readonly RuleSettings[]
  readonly conditions: Conditions
  readonly choice: RuleChoice
}

const chosen: Chosen[] = []
const chosenAtMost = 8 // the documents of a run have few headers and settings; with more, choosing again costs little

/**
 * The choice for a document under `conditions`, where users set `settings`, the least specific first. Documents under the same
 * conditions share it, because the samples of a dataset are many and short.
 */
export function choiceOfRules(
  rules: readonly Rule[],
  settings: readonly RuleSettings[],
  conditions: Conditions,
): RuleChoice {
  const known = chosen.find((it) => it.rules === rules && isSame(it, settings, conditions))
  if (known) return known.choice
  const places = [...settings, ruleSettingsFrom(Object.fromEntries(conditions.settings.lint))]
  const choice = new RuleChoice(rules, places, conditions)
  if (chosen.length >= chosenAtMost) chosen.pop()
  chosen.unshift({ rules, settings, conditions, choice })
  return choice
}

function isSame(
  { settings, conditions }: Chosen,
  otherSettings: readonly RuleSettings[],
  { settings: document, intent, hasTurns, sample }: Conditions,
): boolean {
  return (
    conditions.settings === document &&
    conditions.intent === intent &&
    conditions.hasTurns === hasTurns &&
    conditions.sample?.alternates === sample?.alternates &&
    settings.length === otherSettings.length &&
    settings.every((it, index) => it === otherSettings[index])
  )
}
