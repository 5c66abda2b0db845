/** Slips in keys of the header, and the schema that keys and values come from. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { getLanguageService } from 'vscode-json-languageservice'
import { TextDocument } from 'vscode-languageserver-textdocument'
import { analyze, applyEdits, Checker, headerTypoAt, Transcript } from '../../core/src/internal.ts'
import { propertyRuns, transcriptText } from '../helpers/arbitraries.ts'
import { withCursor } from '../helpers/marked-text.ts'

const message = '<|start|>user<|message|>Hi<|end|>\n'

function mended(marked: string): string | undefined {
  const { text, offset } = withCursor(marked)
  const typo = headerTypoAt(analyze(Transcript.parse(text)), offset)
  return typo && applyEdits(text, [typo.edit])
}

test('a key that looks like a known one is offered as that', () => {
  assert.equal(mended(`ver$0sin: 2.2\n${message}`), `version: 2.2\n${message}`)
  assert.equal(mended(`"modle$0": x\n${message}`), `"model": x\n${message}`)
  assert.equal(
    mended(`version: 2.2\ngeneration_settings:\n  $0temprature: 1\n${message}`),
    `version: 2.2\ngeneration_settings:\n  temperature: 1\n${message}`,
  )
})

test('nothing is offered for keys that are known, strange, or there already', () => {
  for (const text of [
    '$0version: 2.2',
    'mine$0: 1',
    'version: 2.2\nversio$0n2: 1',
    'version: 2.$02',
    'a: $0',
  ]) {
    assert.equal(mended(`${text}\n${message}`), undefined, text)
  }
})

test('an unknown key is no problem', () => {
  const checker = new Checker(analyze(Transcript.parse(`version: 2.2\nmodle: x\n${message}`)))
  checker.advance()
  assert.deepEqual(checker.problems().problems, [])
})

test('a number has to be in its range', () => {
  const problems = (temperature: string) => {
    const text = `version: 2.2\ngeneration_settings:\n  temperature: ${temperature}\n${message}`
    const checker = new Checker(analyze(Transcript.parse(text)))
    checker.advance()
    return checker.problems().problems.map((it) => it.message)
  }
  assert.deepEqual(problems('0'), [])
  assert.deepEqual(problems('-1'), ['`generation_settings.temperature` must be at least 0, not -1'])
})

test('the published schema is one that editors read, and takes the header of the specification', async () => {
  const schema = JSON.parse(readFileSync('docs/header.schema.json', 'utf8'))
  const service = getLanguageService({})
  const complaints = async (value: unknown) => {
    const document = TextDocument.create('test:header.json', 'json', 1, JSON.stringify(value))
    const found = await service.doValidation(document, service.parseJSONDocument(document), {}, schema)
    return found.map(({ message }) => message)
  }
  const { header } = analyze(Transcript.parse(readFileSync('samples/08-system-prompt.ocm', 'utf8')))
  assert.deepEqual(await complaints(header.yaml.value), [])
  assert.deepEqual(await complaints({ version: '2.2', mine: 1 }), [])
  assert.equal((await complaints({ version: 2.2, profiles: { harmony: { enabled: 'yes' } } })).length, 1)
  assert.equal((await complaints({ version: 2.2, generation_settings: { temperature: -1 } })).length, 1)
  assert.equal((await complaints({ model: 'x' })).length, 1)
})

test('any text at any offset has an answer', () => {
  fc.assert(
    fc.property(transcriptText, fc.nat(1000), (text, at) => {
      const typo = headerTypoAt(analyze(Transcript.parse(text)), Math.round((at / 1000) * text.length))
      if (typo) assert.ok(typo.edit.start < typo.edit.end && typo.edit.end <= text.length)
    }),
    { numRuns: Math.ceil(propertyRuns / 2) },
  )
})
