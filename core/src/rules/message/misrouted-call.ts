/** A tool call on a channel where it is not routed. */

import { isCall, type MessageFacts } from '../../semantics/message-facts.ts'
import { isOnToolChannel, isWellPlacedCall } from '../../semantics/message-kind.ts'
import { localize } from '../../text/localize.ts'
import { toolChannel } from '../../vocabulary/channels.ts'
import { functionPrefix, isBuiltin } from '../../vocabulary/roles.ts'
import { example } from '../example.ts'
import { attributeOrRole, beforeBlanks, channelSpan, insertion } from '../message-header-places.ts'
import { hasSoundHeader } from '../message-states.ts'
import { quoted } from '../quoted.ts'
import type { Fix, MessageContext, MessageRule } from '../rule.ts'

/** Functions are called on commentary, built-in tools also on analysis (2.2 §8.3, D14). */
export const misroutedCall: MessageRule = {
  name: 'misrouted-call',
  code: 'E-CALL-CHANNEL',
  severity: 'error',
  scope: 'message',
  section: '2.2 §8.3, §12, D14',
  summary: 'A tool is called on the wrong channel',
  why: 'Routers look for calls of functions on `commentary` only; built-in tools may also be called on `analysis`.\nWithout a channel, a message is on `final`, where calls are not allowed.',
  bad: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>analysis<|message|>{}<|call|>
  `,
  good: example`
    version: 2.2
    <|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|message|>{}<|call|>
  `,
  concerns(facts, { hasTurns }) {
    return isCall(facts) && !isOnToolChannel(facts) && hasSoundHeader(facts) && !hasTurns
  },
  check(context) {
    const { facts, analysis } = context
    const { to, channel } = facts
    if (to === undefined) return undefined
    const { builtinTools, requiresChannels } = analysis.settings
    const isBuiltinTool = isBuiltin(to, builtinTools)
    if (isWellPlacedCall(facts, builtinTools)) return undefined
    if (requiresChannels && !facts.hasChannel) return undefined
    const { view } = context
    const isKnownKind = isBuiltinTool || to.startsWith(functionPrefix)
    return {
      span: channelSpan(view, attributeOrRole(view, 'to')),
      // A name without prefix may be anything but an answer to the user.
      severity: isKnownKind ? 'error' : 'warning',
      message: messageOf(quoted(to), facts.hasChannel ? channel : undefined, isBuiltinTool),
      fixes: [fixOf(context, facts)],
    }
  },
}

function messageOf(tool: string, channel: string | undefined, isBuiltinTool: boolean): string {
  if (channel === undefined)
    return isBuiltinTool
      ? localize`${tool} is called without a channel, which means \`final\`; built-in tools must be called on \`analysis\` or \`commentary\``
      : localize`${tool} is called without a channel, which means \`final\`; functions must be called on \`commentary\``
  return isBuiltinTool
    ? localize`${tool} is called on \`${channel}\`; built-in tools must be called on \`analysis\` or \`commentary\``
    : localize`${tool} is called on \`${channel}\`; functions must be called on \`commentary\``
}

function fixOf({ view, segment }: MessageContext, { hasChannel }: MessageFacts): Fix {
  const channel = view.channel?.value
  if (hasChannel && channel) {
    const edits = [{ span: channel.span, text: toolChannel }]
    return { title: localize`Move the call to \`commentary\``, edits, isSafe: false }
  }
  const headerEnd = view.constraint?.marker.from ?? view.message?.from ?? view.end
  const edits = [insertion(beforeBlanks(segment.text, headerEnd), '<|channel|>commentary')]
  return { title: localize`Insert \`<|channel|>commentary\``, edits, isSafe: false }
}
