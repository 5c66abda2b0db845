/** The server speaks the language that its client asks for, and the manifest has no text of its own. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import type { CodeAction, CompletionItem, Hover } from 'vscode-languageserver-protocol'
import { startClient } from '../helpers/lsp-client.ts'
import { pseudoLocale, wide } from '../helpers/pseudo-locale.ts'

const text = 'version: 2.2\n<|start|>user<|message|>a <|channel|> b<|end|>\n<|start|>assistant<|channel|>'

test('problems, fixes, hovers and proposals come translated', async () => {
  const client = await startClient({ initializationOptions: { l10n: pseudoLocale() } })
  const uri = client.open(text)
  const textDocument = { uri }
  const [problem] = await client.diagnostics(uri)
  assert.equal(problem?.message, wide('`<|channel|>` is plain text in a body'))
  assert.ok(problem)
  const actions = await client.request<CodeAction[]>('textDocument/codeAction', {
    textDocument,
    range: problem.range,
    context: { diagnostics: [problem] },
  })
  assert.equal(actions[0]?.title, wide('Escape `<|channel|>`'))
  const hover = await client.request<Hover>('textDocument/hover', {
    textDocument,
    position: { line: 1, character: 3 },
  })
  assert.match(JSON.stringify(hover), new RegExp(wide('Opens a message header')))
  const [first] = await client.request<CompletionItem[]>('textDocument/completion', {
    textDocument,
    position: { line: 2, character: 29 },
  })
  assert.equal(first?.label, 'analysis')
  assert.equal(first?.detail, wide('Private reasoning and calls of built-in tools'))
  await client.stop()
})

test('translations may have comments, and nonsense is no translation', async () => {
  const message = 'Text kann hier nicht stehen'
  const l10n = { 'Text outside a message': { message, comment: ['for translators'] }, 'The first channel': 5 }
  const client = await startClient({ initializationOptions: { l10n } })
  const uri = client.open(
    'version: 2.2\n<|start|>user<|message|>a<|end|> stray <|start|>user<|message|>a<|end|>\n',
  )
  const [problem] = await client.diagnostics(uri)
  assert.equal(problem?.message, message)
  await client.stop()
})

test('without translations the server speaks English', async () => {
  const client = await startClient({ initializationOptions: { l10n: 'de' } })
  const [problem] = await client.diagnostics(client.open(text))
  assert.equal(problem?.message, '`<|channel|>` is plain text in a body')
  await client.stop()
})

/** Keys of the manifest whose values users read. */
const shown = new Set([
  ...[
    'title',
    'shortTitle',
    'displayName',
    'label',
    'description',
    'markdownDescription',
    'deprecationMessage',
  ],
  ...['enumDescriptions', 'markdownEnumDescriptions', 'enumItemLabels', 'name'],
])

/** What the manifest says to models, which need no translation. */
const forModels = new Set(['inputSchema', 'modelDescription'])

test('every text that the manifest contributes is in package.nls.json, and nothing else is', () => {
  const { contributes, capabilities } = JSON.parse(readFileSync('package.json', 'utf8'))
  const texts: Record<string, string> = JSON.parse(readFileSync('package.nls.json', 'utf8'))
  const used = new Set<string>()
  const check = (value: unknown, key: string) => {
    if (typeof value === 'string') {
      const name = /^%(.+)%$/.exec(value)?.[1]
      if (name !== undefined) {
        assert.ok(texts[name], `${name} has no text`)
        used.add(name)
      } else if (shown.has(key) && !value.startsWith('openchatml_'))
        assert.equal(value, 'OpenChatML', `${key}: ${value} is not translated`)
    } else if (Array.isArray(value)) for (const item of value) check(item, key)
    else if (typeof value === 'object' && value !== null)
      for (const [inner, item] of Object.entries(value)) if (!forModels.has(inner)) check(item, inner)
  }
  check(contributes, '')
  check(capabilities, '')
  assert.deepEqual(
    Object.keys(texts).filter((it) => !used.has(it)),
    [],
  )
})
