/** House rules that a program can check: who imports whom, what is registered, what is documented. */
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, posix } from 'node:path'
import { describe, it } from 'node:test'
import { parse } from '@babel/parser'
import { rules } from '../core/src/internal.ts'
import { framings } from '../core/src/vocabulary/dialects.ts'

const sources = filesBelow([
  'core/src',
  'server/src',
  'client/src',
  'client/webview',
  'client/render',
  'client/disk',
  'client/agent',
  'cli/src',
]).filter(isTypeScript)
const tests = filesBelow(['test']).filter(isTypeScript)

/** The folders of the core, all of which its two entries may import: the public one, and the one that the product shares. */
const core = readdirSync('core/src', { withFileTypes: true }).flatMap((it) =>
  it.isDirectory() ? it.name : [],
)

/** Row may import column (docs/ARCHITECTURE.md). Within a folder, sideways imports are fine. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  text: [],
  vocabulary: ['text'],
  syntax: ['text', 'vocabulary'],
  document: ['text', 'vocabulary', 'syntax'],
  embedded: ['text', 'yaml', 'jsonc-parser', '@babel/parser', '@cfworker/json-schema', 're2js'],
  semantics: ['text', 'vocabulary', 'syntax', 'document', 'embedded'],
  streaming: ['text', 'vocabulary', 'syntax', 'document', 'semantics'],
  rules: ['text', 'vocabulary', 'syntax', 'embedded', 'semantics'],
  features: [
    'text',
    'vocabulary',
    'syntax',
    'document',
    'embedded',
    'semantics',
    'rules',
    'vscode-json-languageservice',
    'jsonc-parser',
  ],
  conversation: ['text', 'vocabulary', 'syntax', 'document', 'embedded', 'semantics'],
  forms: [
    'text',
    'vocabulary',
    'syntax',
    'document',
    'embedded',
    'semantics',
    'rules',
    'preview',
    'conversation',
  ],
  convert: [
    'text',
    'vocabulary',
    'syntax',
    'document',
    'embedded',
    'semantics',
    'rules',
    'preview',
    'conversation',
    'forms',
    'gpt-tokenizer',
  ],
  datasets: [
    'text',
    'vocabulary',
    'document',
    'embedded',
    'rules',
    'conversation',
    'forms',
    'convert',
    'fzstd',
    'hyparquet',
    'hyparquet-compressors',
  ],
  prompts: [
    'text',
    'vocabulary',
    'syntax',
    'document',
    'embedded',
    'semantics',
    'rules',
    'conversation',
    'forms',
    'convert',
    'templates',
    'training',
  ],
  match: ['text', 'vocabulary', 'embedded', 'conversation'],
  query: ['text', 'vocabulary', 'embedded', 'conversation', 'forms', 'rules', 'convert', 'datasets'],
  statistics: ['text', 'embedded', 'query'],
  review: ['text', 'vocabulary', 'embedded', 'semantics', 'conversation', 'query'],
  templates: ['text', 'embedded'],
  checks: [
    'text',
    'vocabulary',
    'document',
    'embedded',
    'semantics',
    'conversation',
    'forms',
    'convert',
    'rules',
    'datasets',
    'query',
    'review',
    'templates',
    'training',
  ],
  training: ['text', 'embedded', 'conversation', 'forms', 'convert', 'templates', '@huggingface/tokenizers'],
  preview: ['text', 'vocabulary', 'syntax', 'document', 'embedded', 'semantics', 'rules', 'streaming'],
  index: core,
  internal: core,
  disk: ['internal', 'node'],
  agent: ['internal', 'render'],
  server: ['internal', 'disk', '#tokenizer', '#tokenizer-json', 'vscode-languageserver', 'node'],
  render: ['internal', 'markdown-it', 'highlight.js', 'katex'],
  // Node only where its entry alone imports it: the bundle for browsers would not build.
  client: [
    'internal',
    'vscode',
    'vscode-languageclient',
    'protocol',
    'render',
    'disk',
    'agent',
    'jsonc-parser',
    'node',
  ],
  webview: ['protocol', 'render', 'dompurify'],
  cli: [
    'internal',
    '#server',
    '#tokenizer',
    '#tokenizer-json',
    '#mcp',
    '@modelcontextprotocol/sdk',
    'hyparquet-writer',
    'node',
    'render',
    'disk',
    'agent',
  ],
}

/** What looks at a whole transcript; a rule sees its scope only. */
const wholeDocument = /^core\/src\/rules\/(?:checker|document|safe-fixes)\.ts$/

