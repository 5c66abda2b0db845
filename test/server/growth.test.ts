/**
 * What the server's requests cost: in counted work, no more than the text is longer.
 *
 *     GROWTH=all node scripts/run-tests.mjs test/server/growth.test.ts     every profile: minutes
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countedModule, stepsOf } from '../helpers/growth/counted-work.ts'
import { growthProfiles } from '../helpers/growth/growth-profiles.ts'
import type { GrowthProfile } from '../helpers/growth/profile.ts'
import { placesOf, ServerSession, serverRequests } from '../helpers/growth/server-requests.ts'
import { connectInProcess, type ServerParts } from '../helpers/server-in-process.ts'

const size = 800 // code units; the other text is four times as long
const factor = 4
const tolerated = factor * 1.3 ** 2 // 1.3 times linear per doubling
const negligible = 25 // steps for each code unit more: what a quadratic cost exceeds at once, and tables of 128 entries do not

/** Profiles that were slow once. `GROWTH=all` takes all of them. */
const slowOnce: ReadonlySet<string> = new Set([
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
const profiles = growthProfiles.filter(({ name }) => process.env.GROWTH === 'all' || slowOnce.has(name))

test('profiles have names of their own and grow with their size', () => {
  assert.equal(new Set(growthProfiles.map(({ name }) => name)).size, growthProfiles.length)
  for (const { name, text } of growthProfiles) {
    const ratio = text(8000).length / text(4000).length
    assert.ok(ratio > 1.3 && ratio < 2.7, `${name}: ${ratio}`)
  }
})

test('no request costs more than in proportion to the text', async (t) => {
  const parts = await countedModule<ServerParts>(
    "export { startServer } from './server/src/server.ts'; export { startServices } from './server/src/services.ts'",
    { external: ['vscode-languageserver', 'vscode-languageserver/node', 'vscode-languageserver-protocol'] },
  )
  const session = new ServerSession(connectInProcess(t, parts))
  await session.start()
  const grown: string[] = []
  for (const profile of profiles) {
    const small = await stepsByRequest(session, profile, size)
    const large = await stepsByRequest(session, profile, factor * size)
    for (const [name, steps] of large) {
      const before = small.get(name) ?? 0
      const isDear = steps - before > negligible * (factor - 1) * size
      if (isDear && steps > tolerated * before)
        grown.push(`${profile.name}, ${name}: ${before} → ${steps} steps`)
    }
  }
  assert.deepEqual(grown, [])
})

/** The steps of opening, of every request at every place, and of typing. */
async function stepsByRequest(session: ServerSession, { text }: GrowthProfile, length: number) {
  const content = text(length)
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
