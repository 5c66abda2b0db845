/** No sentence of the editor stands in the sources without the tag that lets it be translated. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { parse } from '@babel/parser'

interface Node {
  readonly type: string
  readonly start: number
  readonly [key: string]: unknown
}

/** Begins like a sentence: two words, the first with a capital letter, or a word in backticks first. */
const sentence = /^(?:[A-Z][a-z]*|`[^`]+`) [a-z]/

/** What is no text of the editor: logs, errors of ours, documentation of rules, texts of the command line. */
const ours = /^(?:log|describe|invariant|error|warn|fail|onError|assert)$/
const ownKeysOfCore = new Set(['summary', 'why', 'bad', 'good', 'documentation', 'visibility', 'description'])
const ownFiles = [
  'core/src/vocabulary/', // collected as data
  'core/src/embedded/header-schema.ts', // likewise
  'core/src/rules/full-header-schema.ts', // likewise
  'core/src/embedded/yaml-parse.ts', // words of the library
  'core/src/rules/configuration-reader.ts', // shown by the command line and in logs
  'core/src/rules/expectation.ts', // likewise
  'core/src/streaming/', // events for programs
  'core/src/features/transcript-templates.ts',
  'core/src/forms/harmony/harmony-content.ts', // text that models are given
  'client/render/', // files that are exported
  'core/src/embedded/jinja-tokens.ts', // the words of Jinja2, which people search for
  'core/src/templates/', // likewise
  'client/src/quiet-client.ts', // logged
]

const folders = ['core/src', 'server/src', 'client/src', 'client/webview', 'client/render', 'client/disk']
const files = folders.flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).flatMap((name) =>
    name.endsWith('.ts') ? [`${folder}/${name.replaceAll('\\', '/')}`] : [],
  ),
)

test('every sentence is tagged', () => {
  const untagged: string[] = []
  for (const file of files) {
    if (ownFiles.some((it) => file.startsWith(it))) continue
    const source = readFileSync(file, 'utf8')
    const program = parse(source, { sourceType: 'module', plugins: ['typescript'] }).program
    visit(program as unknown as Node, { file }, (text, { start }) => {
      if (sentence.test(text)) untagged.push(`${file}:${source.slice(0, start).split('\n').length}: ${text}`)
    })
  }
  assert.deepEqual(untagged, [])
})

/** Tells the texts that are not tagged, in templates with `…` for what is filled in. */
function visit(
  node: Node,
  { file, parent }: { readonly file: string; readonly parent?: Node },
  tell: (text: string, node: Node) => void,
): void {
  if (/^(?:Import|ExportAll)Declaration$/.test(node.type) || isOurs(node, file)) return
  if (node.type === 'TSLiteralType') return
  if (node.type === 'StringLiteral') tell(String(node.value), node)
  if (node.type === 'TemplateLiteral' && parent?.type !== 'TaggedTemplateExpression') {
    const quasis = node.quasis as readonly { readonly value: { readonly cooked: string } }[]
    tell(quasis.map(({ value }) => value.cooked).join('…'), node)
  }
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (typeof child?.type === 'string') visit(child, { file, parent: node }, tell)
    }
  }
}

function isOurs(node: Node, file: string): boolean {
  if (node.type === 'ObjectProperty') return file.startsWith('core/') && ownKeysOfCore.has(nameOf(node.key))
  if (node.type === 'NewExpression')
    return /Error$/.test(nameOf(node.callee)) && nameOf(node.callee) !== 'ConversionError'
  if (node.type !== 'CallExpression') return false
  const name = nameOf(node.callee)
  return ours.test(name) || name === 't'
}

/** The name of an identifier, or of the property that is asked for. */
function nameOf(node: unknown): string {
  const { type, name, property, value } = node as Node
  return type === 'MemberExpression'
    ? nameOf(property)
    : String(name ?? value ?? (property as Node)?.name ?? '')
}
