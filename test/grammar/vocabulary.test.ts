/** The grammar knows the words of the vocabulary, and no others; and the file is what its source gives. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { attributes, contentTypes, intents } from '../../core/src/vocabulary/attributes.ts'
import { channels } from '../../core/src/vocabulary/channels.ts'
import { framings } from '../../core/src/vocabulary/dialects.ts'
import { builtinTools, roles } from '../../core/src/vocabulary/roles.ts'
import { grammarPath, loadGrammar, markdownLanguages, scopedLines } from './textmate-grammar.ts'

const grammar = await loadGrammar()

/** The innermost scope of `word`, which stands in `line`. */
function scopeOf(word: string, line: string): string | undefined {
  const token = scopedLines(grammar, line)[0]?.tokens.find(({ text }) => text === word)
  return token?.scopes.at(-1)
}

test('the grammar names the control tokens of the vocabulary', () => {
  const source = readFileSync(grammarPath, 'utf8')
  const named = new Set(
    [...source.matchAll(/<\\\\\|(?:\(\?:)?([a-z_|]+)\)?\\\\\|>/g)].flatMap(([, names = '']) =>
      names.split('|'),
    ),
  )
  const inVocabulary = new Set(
    framings.flatMap(({ tokens }) => tokens.map(({ text }) => text)).filter((it) => it.startsWith('<|')),
  )
  assert.deepEqual([...named].map((it) => `<|${it}|>`).sort(), [...inVocabulary].sort())
})

for (const { name } of roles) {
  test(`role ${name}`, () => {
    assert.equal(scopeOf(name, `<|start|>${name}<|message|>x<|end|>`), 'entity.name.type.role.openchatml')
  })
}

for (const [name, methods] of builtinTools) {
  for (const tool of methods.length === 0 ? [name] : methods.map((it) => `${name}.${it}`)) {
    test(`built-in tool ${tool}, as role and as recipient`, () => {
      const reply = `<|start|>user<|message|>cut off<|start|>${tool} to=assistant<|message|>x<|end|>`
      assert.equal(scopeOf(tool, reply), 'entity.name.type.role.openchatml')
      const call = `<|start|>assistant to=${tool}<|message|>x<|call|>`
      assert.equal(scopeOf(tool, call), 'entity.name.function.tool.openchatml')
    })
  }
}

for (const { name } of channels) {
  test(`channel ${name}`, () => {
    const line = `<|start|>assistant<|channel|>${name}<|message|>x<|end|>`
    assert.equal(scopeOf(name, line), 'constant.language.channel.openchatml')
    assert.ok(
      scopedLines(grammar, line)[0]?.tokens.some((it) =>
        it.scopes.includes(`meta.message.${name}.openchatml`),
      ),
    )
  })
}

for (const { name } of attributes) {
  test(`attribute ${name}`, () => {
    assert.equal(
      scopeOf(name, `<|start|>assistant ${name}=x<|message|>x<|end|>`),
      'variable.parameter.attribute.openchatml',
    )
  })
}

for (const { name } of intents) {
  test(`intent ${name}`, () => {
    const line = `<|start|>assistant intent=${name}<|message|>x<|end|>`
    assert.equal(scopeOf(name, line), 'constant.language.intent.openchatml')
  })
}

for (const { name } of contentTypes) {
  test(`content type ${name}, as constraint, hint and bare word`, () => {
    const scope = 'constant.language.content-type.openchatml'
    const header = '<|start|>assistant to=f<|channel|>commentary'
    assert.equal(scopeOf(name, `${header}<|constrain|>${name}<|message|>x<|call|>`), scope)
    assert.equal(scopeOf(name, `${header} content_type=${name}<|message|>x<|call|>`), scope)
    assert.equal(scopeOf(name, `${header} ${name}<|message|>x<|call|>`), scope)
  })
}

test('words of no vocabulary have scopes of their own', () => {
  const line = '<|start|>nobody color=red<|channel|>finale<|constrain|>xml<|message|>x<|end|>'
  assert.equal(scopeOf('nobody', line), 'variable.other.unknown-role.openchatml')
  assert.equal(scopeOf('color', line), 'variable.other.unknown-attribute.openchatml')
  assert.equal(scopeOf('finale', line), 'invalid.illegal.unknown-channel.openchatml')
  assert.equal(scopeOf('xml', line), 'string.unquoted.value.openchatml')
})

test('the manifest says of every embedded language which one it is', async () => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
    readonly contributes: {
      readonly grammars: readonly { readonly embeddedLanguages: Readonly<Record<string, string>> }[]
    }
  }
  const named = readFileSync(grammarPath, 'utf8').matchAll(/"(meta\.embedded\.block\.([a-z]+)\.openchatml)"/g)
  const embedded = new Map([...named].map(([, scope = '', language = '']) => [scope, language]))
  // Languages of this extension alone, for which neither VS Code nor others suggest words and snippets by themselves.
  for (const [name, language] of [
    ['header', 'openchatml-header'],
    ['json', 'openchatml-json'],
    ['markdown', 'openchatml-prose'],
    ['text', 'openchatml-prose'],
  ] as const) {
    embedded.set(`meta.embedded.block.${name}.openchatml`, language)
  }
  // Fenced code has the languages that it has in Markdown: their comments and brackets.
  for (const [scope, language] of await markdownLanguages()) embedded.set(scope, language)
  assert.deepEqual(
    Object.fromEntries([...embedded].sort()),
    Object.fromEntries(Object.entries(manifest.contributes.grammars[0]?.embeddedLanguages ?? {}).sort()),
  )
})

test('the grammar is what its source gives', () => {
  const { status, stderr } = spawnSync(process.execPath, ['syntaxes/generate.mjs', '--check'], {
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
})
