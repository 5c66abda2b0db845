/** The training view: the text of the template with what is trained of it, under kinds of its own, and nothing of it stays behind. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageChannel, type PageRequest } from '../../client/src/preview/page-channel.ts'
import type { ToPage, TrainingTotals } from '../../client/src/preview/preview-protocol.ts'
import { PreviewSession, type Summary } from '../../client/src/preview/preview-session.ts'
import { trainingPageView } from '../../client/src/preview/training-page-view.ts'
import {
  parserForTraining,
  type TrainingAccess,
  type TrainingEntry,
  type TrainingSetup,
} from '../../client/src/preview/training-source.ts'
import { o200k } from '../../core/src/convert/o200k-encoder.ts'
import {
  editableSample,
  harmonyTokenizer,
  isTemplateProblem,
  packedView,
  readSample,
  renderForTraining,
} from '../../core/src/internal.ts'
import { TestPage } from './dom.ts'
import { openVisible } from './visible-page.ts'

const chat = [
  'version: 2.2\n',
  '<|start|>system<|message|>Be brief.<|end|>\n',
  '<|start|>user<|message|>Hot? 🌞<|end|>\n',
  '<|start|>assistant<|channel|>analysis<|message|>CANARY look it up.<|end|>\n',
  '<|start|>assistant to=functions.w call_id=c<|channel|>commentary<|constrain|>json<|message|>{"city":"Rome"}<|call|>\n',
  '<|start|>tool name=functions.w call_id=c<|message|>{"t":21}<|end|>\n',
  '<|start|>assistant<|channel|>final<|message|>No.<|end|>\n',
].join('')

const chatml = `{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.reasoning_content or '' }}{{ m.content or '' }}{% for c in m.tool_calls or [] %}{{ c.function | tojson }}{% endfor %}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

const harmony: TrainingSetup = {
  template: undefined,
  mask: undefined,
  maxLength: undefined,
  hasPlaces: true,
  hasTemplateFile: false,
  choices: { template: 'Harmony', tokenizer: 'o200k_harmony', mask: 'automatic', length: 'no limit' },
}
const ownTemplate: TrainingSetup = {
  ...harmony,
  template: { source: chatml, names: {} },
  hasTemplateFile: true,
  choices: { ...harmony.choices, template: 'chat_template.jinja' },
}

/** A training view of `text`: what crosses, and the page. */
class Training {
  readonly page = new TestPage()
  readonly sent: ToPage[] = []
  readonly requests: PageRequest[] = []
  readonly session: PreviewSession<TrainingEntry>
  setup: TrainingSetup
  /** Whether changes are kept from the channel. */
  isHeld = false
  nRenderings = 0

  constructor(text: string, setup: TrainingSetup, options: { sample?: object; hasTokenizer?: boolean } = {}) {
    this.setup = setup
    const read =
      options.sample &&
      readSample(new TextEncoder().encode(JSON.stringify(options.sample)), { rest: 'source' })
    const sample = read && editableSample(read)
    const access: TrainingAccess<undefined> = {
      setup: async () => this.setup,
      sampleOf: () => (sample?.kind === 'good' ? sample : undefined),
      failedAt: () => {},
      render: async (chosen, rendered) => {
        this.nRenderings++
        const tokenizer = options.hasTokenizer === false ? undefined : harmonyTokenizer(o200k)
        const view = renderForTraining({ ...chosen, sample: rendered }, tokenizer, o200k)
        if (isTemplateProblem(view)) return { kind: 'template', problem: view }
        return { kind: 'view', view: packedView(view), doubt: undefined }
      },
    }
    const parse = parserForTraining(access)
    this.session = new PreviewSession(
      sample?.kind === 'good' ? sample.text : text,
      (it, touch) => parse(it, {}, touch, undefined),
      (task) => {
        const attempt = () => {
          handle = setImmediate(() => (this.isHeld ? attempt() : task()))
        }
        let handle: NodeJS.Immediate
        attempt()
        return () => clearImmediate(handle)
      },
    )
    const channel = new PageChannel(
      trainingPageView,
      (message) => {
        this.sent.push(message)
        this.page.send(message)
        queueMicrotask(() => {
          for (const said of this.page.posted.splice(0)) channel.receive(said)
        })
      },
      (request) => this.requests.push(request),
    )
    this.page.posted.length = 0 // that the page is ready was heard by the channel before
    channel.open({ uri: 'file:///a.ocm', session: this.session })
    channel.takeOver({ index: 0, line: 0 })
  }

