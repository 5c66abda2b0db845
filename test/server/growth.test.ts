/**
 * What the server's requests cost: in counted work, no more than the text is longer.
 *
 *     GROWTH=all node scripts/run-tests.mjs test/server/growth.test.ts      every profile: minutes
 *     GROWTH=pairs node scripts/run-tests.mjs test/server/growth.test.ts    two profiles in one text, at random
 *     GROWTH=literal node scripts/run-tests.mjs test/server/growth.test.ts  the profiles with such a name
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countedModule, stepsOf } from '../helpers/growth/counted-work.ts'
import { growthAmong } from '../helpers/growth/growth-among.ts'
import { growthProfiles } from '../helpers/growth/growth-profiles.ts'
import { profilesWanted } from '../helpers/growth/profiles-wanted.ts'
import { placesOf, ServerSession, serverRequests } from '../helpers/growth/server-requests.ts'
import { nightly } from '../helpers/nightly.ts'
import { connectInProcess, type ServerParts } from '../helpers/server-in-process.ts'

const profiles = profilesWanted([
  'arguments: nested lists',
  'arguments: nested objects',
  'arguments: a long hex string',
  'arguments: equal keys',
  'tools in TypeScript: lists of lists',
  'tools in TypeScript: equal definitions',
  'messages: messages on one line',
  'exchanges: calls with one id',
  'hostile: unknown attributes',
])

test('profiles have names of their own and grow with their size', () => {
  assert.equal(new Set(growthProfiles.map(({ name }) => name)).size, growthProfiles.length)
  for (const { name, text } of growthProfiles) {
    const ratio = text(8000).length / text(4000).length
    assert.ok(ratio > 1.3 && ratio < 2.7, `${name}: ${ratio}`)
  }
})

nightly('no request costs more than in proportion to the text', async (t) => {
  const parts = await countedModule<ServerParts>(
    "export { startServer } from './server/src/server.ts'; export { startServices } from './server/src/services.ts'",
    { external: ['vscode-languageserver', 'vscode-languageserver/node', 'vscode-languageserver-protocol'] },
  )
  const session = new ServerSession(connectInProcess(t, parts))
  await session.start()
  const grown: string[] = []
  for (const profile of profiles) {
    grown.push(...(await growthAmong(profile, (text) => stepsByRequest(session, text))))
  }
  assert.deepEqual(grown, [])
})

/** The steps of opening, of every request at every place, and of typing. */
async function stepsByRequest(session: ServerSession, content: string): Promise<ReadonlyMap<string, number>> {
  const places = Object.entries(placesOf(content))
  const { start, end } = placesOf(content)
  const steps = new Map<string, number>()
  let uri = ''
  const opening = await stepsOf(async () => {
    uri = await session.open(content)
    await session.settled(uri)
  })
  steps.set('opening', opening)
  for (const { name, method, hasPlace, params } of serverRequests) {
    for (const [where, place] of hasPlace ? places : [['', start] as const]) {
      const asking = await stepsOf(() => session.ask(uri, method, params(place, end)))
      steps.set(`${name} ${where}`, asking)
    }
  }
  for (const [where, place] of places) {
    steps.set(`typing at the ${where}`, await stepsOf(() => session.type(uri, place, 'x')))
  }
  await session.close(uri)
  return steps
}
