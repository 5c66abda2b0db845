/** A built-in tool that the header does not offer. */

import { isCall } from '../../semantics/message-facts.ts'
import { localize } from '../../text/localize.ts'
import { isBuiltin, withoutFunctionPrefix } from '../../vocabulary/roles.ts'
import { example } from '../example.ts'
import { attributeOrRole } from '../message-header-places.ts'
import { quoted } from '../quoted.ts'
import type { MessageRule } from '../rule.ts'

/** The header lists the built-in tools that may be called (2.2 §2). */
export const unofferedBuiltin: MessageRule = {
  name: 'unoffered-builtin',
  code: 'H-BUILTIN-UNLISTED',
  severity: 'hint',
  scope: 'message',
  section: '2.2 §2, §8.3',
  summary: 'A call goes to a built-in tool that `builtin_tools` does not list',
  why: 'The header says which built-in tools the runtime offers.\nModels call the built-in tools that they were trained with, whether or not they are available.',
  bad: example`
    version: 2.2
    builtin_tools: [python]
    <|start|>assistant to=browser.search call_id=c1<|channel|>analysis<|message|>{}<|call|>
  `,
  good: example`
    version: 2.2
    builtin_tools: [python, browser]
    <|start|>assistant to=browser.search call_id=c1<|channel|>analysis<|message|>{}<|call|>
  `,
  concerns(facts, { settings }) {
    return settings.builtinTools !== undefined && isCall(facts)
  },
  check(context) {
    const { facts, analysis } = context
    const { builtinTools } = analysis.settings
    if (facts.to === undefined || !builtinTools || !isBuiltin(facts.to)) return undefined
    const tool = withoutFunctionPrefix(facts.to)
    const namespace = tool.split('.', 1)[0] ?? tool
    if (builtinTools.has(namespace) || builtinTools.has(tool)) return undefined
    return {
      span: attributeOrRole(context.view, 'to'),
      message: localize`\`builtin_tools\` of the YAML header does not list ${quoted(namespace)}`,
    }
  },
}
