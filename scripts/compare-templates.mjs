/**
 * Compares renderings of published chat templates with those of Python's Jinja2, set up as transformers does.
 *
 *     npm run compare:templates                fetches the repositories below
 *     npm run compare:templates -- URL ...     fetches others, or clones on this disk
 *
 * Templates are `*.jinja` files, and `chat_template` in JSON files. They go into a scratch folder that is removed at the end; nothing
 * of them is kept. Needs git, and python3 with jinja2. Exits with 1 if there is a difference.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './repository.mjs'

const published = ['chujiezheng/chat_templates', 'huggingface/trl', 'xorbitsai/inference'].map(
  (it) => `https://github.com/${it}.git`,
)

const largest = 2 << 20 // bytes of a file: vocabularies are larger
const sources = process.argv.length > 2 ? process.argv.slice(2) : published
const scratch = mkdtempSync(join(tmpdir(), 'openchatml-templates-'))
try {
  const templates = join(scratch, 'templates')
  mkdirSync(templates)
  const known = new Set()
  for (const [index, source] of sources.entries()) {
    const clone = join(scratch, String(index))
    execFileSync('git', ['clone', '--quiet', '--depth', '1', '--no-checkout', source, clone], {
      stdio: 'inherit',
    })
    for (const [name, text] of templatesIn(clone)) {
      const hash = createHash('sha256').update(text).digest('hex')
      if (known.has(hash)) continue
      known.add(hash)
      writeFileSync(
        join(templates, `${index}-${name.replace(/[^\w.-]+/g, '-')}-${hash.slice(0, 8)}.jinja`),
        text,
      )
    }
  }
  console.log(`${known.size} templates from ${sources.length} repositories`)
  execFileSync(
    process.execPath,
    [
      join(root, 'scripts', 'run-tests.mjs'),
      'test/templates/render-template.test.ts',
      '--test-name-pattern=that is published',
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, CHAT_TEMPLATES: templates },
    },
  )
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

/** The templates in a clone, with the paths of their files. */
function* templatesIn(clone) {
  const git = (...args) =>
    execFileSync('git', ['-C', clone, ...args], { encoding: 'utf8', maxBuffer: 1 << 28 })
  for (const line of git('ls-tree', '-r', '-l', '-z', 'HEAD').split('\0')) {
    const [, hash, size, path] = /^\d+ blob (\w+) +(\d+)\t(.*)$/.exec(line) ?? []
    if (path === undefined || Number(size) > largest) continue
    if (path.endsWith('.jinja')) yield [path, git('cat-file', 'blob', hash)]
    else if (path.endsWith('.json'))
      for (const text of templatesOf(git('cat-file', 'blob', hash))) yield [path, text]
  }
}

/** What a JSON file calls `chat_template`, wherever it does. */
function templatesOf(json) {
  const found = []
  const note = (key, value) => {
    if (key === 'chat_template' && typeof value === 'string' && value.includes('{')) found.push(value)
    return value
  }
  try {
    JSON.parse(json, note)
  } catch {
    return [] // JSON with comments, or none at all
  }
  return found
}