describe('imports', () => {
  it('follow the table', () => {
    const forbidden: string[] = []
    for (const file of sources) {
      const own = layerOf(file)
      for (const target of importsOf(file)) {
        const path = posix.normalize(`${posix.dirname(file)}/${target}`)
        const layer = target.startsWith('.') ? layerOf(path) : packageOf(target)
        const isWhole = layer === 'document' && wholeDocument.test(file)
        if (layer !== own && !isWhole && !mayImport[own]?.includes(layer))
          forbidden.push(`${file} → ${target}`)
      }
    }
    assert.deepEqual(forbidden, [])
  })

  it('lead from no rule to a rule, and from no feature to a feature', () => {
    for (const file of sources) {
      const family = familyOf(file)
      if (!family) continue
      for (const target of importsOf(file).filter((it) => it.startsWith('.'))) {
        const other = familyOf(posix.normalize(`${posix.dirname(file)}/${target}`))
        assert.ok(!other || other === family, `${file} imports ${target}`)
      }
    }
  })
})

describe('packages', () => {
  it('have notices for everything that is bundled', async () => {
    const { notices } = await import('../scripts/notices.mjs')
    assert.equal(readFileSync('THIRD-PARTY-NOTICES.txt', 'utf8'), notices(), 'run `npm run update`')
  })
})

describe('rules', () => {
  it('are all registered: every file of a rule folder defines rules of the registry', () => {
    const names = new Set(rules.map(({ name }) => name))
    for (const file of sources.filter((it) => /^core\/src\/rules\/[^/]+\//.test(it))) {
      const defined = [...readFileSync(file, 'utf8').matchAll(/^ {2}name: '([^']+)',$/gm)].map(
        ([, name]) => name,
      )
      for (const name of defined)
        assert.ok(name && names.has(name), `${file} defines ${name}, which is not registered`)
    }
  })

  it('have a page each, and no page is left over', () => {
    const pages = readdirSync('docs/rules').filter((it) => it !== 'README.md')
    assert.deepEqual(pages.sort(), rules.map(({ name }) => `${name}.md`).sort())
  })
})

describe('the meaning of messages', () => {
  it('is decided in one place: no other code asks for a channel or a recipient by its name', () => {
    const decisions = [
      /channel\)? (?:[!=]=)?= '(?:analysis|commentary|final)'/i,
      /\?\? '(?:analysis|commentary|final)'/,
      /case '(?:commentary|final)'/,
      /\b(?:to|recipient)\)? [!=]==? '(?!')/,
      /[!=]==? (?:reasoning|tool|answer|default)Channel\b|\b(?:reasoning|tool|answer|default)Channel [!=]==?/,
    ]
    for (const file of sources.filter((it) => !/^core\/src\/(?:semantics|vocabulary)\//.test(it))) {
      const lines = readFileSync(file, 'utf8').split('\n')
      const found = lines.filter((line) => decisions.some((decision) => decision.test(line)))
      assert.deepEqual(found, [], file)
    }
  })

  it('has one place that decides which token ends a message', () => {
    const terminator = /(?:ControlKind\.|')(?:call|end|return)\b'?/.source
    const decision = new RegExp(String.raw`\? \(?${terminator} : \(?${terminator}`)
    // The reference of Harmony ends messages by a rule of its own.
    const places = ['core/src/semantics/terminators.ts', 'core/src/forms/harmony/harmony-message.ts']
    const deciding = sources.filter((file) => decision.test(readFileSync(file, 'utf8').replace(/\s+/g, ' ')))
    assert.deepEqual(deciding.sort(), places.sort())
  })
})

