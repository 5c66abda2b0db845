/** Harmony is told from transcripts in one walk over the tokens; here by one search per mark of either. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { detectForm } from '../../core/src/index.ts'
import { propertyRuns, soup, transcriptText } from '../helpers/arbitraries.ts'
import { parseableText } from './harmony-arbitraries.ts'

function isHarmony(text: string): boolean {
  const start = text.search(/[^\s\ufeff]/)
  if (text.startsWith('<|channel|>', start)) return true
  if (!text.startsWith('<|start|>', start)) return false
  const marks = [
    /<\|literal\|>/,
    /<<\|start\|>/,
    /<\|start\|>[^<]*\s(?:call_id|name|intent|content_type)=/,
    /<\|(?:end|call|return)\|>\s+<\|start\|>/,
  ]
  if (marks.some((it) => it.test(text))) return false
  return [/<\|(?:end|call|return)\|><\|start\|>/, / <\|constrain\|>/, /# Valid channels:/].some((it) =>
    it.test(text),
  )
}

test('a walk over the tokens finds what searches find', () => {
  const begun = soup.map((text) => `<|start|>user<|message|>Hi<|end|><|start|>assistant${text}`)
  fc.assert(
    fc.property(fc.oneof(transcriptText, begun, parseableText), (text) => {
      if (/^[\s\ufeff]*[{[]/.test(text)) return
      assert.equal(detectForm(text), isHarmony(text) ? 'harmony' : 'ocm')
    }),
    { numRuns: 3 * propertyRuns },
  )
})
