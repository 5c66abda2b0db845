/** Which rules run, by what they look at, and how severe users want them: decided once per setting, not per message. */
import type { SyntaxProblemKind } from '../syntax/syntax-problem.ts'
import { ConcernedRules } from './concerned-rules.ts'
import type {
  Conditions,
  ExchangeRule,
  HeaderRule,
  MessageRule,
  Rule,
  SequenceRule,
  Severity,
  SyntaxRule,
} from './rule.ts'
import { type RuleSettings, severitySettingFor } from './rule-settings.ts'

/** The rules that are not off, by scope. */
export class RuleChoice {
  readonly syntax: ReadonlyMap<SyntaxProblemKind, SyntaxRule>
  readonly header: readonly HeaderRule[]
  readonly message: ConcernedRules
  readonly exchange: readonly ExchangeRule[]
  readonly sequence: readonly SequenceRule[]
  /** The severities that users set; a rule that is not among them has its own. */
  readonly severities: ReadonlyMap<Rule, Severity>

  /** What `places`, the least specific first, leave of `rules`, in a document under `conditions`. */
  constructor(rules: readonly Rule[], places: readonly RuleSettings[], conditions: Conditions) {
    const syntax = new Map<SyntaxProblemKind, SyntaxRule>()
    const header: HeaderRule[] = []
    const message: MessageRule[] = []
    const exchange: ExchangeRule[] = []
    const sequence: SequenceRule[] = []
    const severities = new Map<Rule, Severity>()
    for (const rule of rules) {
      const setting = severitySettingFor(rule, places)
      if (setting === 'off') continue
      if (setting) severities.set(rule, setting)
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
        default:
          rule satisfies never
      }
    }
    this.syntax = syntax
    this.header = header
    this.message = new ConcernedRules(message, conditions)
    this.exchange = exchange
    this.sequence = sequence
    this.severities = severities
  }
}