  /** Resolves when the sample is rendered and on the page; `nBefore` earlier renderings do not count. */
  rendered(nBefore = 0): Promise<TrainingTotals> {
    return new Promise((done) => {
      const stop = this.session.onChanged(() => {
        const { summary } = this.session
        if (!isDone(summary) || this.nRenderings === nBefore) return
        stop()
        setImmediate(() => done(summary))
      })
    })
  }

  texts(selector: string): string[] {
    return [...this.page.document.querySelectorAll(selector)].map((it) => it.textContent ?? '')
  }
}

test('the page has the text of the template, message by message, with what is trained of it', async () => {
  const training = new Training(chat, ownTemplate)
  const totals = await training.rendered()
  assert.deepEqual(training.texts('.training-message .name'), [
    'system',
    'user',
    'assistant',
    'tool',
    'assistant',
  ])
  assert.equal(
    training.texts('.rendering').join(''),
    '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHot? 🌞<|im_end|>\n' +
      '<|im_start|>assistant\nCANARY look it up.{"name": "w", "arguments": {"city": "Rome"}}<|im_end|>\n' +
      '<|im_start|>tool\n{"t":21}<|im_end|>\n<|im_start|>assistant\nNo.<|im_end|>\n',
  )
  assert.deepEqual(
    training.texts('mark.trained').join('|'),
    ['CANARY look it up.{"name": "w", "arguments": {"city": "Rome"}}<|im_end|>\n', 'No.<|im_end|>\n'].join(
      '|',
    ),
  )
  const [counts] = training.texts('.training-counts')
  assert.equal(counts, `${totals.trained} of ${totals.total} tokens trained`)
  assert.ok(totals.trained > 10 && totals.trained < totals.total)
})

test('Harmony is rendered with its special tokens as chips', async () => {
  const training = new Training(chat, harmony)
  await training.rendered()
  assert.deepEqual(training.texts('.training-message:first-of-type .special'), [
    '<|start|>',
    '<|message|>',
    '<|end|>',
  ])
  assert.equal(training.texts('.special').at(-1), '<|return|>')
  assert.match(training.texts('.banner')[0] ?? '', /^Hidden text is shown\./)
})

test('a text in the rendering leads to its words in the document', async () => {
  for (const setup of [harmony, ownTemplate]) {
    const { session } = await renderedOf(new Training(chat, setup))
    for (const word of ['brief', '🌞', 'CANARY', 'Rome', '"t"', 'No.']) {
      if (setup === harmony && word === 'CANARY') continue // reasoning before an answer is not rendered
      const entry = session.entries.find((it) => it.ref.read()?.text.includes(word))
      const at = entry?.ref.read()?.text.indexOf(word) ?? -1
      // JSON that a template writes in its own spelling leads to its message.
      const expected =
        setup === ownTemplate && word === 'Rome'
          ? chat.indexOf('<|start|>assistant<|channel|>analysis')
          : chat.indexOf(word)
      assert.equal(entry?.ref.sourceOffset?.(at), expected, word)
    }
  }
})

test('the message that contains the cursor is marked', async () => {
  const { session } = await renderedOf(new Training(chat, ownTemplate))
  const roleAt = (word: string) => session.entryAt(chat.indexOf(word))?.ref.read()?.text
  assert.match(roleAt('CANARY') ?? '', /CANARY/)
  assert.match(roleAt('"city"') ?? '', /CANARY/, 'a call is in the message of its reasoning')
  assert.match(roleAt('"t"') ?? '', /"t":21/)
})

test('the maximal length is a line, and what is beyond it is not trained', async () => {
  const training = new Training(chat, { ...ownTemplate, maxLength: 12 })
  const totals = await training.rendered()
  assert.deepEqual(training.texts('.limit'), ['Maximum length'])
  assert.equal(totals.trained, 0)
  const before = training.texts('.rendering :not(.cut):not(.limit)').join('')
  assert.equal([...o200kPieces(before)].length, 12)
  assert.ok(
    totals.notes.some((it) => /beyond the maximum length/.test(it)),
    totals.notes.join('\n'),
  )
})

