/**
 * Collects every text that users of the editor read into `l10n/bundle.l10n.json`, which translators begin with.
 *
 *     node scripts/l10n.mjs            write it, if it has changed
 *     node scripts/l10n.mjs --check    write nothing; exit status 1 if it is not current
 *     node scripts/l10n.mjs --translations    also list what translations are missing; exit status 1 if there is any
 *
 * A text is what is tagged `localize` or `localizable`, given to `l10n.t`, or documentation in the vocabulary and in the
 * schema of the header. Texts of `package.json` are in `package.nls.json`.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from '@babel/parser'
import { build } from 'esbuild'
import { leavePackagesOut, root } from './repository.mjs'
import { translationProblems } from './translation-problems.mjs'

const path = join(root, 'l10n', 'bundle.l10n.json')
const folders = ['core/src', 'server/src', 'client/src', 'client/webview', 'client/render', 'client/disk']
const documentingKeys = ['summary', 'documentation', 'visibility', 'description']

const texts = new Set()
for (const folder of folders)
  for (const file of sourcesIn(join(root, folder))) collectFrom(readFileSync(file, 'utf8'))
for (const table of await documentingTables()) collectDocumentation(table, new Set())
const bundle = Object.fromEntries([...texts].sort().map((text) => [text, text]))
const content = `${JSON.stringify(bundle, undefined, 2)}\n`

const isCurrent = existsSync(path) && readFileSync(path, 'utf8') === content
if (!process.argv.includes('--check')) {
  mkdirSync(dirname(path), { recursive: true })
  if (!isCurrent) writeFileSync(path, content)
  console.log(`${texts.size} texts to translate${isCurrent ? ', as before' : ''}`)
  const problems = translationProblems()
  if (process.argv.includes('--translations')) {
    for (const it of problems) console.error(it)
    if (problems.length > 0) process.exitCode = 1
  } else if (problems.length > 0) {
    console.log(`${problems.length} problems of translations; --translations lists them`)
  }
} else if (!isCurrent) {
  console.error('Not current: l10n/bundle.l10n.json\nRun `npm run update`')
  process.exitCode = 1
}

function sourcesIn(folder) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}

function collectFrom(source) {
  if (!/localiz|l10n/.test(source)) return
  visit(parse(source, { sourceType: 'module', plugins: ['typescript'] }).program)
}

function visit(node) {
  if (typeof node?.type !== 'string') return
  if (node.type === 'TaggedTemplateExpression' && /^localiz(e|able)$/.test(node.tag.name ?? '')) {
    texts.add(keyOf(node.quasi))
  } else if (node.type === 'CallExpression' && isTranslation(node.callee)) {
    const [argument] = node.arguments
    if (argument?.type === 'StringLiteral') texts.add(argument.value)
    else if (argument?.type === 'TemplateLiteral' && argument.expressions.length === 0)
      texts.add(keyOf(argument))
    else throw new Error(`A text to translate is a literal (line ${node.loc.start.line})`)
  }
  for (const [key, value] of Object.entries(node)) {
    if (key === 'loc') continue
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === 'object') visit(child)
  }
}

/** `t`, `l10n.t` and `vscode.l10n.t`. */
function isTranslation(callee) {
  if (callee.type === 'Identifier') return callee.name === 't'
  return callee.property?.name === 't' && (callee.object?.name ?? callee.object?.property?.name) === 'l10n'
}

function keyOf({ quasis }) {
  return quasis.map(({ value }, index) => (index === 0 ? '' : `{${index - 1}}`) + value.cooked).join('')
}

async function documentingTables() {
  const modules = readdirSync(join(root, 'core/src/vocabulary')).map(
    (name) => `./core/src/vocabulary/${name}`,
  )
  const outfile = join(root, 'dist', `l10n-${process.pid}.mjs`)
  try {
    await build({
      stdin: {
        contents: [
          ...modules.map((name, index) => `export * as module${index} from '${name}'`),
          `import { fullHeaderSchema } from './core/src/rules/full-header-schema.ts'`,
          'export const headerSchema = fullHeaderSchema()',
        ].join('\n'),
        resolveDir: root,
        loader: 'ts',
      },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      mainFields: ['module', 'main'],
      plugins: [leavePackagesOut],
      logLevel: 'error',
    })
    return Object.values(await import(pathToFileURL(outfile).href))
  } finally {
    rmSync(outfile, { force: true })
  }
}

/** The texts under {@link documentingKeys}, however deep they stand. */
function collectDocumentation(value, seen) {
  if (typeof value !== 'object' || value === null || seen.has(value)) return
  seen.add(value)
  if (value instanceof Map || value instanceof Set) {
    for (const item of value.values()) collectDocumentation(item, seen)
    return
  }
  for (const [key, item] of Object.entries(value)) {
    if (documentingKeys.includes(key) && typeof item === 'string' && item !== '') texts.add(item)
    else collectDocumentation(item, seen)
  }
}
