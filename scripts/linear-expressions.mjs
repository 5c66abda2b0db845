/**
 * Lists every regular expression of the product and shows that each runs in linear time on any text: the checker `recheck`
 * proves it, or a comment argues for it where the checker cannot decide or what it is applied to is short:
 *
 *     // Linear: the text is at most 200 code units long.
 *
 * above the line, or above the statement. Proofs take seconds, so `scripts/linear-expressions.txt` remembers them.
 *
 *     node scripts/linear-expressions.mjs            prove what is new, and write what is proven
 *     node scripts/linear-expressions.mjs --check    write nothing; exit status 1 if an expression is neither proven nor argued for
 *     node scripts/linear-expressions.mjs --all      prove everything again
 *     node scripts/linear-expressions.mjs --list     print every expression with its place, and why it is linear
 *     node scripts/linear-expressions.mjs --in FOLDER    look at the sources in a folder, prove all, and write nothing
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, resolve } from 'node:path'
import { parse } from '@babel/parser'
import { root } from './repository.mjs'

const onlyFolder = process.argv.includes('--in') ? process.argv[process.argv.indexOf('--in') + 1] : undefined
const folders = onlyFolder === undefined ? ['core/src', 'server/src', 'client', 'cli/src'] : [onlyFolder]
const recordPath = join(root, 'scripts', 'linear-expressions.txt')
const longestProof = 20_000 // milliseconds for one expression
const isCheck = process.argv.includes('--check')

const expressions = folders.flatMap(sourcesIn).flatMap(expressionsIn)
const recorded = new Set(
  existsSync(recordPath) && !process.argv.includes('--all') && onlyFolder === undefined
    ? readFileSync(recordPath, 'utf8').split('\n').filter(Boolean)
    : [],
)
const open = expressions.filter((it) => !it.argument)
const texts = new Set(open.flatMap(({ text }) => text ?? []))
const mistakes = open
  .filter(({ text }) => text === undefined)
  .map(({ place }) => `${place}: an expression made at run time needs a comment that begins with "Linear:"`)
for (const text of texts) if (!recorded.has(text)) prove(text)
const proven = [...texts].filter((it) => recorded.has(it)).sort()

if (process.argv.includes('--list')) {
  for (const { place, text, argument } of expressions)
    console.log(`${place}\t${text ?? '(made at run time)'}\t${argument ?? 'proven'}`)
}
if (onlyFolder !== undefined) console.log(`Looked at ${onlyFolder}`)
else if (!isCheck) writeFileSync(recordPath, `${proven.join('\n')}\n`)
else if ([...recorded].some((it) => !texts.has(it)) || `${proven.join('\n')}\n` !== readRecord())
  mistakes.push('Not current: scripts/linear-expressions.txt\nRun `npm run update`')
for (const mistake of mistakes) console.error(mistake)
if (mistakes.length > 0) process.exitCode = 1
const nArgued = expressions.filter(({ argument }) => argument).length
console.log(
  `${expressions.length} expressions: ${expressions.length - nArgued} proven linear (${proven.length} different ones), ${nArgued} argued for`,
)

function readRecord() {
  return existsSync(recordPath) ? readFileSync(recordPath, 'utf8') : ''
}

function sourcesIn(folder) {
  return readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => resolve(root, folder, name))
    .sort()
}

/** The expressions of a file: literals, and what `RegExp` is called with. */
function expressionsIn(path) {
  const { program, comments } = parse(readFileSync(path, 'utf8'), {
    sourceType: 'module',
    plugins: ['typescript'],
  })
  const found = []
  visit(program, undefined, (node, statement) => {
    const text = textOf(node)
    if (text === undefined && !isConstruction(node)) return
    const lines = [node.loc.start.line, statement?.loc.start.line ?? node.loc.start.line]
    found.push({
      place: `${relative(root, path).replaceAll('\\', '/')}:${lines[0]}`,
      text,
      argument: argumentFor(lines, comments),
    })
  })
  return found
}

/** The comment at the end of the line, or in the lines directly above one of `lines`. */
function argumentFor(lines, comments) {
  for (const comment of comments ?? []) {
    const [, argument] = /^[\s*]*Linear: (.*)/s.exec(comment.value) ?? []
    if (argument === undefined) continue
    const last = lastLineOfRun(comment, comments)
    if (lines.some((line) => comment.loc.start.line <= line && line <= last + 1)) return argument.trim()
  }
  return undefined
}

/** Where the comment lines end that go on from `comment`. */
function lastLineOfRun({ loc }, comments) {
  let last = loc.end.line
  while (comments.some((it) => it.loc.start.line === last + 1)) last++
  return last
}

function visit(node, statement, enter) {
  if (typeof node?.type !== 'string') return
  enter(node, statement)
  const own = /Statement$|Declaration$|^ClassProperty$|^ObjectProperty$/.test(node.type) ? node : statement
  for (const [key, value] of Object.entries(node)) {
    if (key === 'loc' || /Comments$/.test(key)) continue
    for (const child of Array.isArray(value) ? value : [value])
      if (child && typeof child === 'object') visit(child, own, enter)
  }
}

function isConstruction({ type, callee }) {
  return (type === 'NewExpression' || type === 'CallExpression') && callee.name === 'RegExp'
}

/** `/pattern/flags` where the source says both. */
function textOf(node) {
  if (node.type === 'RegExpLiteral') return `/${node.pattern}/${node.flags}`
  if (!isConstruction(node)) return undefined
  const [pattern, flags] = node.arguments.map(literalOf)
  if (pattern === undefined || (node.arguments.length > 1 && flags === undefined)) return undefined
  return `/${new RegExp(pattern, flags ?? '').source}/${flags ?? ''}`
}

function literalOf(node) {
  if (node.type === 'StringLiteral') return node.value
  return node.type === 'TemplateLiteral' && node.expressions.length === 0
    ? node.quasis[0].value.cooked
    : undefined
}

/** Records `text` if the checker shows that no text makes a search with it take more than linear time. */
function prove(text) {
  const checkSync = checker()
  if (!checkSync) {
    mistakes.push(`${text} is not known to be linear; run \`npm install\` for its proof`)
    return
  }
  const end = text.lastIndexOf('/')
  const {
    status,
    checker: used,
    complexity,
    attack,
    error,
  } = checkSync(text.slice(1, end), text.slice(end + 1), { checker: 'automaton', timeout: longestProof })
  // A fuzzer that finds no attack proves nothing.
  if (status === 'safe' && used === 'automaton') {
    recorded.add(text)
    return
  }
  const places = expressions.flatMap((it) => (it.text === text && !it.argument ? it.place : []))
  const reason =
    status === 'vulnerable'
      ? `is ${complexity?.type}${complexity?.degree ? ` of degree ${complexity.degree}` : ''}, for example with ${attack?.pattern}`
      : `cannot be decided (${error?.kind})`
  mistakes.push(`${places.join(', ')}: ${text} ${reason}`)
}

/** The checker in JavaScript alone; undefined where it is not installed. */
function checker() {
  try {
    return createRequire(import.meta.url)('recheck/lib/browser.js').checkSync
  } catch {
    // The output says what to do.
    return undefined
  }
}
