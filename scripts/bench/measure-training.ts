/**
 * Measures what a model is trained on: the training view of one sample, rendering and masks of a whole file compared with parsing it, a
 * large vocabulary, and finding near-duplicates.
 */
import { DuplicateIndex } from '../../core/src/checks/duplicate-index.ts'
import { TextDigest } from '../../core/src/checks/text-digest.ts'
import { o200k } from '../../core/src/convert/o200k-encoder.ts'
import {
  type ChatTemplate,
  harmonyTokenizer,
  type JsonObject,
  type MaskMode,
  packedView,
  readJsonConversation,
  renderForTraining,
  renderingOf,
  renderingProblems,
  sampleToRender,
  type Tokenizer,
} from '../../core/src/internal.ts'
import { tokenizerOfJson } from '../../core/src/training/tokenizer-json.ts'
import { randomFrom } from './corpus.ts'
import { datasetLines } from './dataset-lines.ts'
import {
  digits,
  heldBytes,
  megabytesOf,
  million,
  milliseconds,
  race,
  times,
  workedMilliseconds,
} from './measuring.ts'
import { assignment, atMost, report } from './row.ts'

const { isQuick } = assignment()
const turns = isQuick ? 1 : 3
const rules = { turns, runs: 5, clock: workedMilliseconds, sweeps: false }

/** As published models have it, with the tags that mark what is trained. */
const template: ChatTemplate = {
  source: `{%- if tools %}<|im_start|>system
{% for tool in tools %}{{ tool | tojson }}
{% endfor %}<|im_end|>
{% endif %}
{%- for message in messages %}
{{- '<|im_start|>' + message.role + '\\n' }}
{%- if message.role == 'assistant' %}{% generation %}
{%- if message.reasoning_content %}{{ '<think>\\n' + message.reasoning_content.strip('\\n') + '\\n</think>\\n\\n' }}{% endif %}
{{- message.content or '' }}
{%- for call in message.tool_calls or [] %}
{{- '\\n<tool_call>\\n' }}{{ call.function | tojson }}{{ '\\n</tool_call>' }}
{%- endfor %}
{{- '<|im_end|>' }}{% endgeneration %}
{%- else %}{{ message.content + '<|im_end|>' }}{% endif %}
{{- '\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}`,
  names: {},
}

await measureView()
await measureFile('template', undefined)
await measureFile('assistant', undefined)
await measureFile('template', harmonyTokenizer(o200k))
await measureVocabulary()
await measureDuplicates()

function rendered(
  value: JsonObject,
  mask: MaskMode | undefined,
  tokenizer: Tokenizer | undefined,
  isView = false,
) {
  const reading = readJsonConversation(value, { rest: 'source', isTraced: true })
  const sample = sampleToRender(value, reading, template)
  const request = { template, sample, mask, maxLength: undefined, hasPlaces: isView, isTraced: isView }
  const view = renderForTraining(request, tokenizer, o200k)
  if (!('tokens' in view)) throw new Error(view.message)
  if (isView) return packedView(view)
  return renderingProblems([renderingOf(view, 'context' in sample ? sample : undefined)])
}

/** What VS Code does to show a sample again, once its template is loaded; without sending it to the page. */
async function measureView(): Promise<void> {
  const tokenizer = harmonyTokenizer(o200k)
  const messages: JsonObject[] = []
  let tokens = 0
  for (const line of datasetLines(million)) {
    for (const it of (JSON.parse(line) as { messages: JsonObject[] }).messages) {
      messages.push(it)
      tokens += tokenizer.cut(String(it.content ?? '')).tokens.length
      if (tokens > 4000 && it.role === 'assistant') break
    }
    if (tokens > 4000) break
  }
  const sample = { messages }
  const time = await race({ ours: () => rendered(sample, undefined, tokenizer, true) }, rules)
  report({
    what: `Training view of ${digits(tokens)} tokens in ${messages.length} messages, template loaded`,
    ours: milliseconds(time.ours),
    ...atMost(time.ours, 10, milliseconds),
  })
}

