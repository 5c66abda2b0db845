/** Whether a call or reply needs a call id, by version and profile (D12). */
import { hasCompleteHeader, isTurn } from './message-states.ts'
import type { ExchangeContext, Severity } from './rule.ts'

/** How bad it is that the call or reply has no call id; undefined if it has one, or needs none. */
export function missingIdSeverity(context: ExchangeContext): Severity | undefined {
  const { facts, analysis, sample } = context
  if (sample?.hasHeaders === false) return undefined
  if (facts.callId !== undefined || !hasCompleteHeader(facts) || isTurn(context)) return undefined
  const { forcedDialect } = analysis.transcript
  if (forcedDialect !== 'auto' && forcedDialect !== '2.2') return undefined
  const { version, isHarmony } = analysis.settings
  if (!version) return analysis.messagesWithId > 0 ? 'warning' : undefined
  if (version.major < 2 || (version.major === 2 && version.minor === 0)) return undefined
  return isHarmony ? 'warning' : 'error'
}
