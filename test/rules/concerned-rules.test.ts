/** Rules are chosen once per shape of facts: whoever asks a rule by its shape must get the answer for every such message. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Transcript } from '../../core/src/document/transcript.ts'
import { ConcernedRules } from '../../core/src/rules/concerned-rules.ts'
import type { Conditions, MessageRule } from '../../core/src/rules/rule.ts'
import { rules } from '../../core/src/rules/rule-registry.ts'
import { analyze } from '../../core/src/semantics/analysis.ts'
import { shapeOf } from '../../core/src/semantics/facts-shape.ts'
import { factsOf } from '../../core/src/semantics/message-facts.ts'
import { intents } from '../../core/src/vocabulary/intents.ts'
import { plausible, propertyRuns, transcriptText } from '../helpers/arbitraries.ts'

const messageRules = rules.filter((rule): rule is MessageRule => rule.scope === 'message')

/** The rules that each shape was seen to concern, by conditions: kept over all runs, so that messages meet each other. */
const seen = new Map<string, string>()

describe('the rules that a message concerns', () => {
  it('are the same for all facts of a shape', () => {
    const texts = fc.oneof(transcriptText, plausible)
    fc.assert(
      fc.property(
        texts,
        fc.constantFrom(undefined, ...intents.map(({ name }) => name)),
        fc.boolean(),
        (text, intent, hasTurns) => {
          const { settings, transcript } = analyze(Transcript.parse(text))
          const document: Conditions = { settings, intent, hasTurns }
          const { isHarmony, requiresChannels, builtinTools } = settings
          const conditions = JSON.stringify([isHarmony, requiresChannels, !builtinTools, intent, hasTurns])
          for (const { segment } of transcript.segments()) {
            const facts = factsOf(segment)
            if (!facts) continue
            const asked = messageRules.filter((rule) => rule.concerns?.(facts, document) ?? true)
            const names = asked.map(({ name }) => name).join()
            const key = `${conditions} ${shapeOf(facts)}`
            assert.equal(names, seen.get(key) ?? names, segment.text)
            seen.set(key, names)
          }
        },
      ),
      { numRuns: propertyRuns },
    )
  })

  it('are asked once per shape', () => {
    let asked = 0
    const counting: MessageRule = {
      ...(messageRules[0] as MessageRule),
      concerns() {
        asked++
        return true
      },
    }
    const analysis = analyze(Transcript.parse('<|start|>user<|message|>Hi<|end|>'.repeat(50)))
    const concerned = new ConcernedRules([counting], {
      settings: analysis.settings,
      intent: undefined,
      hasTurns: false,
    })
    analysis.transcript.forEachSegment((segment) => {
      const facts = factsOf(segment)
      if (facts) assert.deepEqual(concerned.rulesFor(facts), [counting])
    })
    assert.equal(asked, 1)
  })
})
