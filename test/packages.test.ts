/** Both packages, made and used as their users do: the extension as a VSIX, and the package from npm in an empty folder. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, posix, resolve } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import { libraryEntries } from '../scripts/library-entries.mjs'
import { pack, type StagedPackages, stagePackages } from '../scripts/packages.mjs'
import { installOldestTypeScript } from '../scripts/vscode/install.mjs'

const run = promisify(execFile)

/** A program on a page, and what the page says that it prints. */
interface Example {
  readonly page: string
  readonly program: string
  readonly output: string
}

/** Every program that a block with its output follows. */
const examples = [...readdirSync('docs').map((it) => `docs/${it}`), 'cli/README.md'].flatMap((page) =>
  page.endsWith('.md') ? examplesIn(page) : [],
)

function examplesIn(page: string): readonly Example[] {
  const pairs = readFileSync(page, 'utf8').matchAll(/```[jt]s\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)
  return [...pairs].map(([, program = '', output = '']) => ({ page, program, output }))
}

const folder = mkdtempSync(join(tmpdir(), 'openchatml-packages-'))
/** A folder of a user who has nothing yet. */
const user = join(folder, 'user')
let staged: StagedPackages
let tarball: string
let log: string

before(async () => {
  mkdirSync(user)
  staged = await stagePackages(folder)
  ;({ tarball, log } = await pack(staged, folder))
  const options = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  await run('npm', ['install', ...options, tarball], { cwd: user, shell: process.platform === 'win32' })
})
after(() => rmSync(folder, { recursive: true, force: true }))

describe('the extension', () => {
  it('is packed by `vsce package` without flags and without warnings', () => {
    assert.match(log, /Packaged: /)
    assert.doesNotMatch(log, /WARNING|ERROR/)
  })

  it('has every page that its pages link to', () => assert.deepEqual(deadLinks(staged.extension), []))

  it('has a manifest without the keys of the other package', () => {
    const manifest = JSON.parse(readFileSync(join(staged.extension, 'package.json'), 'utf8'))
    const foreign = ['bin', 'exports', 'scripts', 'devDependencies', 'overrides', 'private', 'types']
    assert.deepEqual(
      foreign.filter((it) => it in manifest),
      [],
    )
    for (const key of ['main', 'browser', 'icon'])
      assert.ok(existsSync(join(staged.extension, manifest[key])), key)
  })
})

describe('the package for npm', () => {
  it('has every page that its pages link to', () => assert.deepEqual(deadLinks(staged.npm), []))

  it('has nothing that publint complains of', async () => {
    const { messages, pkg } = await publint({ pkgDir: join(user, 'node_modules', 'openchatml'), pack: false })
    assert.deepEqual(
      messages.map((it) => formatMessage(it, pkg)),
      [],
    )
  })

  it('has types that resolve for every kind of import', async () => {
    const attw = resolve('node_modules/@arethetypeswrong/cli/dist/index.js')
    const { stdout } = await run(process.execPath, [attw, tarball, '--format', 'json'])
    assert.deepEqual(JSON.parse(stdout).problems ?? {}, {})
  })

  it('has a manual page where its manifest says', () => {
    const { man, version } = JSON.parse(readFileSync(join(staged.npm, 'package.json'), 'utf8'))
    assert.match(
      readFileSync(join(staged.npm, man), 'utf8'),
      new RegExp(`^\\.TH OCM 1 "" "openchatml ${version}"`),
    )
    assert.ok(!existsSync(join(staged.extension, man)), 'the extension has no command line')
  })

  it('has an `ocm` that npx finds', async () => {
    writeFileSync(
      join(user, 'chat.ocm'),
      'version: 2.2\n<|start|>asistant<|channel|>final<|message|>Hi<|return|>\n',
    )
    const shell = process.platform === 'win32'
    const failure = await run('npx', ['ocm', 'check', '--format', 'json'], { cwd: user, shell }).then(
      () => undefined,
      (it) => it,
    )
    assert.equal(failure?.code, 1, failure?.stderr)
    const [file] = JSON.parse(failure.stdout).files
    assert.deepEqual(
      [file.path, file.diagnostics.map((it: { rule: string }) => it.rule)],
      ['chat.ocm', ['unknown-role']],
    )
  })

  it('loads by import and by require, with the same names, each subpath those of its list', async () => {
    const require = createRequire(join(user, 'program.js'))
    const listed = Object.entries(libraryEntries).map(([path, { values }]) => [`openchatml/${path}`, values])
    const own = new Map(listed as [string, readonly string[]][])
    for (const name of ['openchatml', 'openchatml/tokenizer', ...own.keys()]) {
      const file = join(user, `load-${name.replace('/', '-')}.mjs`)
      writeFileSync(file, `export * from '${name}'\n`)
      const imported = Object.keys(await import(pathToFileURL(file).href)).sort()
      assert.deepEqual(Object.keys(require(name)).sort(), imported, name)
      if (own.has(name)) assert.deepEqual(imported, [...(own.get(name) ?? [])].sort(), name)
    }
  })

  it('costs a program only what the program uses', async () => {
    const size = async (line: string) => {
      const stdin = { contents: `${line}\nconsole.log(it)`, resolveDir: user }
      const { outputFiles } = await build({ stdin, bundle: true, minify: true, write: false, format: 'esm' })
      return (outputFiles[0]?.contents.length ?? 0) / 1000
    }
    assert.ok((await size("import { StreamingParser as it } from 'openchatml/streaming'")) < 70)
    assert.ok((await size("import { Transcript as it } from 'openchatml/syntax'")) < 75)
    assert.ok((await size("import { StreamingParser as it } from 'openchatml'")) < 120)
    const rows = readFileSync('docs/library.md', 'utf8').matchAll(
      /^\| `(openchatml\/\w+)` .* \| ([\d.]+) (kB|MB)/gm,
    )
    for (const [, name = '', number, unit] of rows) {
      const stated = Number(number) * (unit === 'MB' ? 1000 : 1)
      const actual = await size(`import * as it from '${name}'`)
      assert.ok(Math.abs(actual - stated) < 0.15 * stated, `${name} has ${actual} kB, not ${stated}`)
    }
  })
})

describe('the types, without skipLibCheck', () => {
  const names = readFileSync('test/core/api.txt', 'utf8').trimEnd().split('\n')
  const subpaths = Object.entries(libraryEntries).map(([path, { values, types }]) => {
    const all = [...values, ...types.map((it) => `type ${it}`)]
    const renamed = all.map((it) => `${it} as ${path}_${it.replace('type ', '')}`)
    return `export { ${renamed.join(', ')} } from 'openchatml/${path}'\n`
  })
  /** Every name of the library, and the types that its users meet without naming them. */
  const program = `
import { ${names.join(', ')} } from 'openchatml'
import { o200k } from 'openchatml/tokenizer'
const options: ConstructorParameters<typeof Document>[1] = { dialect: '2.2', settings: [ruleSettingsFrom({ 'unknown-channel': 'off' })] }
const document = new Document('version: 2.2', options)
export const analysis: Analysis = document.analysis
export const version: JsonValue | undefined = document.analysis.header.yaml.value?.['version']
export const problems: readonly Problem[] = document.problems().problems
export const facts: (MessageFacts | undefined)[] = [...Transcript.parse('').segments()].map((it) => factsOf(it.segment))
export const total: number = countTokens(readConversation('').conversation, o200k).total
const noForms: (JsonForm | TextForm)[] = []
const how: Parameters<typeof convert>[1] = { from: 'ocm', to: 'messages' }
export const text: string = convert('', how).text
export const events = async (chunks: AsyncIterable<string>): Promise<StreamEvent[]> => {
  const all: StreamEvent[] = []
  for await (const event of streamEvents(chunks)) all.push(event)
  return all
}
export type All = [Conversation, ConversationMessage, Loss, ReturnType<typeof messageView>]
export const values = [${names.filter((it) => !it.startsWith('type ')).join(', ')}, o200k, noForms]
${subpaths.join('')}`

  const compilers = { 'TypeScript 5.0': installOldestTypeScript, 'this TypeScript': thisTypeScript }
  const kinds = {
    'TypeScript 5.0': [{ module: 'node16' }, { module: 'commonjs', moduleResolution: 'node' }],
    'this TypeScript': [{ module: 'nodenext' }, { module: 'preserve', moduleResolution: 'bundler' }],
  }
  for (const [name, compiler] of Object.entries(compilers)) {
    it(`compile with ${name}, however modules are found`, async () => {
      const projects = kinds[name as keyof typeof kinds].map((options, index) => {
        const own = join(user, `types-${name.replaceAll(' ', '-')}-${index}`)
        mkdirSync(own)
        writeFileSync(join(own, 'program.ts'), program)
        const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true }
        const compilerOptions = { ...strict, target: 'es2022', lib: ['es2022'], types: [], ...options }
        writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }))
        return own
      })
      const failure = await run(process.execPath, [await compiler(), '--build', ...projects]).then(
        () => '',
        ({ stdout }) => stdout,
      )
      assert.equal(failure, '')
    })
  }
})

describe('the examples of the documentation', () => {
  const own = join(user, 'examples')

  before(async () => {
    mkdirSync(own)
    const files = examples.map(({ program }, nth) => {
      writeFileSync(join(own, `${nth}.mts`), program)
      return `${nth}.mts`
    })
    const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true }
    const options = { module: 'nodenext', target: 'es2022', lib: ['es2022', 'dom'], types: [], outDir: 'out' }
    writeFileSync(
      join(own, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...strict, ...options }, files }),
    )
    const failure = await run(process.execPath, [thisTypeScript(), '-p', own]).then(
      () => '',
      ({ stdout }) => stdout,
    )
    assert.equal(failure, '', 'they compile')
  })

  for (const page of new Set(examples.map((it) => it.page))) {
    it(`${page}: each example prints what the page says`, async () => {
      const files = examples.flatMap((it, nth) => (it.page === page ? [`./out/${nth}.mjs`] : []))
      writeFileSync(join(own, 'page.mjs'), oneAfterTheOther(files))
      const env = { ...process.env, NO_COLOR: '1' }
      const { stdout } = await run(process.execPath, [join(own, 'page.mjs')], { env })
      const outputs = examples.flatMap((it) => (it.page === page ? [it.output.trimEnd()] : []))
      assert.deepEqual(
        stdout.split(boundary).map((it) => it.trimEnd()),
        outputs,
      )
    })
  }
})

/** A line between what two examples print. */
const boundary = '-- the next example --\n'

/** A program that runs others in one process, with a line between what they print. */
function oneAfterTheOther(files: readonly string[]): string {
  return files
    .map((it) => `await import('${it}')\n`)
    .join(`process.stdout.write(${JSON.stringify(boundary)})\n`)
}

function thisTypeScript(): string {
  return resolve('node_modules/typescript/bin/tsc')
}

/** Links of the pages in a folder to files that are not there. */
function deadLinks(root: string): string[] {
  const pages = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((it) => it.replaceAll('\\', '/'))
    .filter((it) => it.endsWith('.md'))
  assert.ok(pages.length > 100)
  return pages.flatMap((page) => {
    const links = readFileSync(join(root, page), 'utf8').matchAll(/\]\((?![a-z]+:|#)([^)\s#]+)/g)
    return [...links].flatMap(([, target = '']) =>
      existsSync(join(root, posix.join(dirname(page), target))) ? [] : `${page}: ${target}`,
    )
  })
}
