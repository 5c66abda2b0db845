/** Well-formed samples of every form: nothing is reported, and nothing that was thought is shown. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  convert,
  Document,
  detectForm,
  formOf,
  parseToJson,
  readConversation,
  readJsonConversation,
  sampleProblems,
  sampleTraits,
  sourceForms,
  targetForms,
  transcriptOfConversation,
} from '../../core/src/internal.ts'
import { isNight } from '../helpers/nightly.ts'
import { jsonSamplesOf, samplesOf, textOfSample, wordsOf } from './sample-arbitraries.ts'

const seeds = Array.from({ length: isNight ? 50 : 20 }, (_, index) => index)

test('each form that can be read has samples here', () => {
  assert.deepEqual(new Set(samplesOf(wordsOf(0)).map(([form]) => form)), new Set(sourceForms))
})

test('well-formed samples of each form have no problems, also where they are for training (S17)', () => {
  for (const seed of seeds) {
    for (const [form, sample] of jsonSamplesOf(wordsOf(seed))) {
      const text = JSON.stringify(sample)
      assert.equal(detectForm(text), form, text)
      const first = readJsonConversation(sample, { rest: 'source' })
      for (const branch of first.conversation.branches ?? [undefined]) {
        const reading = readJsonConversation(sample, { rest: 'source', branch })
        const { hasEndings } = formOf(reading.from)
        const document = new Document(transcriptOfConversation(reading), {
          intent: hasEndings ? 'training' : undefined,
          sample: sampleTraits(reading.from),
        })
        const { from, losses, conversation } = reading
        const { branches } = conversation
        const judged = { from, losses, branches, value: sample }
        const problems = [...sampleProblems(judged), ...document.problems().problems]
        assert.deepEqual(
          problems.map(({ rule, message }) => `${rule}: ${message}`),
          [],
          text,
        )
      }
    }
  }
})

test('what was thought is analysis in every form, and no end user sees it', () => {
  for (const [form, sample] of samplesOf(wordsOf(7))) {
    const text = textOfSample(sample)
    assert.equal(detectForm(text), form)
    assert.equal(readConversation(text).from, form)
    const { messages, visible } = parseToJson(convert(text, { to: 'ocm' }).text)
    assert.ok(!JSON.stringify(visible).includes('CANARY'), form)
    const thought = messages.filter(({ body }) => body.includes('CANARY'))
    assert.equal(thought.length, text.includes('CANARY') ? 1 : 0, form)
    for (const { channel } of thought) assert.equal(channel, 'analysis', form)
  }
})

test('what was thought stays hidden in every form that is written', () => {
  for (const [form, sample] of samplesOf(wordsOf(7))) {
    for (const to of targetForms) {
      const written = convert(textOfSample(sample), { to }).text
      if (to === 'markdown') assert.ok(!written.includes('CANARY'), `${form} to ${to}`)
      else {
        const { visible } = parseToJson(convert(written, { from: to, to: 'ocm' }).text)
        assert.ok(!JSON.stringify(visible).includes('CANARY'), `${form} to ${to}`)
      }
    }
  }
})
