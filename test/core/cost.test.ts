/** What things cost, by counted work: a keystroke its message, opening one pass. */
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type * as Core from '../../core/src/internal.ts'
import {
  analyze,
  Checker,
  factsOf,
  type MessageFacts,
  type Segment,
  Transcript,
} from '../../core/src/internal.ts'
import { countedModule, stepsOf } from '../helpers/growth/counted-work.ts'
import { dataProfiles } from '../helpers/growth/data-profiles.ts'
import { isNight } from '../helpers/nightly.ts'
import { probeRule } from '../helpers/probe-rule.ts'

const header = 'version: 2.2\nmodel: m\n\n'
const turn = [
  '<|start|>user<|message|>What is the weather?<|end|>\n',
  '<|start|>assistant<|channel|>analysis<|message|>I look it up.\nThen I answer.<|end|>\n',
  '<|start|>assistant to=functions.f call_id=c#<|channel|>commentary<|constrain|>json<|message|>{"a":1}<|call|>\n',
  '<|start|>tool name=functions.f call_id=c# to=assistant<|channel|>commentary<|message|>{"ok":true}<|end|>\n',
  '<|start|>assistant<|channel|>final<|message|>Sunny.<|return|>\n',
].join('')
const turns = 1000
const largeText =
  header + Array.from({ length: turns }, (_, index) => turn.replaceAll('#', `${index}`)).join('')

/** Offsets inside bodies: of the first message, of one in the middle, of the last. */
const places = {
  top: bodyAfter(0),
  middle: bodyAfter(largeText.length / 2),
  end: largeText.lastIndexOf('<|message|>') + '<|message|>'.length,
}

function bodyAfter(offset: number): number {
  return largeText.indexOf('<|message|>', offset) + '<|message|>'.length
}

describe('an edit of a large transcript', () => {
  for (const [name, offset] of Object.entries(places)) {
    it(`scans the edited message again, and replaces it alone (${name})`, () => {
      const transcript = Transcript.parse(largeText)
      const edited = transcript.segmentAt(offset).segment
      for (let typed = 0; typed < 20; typed++) {
        const at = offset + typed
        const { removed, inserted, rescanned } = transcript.edit([{ start: at, end: at, text: 'x' }])
        assert.equal(removed.length, 1)
        assert.equal(inserted.length, 1)
        assert.ok(rescanned <= edited.length + typed + 1, `${rescanned} code units were scanned`)
      }
    })

    it(`scans the message and its neighbour where they are joined or cut (${name})`, () => {
      const transcript = Transcript.parse(largeText)
      const { index } = transcript.segmentAt(offset)
      const nearby = [index - 1, index, index + 1]
        .filter((it) => it > 0 && it < transcript.segmentCount)
        .reduce((length, it) => length + transcript.segment(it).segment.length, 0)
      const { segment, start } = transcript.segment(index)
      const cut = transcript.edit([{ start: start + 3, end: start + 4, text: '' }])
      assert.ok(cut.rescanned <= 2 * nearby, `${cut.rescanned} code units were scanned`)
      assert.ok(cut.removed.length + cut.inserted.length <= 4)
      const mended = transcript.edit([{ start: start + 3, end: start + 3, text: segment.text.charAt(3) }])
      assert.ok(mended.rescanned <= 3 * nearby, `${mended.rescanned} code units were scanned`)
      assert.equal(transcript.text(), largeText)
    })
  }

  it('scans nothing twice for edits in one batch', () => {
    const transcript = Transcript.parse(largeText)
    const edits = Array.from({ length: 50 }, (_, typed) => {
      const at = places.middle + typed
      return { start: at, end: at, text: 'x' }
    })
    const message = transcript.segmentAt(places.middle).segment.length
    const { removed, inserted, rescanned } = transcript.edit(edits)
    assert.equal(removed.length, 1)
    assert.equal(inserted.length, 1)
    assert.ok(rescanned <= 50 * (message + 50))
  })

  it('takes in the messages up to the end of a literal block, and no more', () => {
    const transcript = Transcript.parse(largeText)
    transcript.edit([
      { start: bodyAfter(places.middle), end: bodyAfter(places.middle), text: '<|endliteral|>' },
    ])
    const { removed, inserted, rescanned } = transcript.edit([
      { start: places.middle, end: places.middle, text: '<|literal|>' },
    ])
    assert.equal(removed.length, 2)
    assert.equal(inserted.length, 1)
    assert.ok(rescanned <= 4 * turn.length)
  })
})