describe('generated files', () => {
  it('are current', () => {
    execFileSync(process.execPath, ['scripts/generate-docs.mjs', '--check'], { stdio: 'pipe' })
  })
})

describe('regular expressions', () => {
  it('run in linear time on any text', () => {
    execFileSync(process.execPath, ['scripts/linear-expressions.mjs', '--check'], { stdio: 'pipe' })
  })

  it('are refused if they backtrack, or if nothing says what they are made of', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'expressions-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const check = (source: string) => {
      writeFileSync(join(folder, 'source.ts'), source)
      return spawnSync(process.execPath, ['scripts/linear-expressions.mjs', '--in', folder], {
        encoding: 'utf8',
      })
    }
    const sound = check('export const word = /^[a-z]+$/\n')
    assert.deepEqual([sound.status, sound.stderr], [0, ''])
    const slow = check('export const words = /^(?:a+)+$/\nexport const blanks = /\\s+$/\n')
    assert.equal(slow.status, 1)
    assert.match(slow.stderr, /source\.ts:1: \/\^\(\?:a\+\)\+\$\/ is exponential/)
    assert.match(slow.stderr, /source\.ts:2: \/\\s\+\$\/ is polynomial of degree 2/)
    const unknown = 'export const made = (text: string) => new RegExp(text)\n'
    assert.match(check(unknown).stderr, /source\.ts:1: an expression made at run time needs a comment/)
    assert.equal(check(`// Linear: the text is short.\n${unknown}`).status, 0)
  })
})

