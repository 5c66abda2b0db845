/** Every fixture parses as the specification says. */
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { parseToJson } from '../../core/src/internal.ts'
import { differences, explain, fixturesIn, missingHints } from '../helpers/expected-transcript.ts'

for (const folder of ['conformance', 'spec', 'malformed', 'decisions', 'ok', 'error']) {
  suite(`Fixtures: ${folder}`, () => {
    for (const fixture of fixturesIn(folder)) {
      test(fixture.name, (context) => {
        const actual = parseToJson(fixture.text, fixture.expected.options)
        const found = differences(fixture, actual)
        for (const gist of missingHints(fixture, actual)) context.diagnostic(`no hint: ${gist}`)
        assert.ok(found.length === 0, explain(fixture, actual, found))
      })
    }
  })
}
