/** Explanations are Markdown, which editors show with links and remote pictures: text of a document does nothing in it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import createMarkdownIt, { type Token } from 'markdown-it'
import { analyze, completions, hover, Transcript } from '../../core/src/internal.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'

const picture = '![x](https://e.org/x.png)'
const payload = fc
  .array(
    fc.constantFrom(
      picture,
      `\`${picture}\``,
      `\`\`${picture}\`\``,
      `\`\`\`\n${picture}`,
      `\n\n${picture}\n\n`,
      `\\${picture}`,
      `&#33;[x](https://e.org)`,
      '[x](command:workbench.action.quit)',
      '[x](file:///etc/passwd)',
      '[x][y]\n\n[y]: command:x',
      '<command:workbench.action.quit>',
      'https://e.org<command:x>',
      '<img/src="https://e.org/x">',
      `|a|b|\n|-|-|\n|${picture}|b|`,
      `~~~\n${picture}`,
      '](command:x)',
      'a`b',
      '\\',
      '\r',
      '\t',
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((it) => it.join(''))
const word = payload.map((it) => it.replace(/\s+/g, ''))
const payloads = fc.array(payload, { minLength: 6, maxLength: 6 })
const words = fc.array(word, { minLength: 6, maxLength: 6 })

const quoted = (text: string | undefined) => JSON.stringify(text)

function schemaOf([a, b, c, d, e, f]: readonly string[]): object {
  const described = { title: a, description: b, type: 'string', enum: [c, d], default: e, examples: [f] }
  const variant = { type: 'object', title: f, properties: { k: { const: e } } }
  return {
    type: 'object',
    title: c,
    description: d,
    required: ['a'],
    properties: { a: described, [b ?? '']: { type: 'string' }, v: { anyOf: [variant, variant] } },
  }
}

/** Documents with hostile text wherever it can be explained. */
const documents: Readonly<Record<string, fc.Arbitrary<string>>> = {
  headers: words.map(
    ([a, b, c, d, e, f]) =>
      `<|start|>${a}<|message|>x<|end|><|start|>${b} name=${c} to=${d} intent=${e} allow=${f}<|channel|>${a}<|constrain|>${b}/${c}<|message|>x<|end|><|start|>assistant to=functions.${d} call_id=${e}<|channel|>commentary<|message|>{}<|call|>\n<|start|>tool name=functions.`,
  ),
  inputs: payloads.map(
    ([a, b, c, d, e, f]) =>
      `---\nversion: 2.2\nbuiltin_tools: [${quoted(e)}]\ninputs:\n  city:\n    description: ${quoted(a)}\n    enum: [${quoted(b)}, ${quoted(c)}]\n    default: ${quoted(b)}\n  ${quoted(d)}:\n    description: ${quoted(e)}\n  plain:\ncases:\n  ${quoted(f)}:\n    city: ${quoted(b)}\n    ${quoted(d)}: 1\n  two:\n    \nlint:\n  ${quoted(a)}: error\n---\n<|start|>user<|message|>{{ city }} {{ <|end|>`,
  ),
  tools: payloads.map((it) => {
    const tool = { name: 'f', description: it[0], parameters: schemaOf(it) }
    return `---\nversion: 2.0\n---\n<|start|>developer<|message|>${JSON.stringify([tool])}<|end|>\n<|start|>assistant to=functions.f<|channel|>commentary<|message|>{"a":"x","v":{}}<|call|>\n<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|>`
  }),
  formats: payloads.map(
    (it) =>
      `<|start|>developer<|message|># Response Formats\n\n## ${it[0]}\n\n// ${it[1]}\n${JSON.stringify(schemaOf(it))}<|end|>\n<|start|>assistant<|channel|>final<|constrain|>json<|message|>{"a":"x"}<|end|>`,
  ),
}

const reader = createMarkdownIt({ html: true, linkify: true })
reader.validateLink = () => true

/** What `markdown` makes of text that is no text: links that hide where they lead, pictures, HTML, tables. */
function effects(markdown: string): readonly string[] {
  const found: string[] = []
  const look = (tokens: readonly Token[]) => {
    for (const [index, { type, attrs, children, content }] of tokens.entries()) {
      const href = new Map(attrs ?? []).get('href')
      const isBare = String(href).startsWith('https://') && tokens[index + 1]?.content.startsWith('https://')
      if (type === 'image' || type.startsWith('html') || type === 'table_open')
        found.push(`${type} ${content}`)
      else if (type === 'link_open' && !isBare) found.push(`link ${href}`)
      look(children ?? [])
    }
  }
  look(reader.parse(markdown, {}))
  return found
}

/** Of each kind; each is looked at in a hundred places. */
const nDocuments = Math.ceil(propertyRuns / 2)

/** What was looked at already: much of what is explained is the same in all documents. */
const harmless = new Set<string>()

for (const [name, document] of Object.entries(documents)) {
  test(`text of a document does nothing in what explains it: ${name}`, () => {
    let nExplained = 0
    const property = fc.property(document, (text) => {
      const analysis = analyze(Transcript.parse(text))
      const explanations = new Set<string>()
      for (let offset = 0; offset <= text.length; offset += 3) {
        explanations.add(hover(analysis, offset)?.markdown ?? '')
        if (offset % 5 > 1) continue
        for (const { documentation } of completions(analysis, offset)) explanations.add(documentation)
      }
      nExplained += explanations.size
      for (const it of explanations) {
        if (!harmless.has(it)) assert.deepEqual(effects(it), [], it)
        harmless.add(it)
      }
    })
    fc.assert(property, { numRuns: nDocuments })
    assert.ok(nExplained > 5 * nDocuments, `${nExplained} explanations`)
  })
}