describe('an edit of a long message', () => {
  const marker = '<|channel|>'
  const opening = '<|start|>user<|message|>'
  const longText = `${opening}${`${marker}\n`.repeat(20_000)}<|end|>\n`

  for (const [name, typed] of [
    ['typing in it', 'x'],
    ['a new line in it', '\n'],
    ['a control token in it', '<|message|>'],
  ] as const) {
    it(`scans only what is around it: ${name}`, () => {
      const transcript = Transcript.parse(longText)
      for (const place of [0, 0.5, 1]) {
        const offset = opening.length + Math.floor(place * (transcript.length - opening.length - 20))
        const { rescanned } = transcript.edit([{ start: offset, end: offset, text: typed }])
        assert.ok(rescanned <= typed.length + 3 * marker.length, `${rescanned} code units were scanned`)
      }
    })
  }

  it('scans only what follows the message: typing after it', () => {
    const transcript = Transcript.parse(longText)
    const { length } = transcript
    const { rescanned } = transcript.edit([{ start: length, end: length, text: 'x' }])
    assert.ok(rescanned <= 2, `${rescanned} code units were scanned`)
  })

  it('scans no message when text is typed before it', () => {
    const transcript = Transcript.parse(longText)
    transcript.edit([{ start: 0, end: 0, text: 'x' }]) // no line begins with a message now
    for (let offset = 1; offset < 5; offset++) {
      const { rescanned } = transcript.edit([{ start: offset, end: offset, text: 'x' }])
      assert.ok(rescanned <= offset + 1, `${rescanned} code units were scanned`)
    }
    const middle = longText.length >> 1
    const { rescanned } = transcript.edit([{ start: middle, end: middle, text: 'x' }])
    assert.ok(rescanned <= 100, `${rescanned} code units were scanned`)
  })
})

describe('checking an edit of a large transcript', () => {
  for (const [name, offset] of Object.entries(places)) {
    it(`looks at the edited message and a few that are judged by it (${name})`, () => {
      const { checked, type } = counted(largeText)
      type(offset, 'x')
      assertFew(checked())
    })
  }

  it('looks at the other end of an exchange as well', () => {
    const { checked, type } = counted(largeText)
    type(largeText.indexOf('{"a":1}', places.middle) + 1, ' ')
    assert.ok(checked() >= 2)
    assertFew(checked())
  })

  it('looks at a few where calls and replies have no ids', () => {
    const text = largeText.replaceAll(/ call_id=\w+/g, '')
    const { checked, type } = counted(text)
    type(text.indexOf('{"a":1}', text.length / 2) + 1, ' ')
    assertFew(checked())
  })

  it('looks at a few where a thousand calls are unanswered', () => {
    const text = largeText.replaceAll(/<\|start\|>tool .*\n/g, '')
    const { checked, type } = counted(text)
    type(text.lastIndexOf('Sunny'), 'x')
    assertFew(checked())
  })

  it('looks at no message after an edit of the header that changes no setting', () => {
    const { checked, type } = counted(largeText)
    type(largeText.indexOf('model: m') + 'model: m'.length, 'x')
    assert.equal(checked(), 0)
  })

  it('looks at every message after an edit of the header that changes a setting', () => {
    const { checked, type } = counted(largeText)
    type(largeText.indexOf('\n\n'), '\nprofiles: {harmony: {enabled: true}}')
    assert.equal(checked(), 5 * turns)
  })
})

/** The edited message, the other end of its exchange, and the neighbours that it is compared with. */
function assertFew(messages: number): void {
  assert.ok(messages >= 1 && messages <= 4, `${messages} messages were checked`)
}