async function measureFile(mask: MaskMode, tokenizer: Tokenizer | undefined): Promise<void> {
  const lines = [...datasetLines((isQuick ? 2 : 8) * million)]
  const time = await race(
    {
      json: () => lines.map((it) => JSON.parse(it)).length,
      ours: () => lines.map((it) => rendered(JSON.parse(it), mask, tokenizer)).length,
    },
    rules,
  )
  report({
    what: `Rendering and mask (\`${mask}\`) of a whole file${tokenizer ? ', with its tokens' : ''}, one core`,
    ours: milliseconds(time.ours),
    peers: `\`JSON.parse\` ${milliseconds(time.json)}`,
    // Tokens have a row of their own: a tokenizer takes longer than all else.
    ...(tokenizer ? { figure: times(time.ours / time.json) } : atMost(time.ours / time.json, 8, times)),
  })
}

/** A `tokenizer.json` as large as those of Llama 3, Qwen, and Gemma: 150,000 tokens, 280,000 merges. */
async function measureVocabulary(): Promise<void> {
  const json = largeTokenizer()
  const size = JSON.stringify(json).length
  const begun = workedMilliseconds()
  let tokenizer: Tokenizer | string = ''
  const held = heldBytes(() => {
    tokenizer = tokenizerOfJson(json)
    return tokenizer
  })
  const time = workedMilliseconds() - begun
  if (typeof tokenizer === 'string') throw new Error(tokenizer)
  report({
    what: `Load a \`tokenizer.json\` of ${megabytesOf(size)}`,
    ours: `${milliseconds(time)}, holds ${megabytesOf(held)}`,
  })
}

function largeTokenizer(): JsonObject {
  const random = randomFrom(7)
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const vocab: Record<string, number> = {}
  for (const it of `${letters}Ġ`) vocab[it] = Object.keys(vocab).length
  const words = Object.keys(vocab)
  const merges: [string, string][] = []
  const count = isQuick ? 20_000 : 150_000
  for (let size = words.length; size < count; ) {
    const [left = '', right = ''] = [0, 0].map(() => words[Math.floor(random() ** 2 * words.length)])
    const joined = left + right
    if (joined.length > 12 || joined in vocab) continue
    vocab[joined] = size++
    words.push(joined)
    merges.push([left, right])
  }
  return {
    model: { type: 'BPE', vocab, merges },
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, use_regex: true },
    normalizer: null,
    post_processor: null,
    decoder: { type: 'ByteLevel' },
    added_tokens: [],
  }
}

/** Samples of 120 words, of which one in fifty nearly repeats an earlier one. */
async function measureDuplicates(): Promise<void> {
  const count = isQuick ? 20_000 : 100_000
  const random = randomFrom(11)
  const word = () => `w${Math.floor(5000 * random() ** 2)}`
  const texts: string[] = []
  for (let nth = 0; nth < count; nth++) {
    const near = nth % 50 === 49 ? texts[nth - 7]?.split(' ').with(40, 'changed').with(90, 'also') : undefined
    texts.push((near ?? Array.from({ length: 120 }, word)).join(' '))
  }
  const begun = workedMilliseconds()
  const index = new DuplicateIndex()
  const digest = new TextDigest()
  let found = 0
  for (const it of texts) {
    digest.begin()
    digest.addSaid(it)
    if (index.add({ hash: digest.hash, signature: digest.signature() })) found++
  }
  const time = workedMilliseconds() - begun
  if (found !== Math.floor(count / 50)) throw new Error(`${found} near-duplicates were found`)
  const limit = (8000 * count) / 100_000
  report({
    what: `Near-duplicates of ${digits(count)} samples of 120 words, one core`,
    ours: milliseconds(time),
    peers: `all of ${found} planted ones found`,
    ...atMost(time, limit, milliseconds),
  })
  report({
    what: 'Near-duplicates, memory',
    ours: `${digits(index.bytes / count)} bytes a sample`,
    ...atMost(index.bytes / count, 300, (it) => `${digits(it)} bytes`),
  })
}