describe('sources', () => {
  it('say in their first line what they are for', () => {
    for (const file of [...sources, ...tests.filter((it) => !it.endsWith('.d.ts'))]) {
      assert.match(readFileSync(file, 'utf8'), /^(#!.*\n)?\/\*\*/, file)
    }
  })

  it('document every export', () => {
    const undocumented: string[] = []
    for (const file of sources) {
      const lines = readFileSync(file, 'utf8').split('\n')
      lines.forEach((line, index) => {
        if (!/^export (async )?(abstract )?(function|const|class|interface|type) \w/.test(line)) return
        if (!lines[index - 1]?.endsWith('*/')) undocumented.push(`${file}:${index + 1} ${line}`)
      })
    }
    assert.deepEqual(undocumented, [])
  })

  it('print in one place per program', () => {
    const places = /^(?:cli\/src\/terminal\/console|server\/src\/main-node)\.ts$/
    const printing =
      /(?<![.\w])console\.(?:assert|debug|dir|dirxml|error|group|info|log|table|trace|warn)\b|\bprocess\.(?:stdout|stderr|emitWarning|_rawDebug)\b|\} = process$|\bwriteSync\((?:1|2)\b|\/dev\/(?:std|fd)/
    for (const file of sources.filter((it) => !places.test(it))) {
      const lines = readFileSync(file, 'utf8').split('\n')
      assert.deepEqual(
        lines.filter((it) => printing.test(it)),
        [],
        file,
      )
    }
  })

  it('make no links of text in notifications', () => {
    const notifying = /window\.show(?:Information|Warning|Error)Message|ProgressLocation\.Notification/
    const files = sources.filter((it) => notifying.test(readFileSync(it, 'utf8')))
    assert.deepEqual(files, ['client/src/notice.ts'])
  })

  it('give no library a console', () => {
    for (const file of filesBelow(['dist']).filter((it) => /^dist\/(?!test\/).*\.[cm]?js$/.test(it))) {
      const calls = readFileSync(file, 'utf8').match(
        /^(?!\s*\*).*(?<![\w$.])console\.(?:error|info|log|warn)\(/gm,
      )
      assert.equal(calls, null, file)
    }
  })

  it('export by name', () => {
    for (const file of sources) assert.doesNotMatch(readFileSync(file, 'utf8'), /^export default/m, file)
  })

  it('are named for their content', () => {
    for (const file of sources) assert.doesNotMatch(file, /(utils?|helpers?|common|misc)\.ts$/)
  })

  it('have names of their own', () => {
    const files = sources
      .concat(filesBelow(['scripts', 'syntaxes/source']))
      .filter((it) => /\.(?:ts|mjs)$/.test(it))
    const names = files.map((it) => posix.basename(it))
    assert.deepEqual(
      files.filter((_, index) => names.indexOf(names[index] ?? '') !== index),
      [],
    )
  })
})

describe('the vocabulary', () => {
  it('is what the manifest recognises a file by', () => {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
    const firstLine = new RegExp(manifest.contributes.languages[0].firstLine)
    for (const framing of framings) {
      const start = framing.tokens.find(({ kind }) => kind === 1)
      assert.match(`${start?.text}user`, firstLine)
    }
  })
})

describe('the documentation', () => {
  /** Archaisms, inversions, and riddles; each has a plain word, such as "after", "is in", "is missing", "reports", and "fixed". */
  const unidiomatic = [
    /(?<!\bthere )\b(?:is|are) no (?!longer\b|more\b)/i,
    /\bare none\b/i,
    /\bbehind\b/i,
    /\bstand(?:s|ing)? (?:in|on|at|by|there|twice|beside|behind|before|below|among|alone|within)\b/i,
    /\btells?\b|\b(?:is|are|was|were|be) told\b/i,
    /\b(?:anybody|nobody|somebody|whoever)\b|\bthose who\b|\bof a user['’]s own\b/i,
    /\bmend(?:s|ed|ing)?\b|\banew\b/i,
    /\bha(?:s|ve) no place\b|\bdo(?:es)? not go (?:with|together)\b|\bas it stands\b|\bis gone\b/i,
  ]
  /** Where such a word is right: the start of a line, by file. */
  const allowed: Readonly<Record<string, readonly string[]>> = {}

  it('is in plain English', () => {
    const pages = filesBelow(['docs/profiles', 'docs/rules'])
      .concat(readdirSync('docs').map((it) => `docs/${it}`))
      .filter((it) => it.endsWith('.md'))
      .concat('README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md', 'samples/README.md')
    const found: string[] = []
    for (const page of pages) {
      const [unreleased = ''] = readFileSync(page, 'utf8').split(/^## \d+\.\d/m)
      const prose = unreleased.replace(/^(```+).*\n[\s\S]*?^\1$/gm, (it) => it.replace(/[^\n]/g, ''))
      prose.split('\n').forEach((line, index) => {
        if (allowed[page]?.some((start) => line.startsWith(start))) return
        const hit = unidiomaticWord(line)
        if (hit) found.push(`${page}:${index + 1} "${hit}": ${line}`)
      })
    }
    assert.deepEqual(found, [])
  })

  it('agrees with the texts of the editor, the manifest, and the command line', () => {
    const found: string[] = []
    const check = (place: string, text: string) => {
      const hit = unidiomaticWord(text)
      if (hit) found.push(`${place} "${hit}": ${text}`)
    }
    for (const file of ['l10n/bundle.l10n.json', 'package.nls.json'])
      for (const text of Object.values<string>(JSON.parse(readFileSync(file, 'utf8')))) check(file, text)
    for (const file of sources.filter((it) => /^(?:cli\/src|client\/agent|core\/src\/rules)\//.test(it)))
      for (const text of stringsOf(readFileSync(file, 'utf8'))) check(file, text)
    assert.deepEqual(found, [])
  })

  function unidiomaticWord(text: string): string | undefined {
    const words = text.replace(/`[^`]+`/g, '`')
    return unidiomatic.map((it) => it.exec(words)?.[0]).find((it) => it !== undefined)
  }

  /** The literals of `source` that may be sentences: with a space, and not the examples of rules, which begin with a line break. */
  function stringsOf(source: string): readonly string[] {
    const strings: string[] = []
    const add = (text: string) => {
      if (text.includes(' ') && !text.startsWith('\n')) strings.push(text)
    }
    const visit = (node: unknown) => {
      if (typeof node !== 'object' || node === null) return
      if ('type' in node && node.type === 'StringLiteral' && 'value' in node) add(String(node.value))
      if ('type' in node && node.type === 'TemplateLiteral' && 'quasis' in node) {
        const quasis = node.quasis as readonly { readonly value: { readonly cooked: string } }[]
        add(quasis.map(({ value }) => value.cooked).join('…'))
      }
      for (const child of Object.values(node)) visit(child)
    }
    visit(parse(source, { sourceType: 'module', plugins: ['typescript'] }).program)
    return strings
  }
})

describe('the repository', () => {
  it('has every file that the architecture names', () => {
    const named = readFileSync('docs/ARCHITECTURE.md', 'utf8').matchAll(/`([\w/-]+\.ts)`/g)
    const missing = [...named].flatMap(([, name = '']) =>
      existsSync(name) || sources.concat(tests).some((it) => it.endsWith(`/${name}`)) || name.includes('NAME')
        ? []
        : name,
    )
    assert.deepEqual(missing, [])
  })

  it('has no download addresses in the lock file', () => {
    assert.doesNotMatch(readFileSync('package-lock.json', 'utf8'), /"resolved"/)
  })

  it('has no broken links between its pages', () => {
    for (const file of filesBelow(['docs', 'samples', 'test/fixtures']).concat(
      'README.md',
      'CONTRIBUTING.md',
      'CHANGELOG.md',
      'SECURITY.md',
    )) {
      if (!file.endsWith('.md')) continue
      for (const [, target] of readFileSync(file, 'utf8').matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)) {
        if (!target || /^[a-z]+:/.test(target)) continue
        assert.ok(existsSync(join(dirname(file), target)), `${file} links to ${target}`)
      }
    }
  })
})

function filesBelow(folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    existsSync(folder)
      ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((it) =>
          posix.join(folder, it.replaceAll('\\', '/')),
        )
      : [],
  )
}

function isTypeScript(file: string): boolean {
  return file.endsWith('.ts')
}

function importsOf(file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const statements = text.matchAll(
    /^(?:import|export)\b[^'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  return [...statements].map(([, one, two, three]) => one ?? two ?? three ?? '')
}

function layerOf(file: string): string {
  const entry = /^core\/src\/(index|internal)\.ts$/.exec(file)?.[1]
  if (entry) return entry
  if (
    /^client\/src\/(?:page-messages|(?:preview\/preview|datasets\/dataset|review\/review)-protocol)\.ts$/.test(
      file,
    )
  )
    return 'protocol'
  const [top, second, third] = file.split('/')
  if (top === 'core') return third ?? ''
  if (top === 'client' && ['webview', 'render', 'disk', 'agent'].includes(second ?? '')) return second ?? ''
  return top ?? ''
}

function packageOf(target: string): string {
  if (target.startsWith('node:')) return 'node'
  if (target.startsWith('#')) return target
  const [scope, name] = target.split('/')
  return target.startsWith('@') ? `${scope}/${name}` : (scope ?? '')
}

/** A rule file or a feature (a file or a folder): things that must not know one another. */
function familyOf(file: string): string | undefined {
  const rule = /^core\/src\/rules\/[^/]+\/[^/]+\.ts$/.exec(file)
  if (rule) return file
  const feature = /^core\/src\/features\/([^/]+)/.exec(file)
  return feature ? `feature ${feature[1]}` : undefined
}
