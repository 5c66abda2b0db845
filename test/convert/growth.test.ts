/**
 * What conversions cost: in counted work, no more than the text is longer, from every form to every form.
 *
 *     GROWTH=all node scripts/run-tests.mjs test/convert/growth.test.ts      every profile: minutes
 *     GROWTH=literal node scripts/run-tests.mjs test/convert/growth.test.ts  the profiles with such a name
 */
import assert from 'node:assert/strict'
import type * as Core from '../../core/src/internal.ts'
import { countedModule, stepsOf } from '../helpers/growth/counted-work.ts'
import { growthAmong } from '../helpers/growth/growth-among.ts'
import { type GrowthProfile, repeated } from '../helpers/growth/profile.ts'
import { profilesWanted } from '../helpers/growth/profiles-wanted.ts'
import { isNight, nightly } from '../helpers/nightly.ts'

const forNight = [
  'exchanges: calls and replies with one id',
  'arguments: equal keys',
  'hostile: 0.1 thoughts',
]
const profiles = profilesWanted([
  'messages: literal blocks of tokens',
  'answer: nested thoughts',
  ...(isNight ? forNight : []),
])

nightly('no conversion costs more than in proportion to the text', async () => {
  const core = await countedModule<typeof Core>("export * from './core/src/internal.ts'")
  const grown: string[] = []
  for (const profile of profiles)
    grown.push(...(await growthAmong(profile, (it, isWanted) => stepsByConversion(core, it, isWanted))))
  assert.deepEqual(grown, [])
})

/** A message of the assistant with as many of `parts`, in turn, as fit. */
function inParts(name: string, parts: readonly object[]): GrowthProfile {
  const unit = parts.map((it) => JSON.stringify(it)).join()
  return {
    name: `parts: ${name}`,
    text: (size) => {
      const content = repeated(`${unit},`, size).slice(0, -1)
      return `{"messages":[{"role":"assistant","content":[${content}]}]}`
    },
  }
}

const [call, said] = [
  { type: 'tool_use', id: 't', name: 'f', input: {} },
  (text: string) => ({ type: 'text', text }),
]

nightly('no message costs more than in proportion to its parts', async () => {
  const core = await countedModule<typeof Core>("export * from './core/src/internal.ts'")
  const grown: string[] = []
  for (const profile of [
    inParts('tags', [said('<think>a'), said('a</think>')]),
    inParts('ends of tags, calls', [said('a</think>'), call]),
    inParts('tags that never end, calls', [said('<think>a'), call]),
    inParts('private blocks, calls', [said('<|start_reason|>a'), call, said('a<|end_reason|>')]),
    inParts('private blocks around tags', [
      said('<|start_reason|>a<think>a</think>'),
      said('<|end_reason|>'),
    ]),
  ])
    grown.push(
      ...(await growthAmong(profile, async (text) => {
        core.releaseTexts()
        return new Map([['reading', await stepsOf(() => core.readConversation(text, { rest: 'source' }))]])
      })),
    )
  assert.deepEqual(grown, [])
})

/** The steps of reading `text` as a transcript and as every form that it can be written in, and of writing each of these. */
async function stepsByConversion(
  core: typeof Core,
  text: string,
  isWanted: (name: string) => boolean,
): Promise<ReadonlyMap<string, number>> {
  const steps = new Map<string, number>()
  for (const source of core.sourceForms) {
    const targets = core.targetForms.filter((to) => isWanted(`${source} to ${to}`))
    if (targets.length === 0 && !isWanted(`reading ${source}`)) continue
    const written =
      source === 'ocm' ? text : attempt(core, () => core.convert(text, { to: target(core, source) }).text)
    if (written === undefined) continue
    let reading: Core.Reading | undefined
    core.releaseTexts()
    steps.set(
      `reading ${source}`,
      await stepsOf(() => {
        reading = attempt(core, () => core.readConversation(written, { from: source }))
      }),
    )
    if (!reading) continue
    const read = reading
    for (const to of targets) {
      const writing = await stepsOf(() => attempt(core, () => core.writeConversation(read, { to })))
      steps.set(`${source} to ${to}`, writing)
    }
  }
  return steps
}

/** What `run` gives; undefined if the conversation cannot be converted so, which is told and costs work as well. */
function attempt<Result>(core: typeof Core, run: () => Result): Result | undefined {
  try {
    return run()
  } catch (error) {
    if (error instanceof core.ConversionError) return undefined
    throw error
  }
}

function target(core: typeof Core, source: Core.SourceForm): Core.TargetForm {
  return core.targetForms.find((it) => it === source) ?? 'ocm'
}