function o200kPieces(text: string): readonly unknown[] {
  return [...harmonyTokenizer(o200k).cut(text).tokens]
}

test('a token in the middle of a character knows which of its bytes it is', async () => {
  const { session } = await renderedOf(new Training(chat, ownTemplate))
  const entry = session.entries.map((it) => it.ref.read()).find((it) => it?.text.includes('🌞'))
  assert.ok(entry)
  const split = entry.tokens.parts.map(([index, from, to]) => [
    entry.text.slice(entry.tokens.starts[index], entry.tokens.ends[index]),
    from,
    to,
  ])
  assert.ok(split.length >= 2, JSON.stringify(entry.tokens))
  assert.equal(split.at(-1)?.[2], 4, 'the last one has the last byte')
})

test('without a tokenizer, characters are counted, and the view says so', async () => {
  const training = new Training(chat, ownTemplate, { hasTokenizer: false })
  const totals = await training.rendered()
  assert.equal(totals.unit, 'characters')
  assert.match(training.texts('.training-notes').join(), /characters are counted/)
  assert.match(training.texts('mark').join('|'), /^CANARY[\s\S]*\|No\.<\|im_end\|>\n$/)
})

test('a sample keeps its flags, and what was typed counts', async () => {
  const sample = {
    messages: [
      { role: 'user', content: 'One?' },
      { role: 'assistant', content: 'First.', weight: 0 },
      { role: 'user', content: 'Two?' },
      { role: 'assistant', content: 'Second.' },
    ],
  }
  const training = new Training('', ownTemplate, { sample })
  await training.rendered()
  assert.deepEqual(training.texts('.flag'), ['weight: 0'])
  assert.deepEqual(training.texts('mark'), ['Second.<|im_end|>\n'])
})

test('a template that fails is reported in its own words, with line and column', async () => {
  const source = '{% for m in messages %}\n{{ raise_exception("No tools, please") }}{% endfor %}'
  const training = new Training(chat, { ...ownTemplate, template: { source, names: {} } })
  const totals = await training.rendered()
  assert.equal(totals.failure, 'The template fails in line 2, column 4: No tools, please')
  assert.deepEqual(training.texts('.training-failure'), [totals.failure])
  assert.deepEqual(training.texts('.message'), [])
})

test('the page follows the document while it is edited', async () => {
  const training = await renderedOf(new Training(chat, ownTemplate))
  const start = chat.indexOf('Hot?')
  training.session.edit([{ offset: start, length: 0, text: 'Really ' }])
  await training.rendered(training.nRenderings)
  assert.match(training.texts('.rendering').join(''), /user\nReally Hot\?/)
})

test('after another choice, nothing of the earlier rendering stays on the page, however late the page looks', async () => {
  for (const isLate of [false, true]) {
    const training = await renderedOf(new Training(chat, ownTemplate))
    assert.match(training.texts('.rendering').join(''), /CANARY/)
    training.setup = harmony
    training.isHeld = isLate
    training.session.replace(chat)
    if (isLate) while (!isDone(training.session.summary)) await new Promise(setImmediate)
    training.isHeld = false
    await training.rendered()
    assert.doesNotMatch(training.page.document.body.textContent ?? '', /CANARY/)
    assert.match(training.texts('.rendering').join(''), /<\|return\|>$/)
  }
})

test('a preview that hides hidden text takes nothing of the training view', () => {
  const page = new TestPage()
  openVisible(page, chat)
  const before = page.document.body.innerHTML
  page.send({
    kind: 'trainingUpdate',
    sequence: 9,
    first: 0,
    total: 1,
    changes: [
      {
        kind: 'insert',
        message: {
          id: 'x',
          role: 'assistant',
          flags: [],
          text: 'CANARY',
          omitted: 0,
          tokens: { first: 0, ids: [1], starts: [0], ends: [6], flags: [2], parts: [] },
        },
      },
    ],
  })
  assert.equal(page.document.body.innerHTML, before)
  assert.doesNotMatch(before, /CANARY/)
})

function isDone(summary: Summary | undefined): summary is TrainingTotals {
  return summary !== undefined && 'trained' in summary && summary.state !== 'rendering'
}

async function renderedOf(training: Training): Promise<Training> {
  await training.rendered()
  return training
}