/** A checker with one rule that counts the messages it is shown. */
function counted(text: string) {
  const seen: Segment[] = []
  const analysis = analyze(Transcript.parse(text))
  const checker = new Checker(analysis, { rules: [probeRule(seen)] })
  checker.advance()
  seen.length = 0
  return {
    /** How many different messages the last edits made it look at. */
    checked: () => new Set(seen).size,
    type: (offset: number, typed: string) => {
      checker.update(analysis.edit([{ start: offset, end: offset, text: typed }]))
      checker.advance()
    },
  }
}

describe('a keystroke in a YAML header', () => {
  let core: typeof Core
  before(async () => {
    core = await countedModule<typeof Core>("export * from './core/src/internal.ts'")
  })

  const dense = [
    'documents',
    'aliases of the alias before',
    'keys',
    'question marks in brackets',
    'lint entries',
  ]
  const byDay = dense.map((it) => `YAML header: ${it}`)
  const wanted = (name: string) => (isNight ? name.startsWith('YAML') : byDay.includes(name))

  it('is measured in the densest headers', () => {
    assert.deepEqual(
      byDay.filter((name) => !dataProfiles.some((it) => it.name === name)),
      [],
    )
  })

  for (const { name, text } of dataProfiles.filter((it) => wanted(it.name))) {
    it(`reads a bounded number of its elements: ${name}`, async () => {
      const source = text(longHeader)
      const document = new core.Document(source)
      document.problems()
      const offset = source.length >> 1
      const steps = await stepsOf(() => {
        document.edit([{ start: offset, end: offset, text: 'x' }])
        document.problems()
      })
      assert.ok(steps <= stepsAtMost, `${steps} steps`)
    })
  }

  const longHeader = 65_000 // code units: longer ones are not read
  const stepsAtMost = 2_000_000 // 30 ms; all of the densest texts would be twice as many
})

describe('a sample of a dataset', () => {
  let core: typeof Core
  before(async () => {
    core = await countedModule<typeof Core>("export * from './core/src/internal.ts'")
  })

  const prose = 'Sunny, with a breeze from the sea. '.repeat(40)
  const tools = ['f', 'g'].map((name) => ({ type: 'function', function: { name, description: prose } }))

  /** The steps of what `act` does with a sample of a kind that others were before it. */
  async function stepsOfNext(sampleAt: (nth: number) => object, act: (json: string) => unknown) {
    for (let nth = 0; nth < 3; nth++) act(JSON.stringify(sampleAt(nth)))
    const json = JSON.stringify(sampleAt(3))
    return (await stepsOf(() => act(json))) / json.length
  }

  const read = (json: string) => {
    const sample = core.sampleOfText(json, {})
    assert.ok(sample.kind === 'good')
    return sample.read()
  }

  it('is read once in Harmony, to recognize and to read it', async () => {
    const text = `<|start|>user<|message|>${prose}<|end|><|start|>assistant<|channel|>final<|message|>${prose}<|return|>`
    const steps = await stepsOfNext((nth) => ({ text: text.repeat(4), nth }), read)
    assert.ok(steps <= 12, `${steps} steps a code unit`)
  })

  it('has its tools written as types once for all samples, whatever else its request has', async () => {
    const messages = [{ role: 'user', content: 'Hi' }]
    const steps = await stepsOfNext(
      (nth) => ({ id: nth, tools, messages }),
      (json) => core.writeConversation(read(json), { to: 'ocm' }),
    )
    assert.ok(steps <= 12, `${steps} steps a code unit`)
  })
})

describe('the facts of a message', () => {
  it('are found once and kept with it', () => {
    const transcript = Transcript.parse(largeText)
    const facts = new Map<Segment, MessageFacts | undefined>()
    transcript.forEachSegment((segment) => facts.set(segment, factsOf(segment)))
    transcript.edit([{ start: places.middle, end: places.middle, text: 'x' }])
    let kept = 0
    transcript.forEachSegment((segment) => {
      if (facts.has(segment) && facts.get(segment) === factsOf(segment)) kept++
    })
    assert.equal(kept, transcript.segmentCount - 1)
  })
})
