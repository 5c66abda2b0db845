/**
 * Writes what is made from the sources: of the registry of rules `docs/rules/README.md`, a page per rule, the schema of
 * configuration files and the names that the setting `openchatml.rules` takes; of the schema of the YAML header
 * `docs/header.schema.json`; of the registry of forms the table in `docs/conversion.md` and the options in `docs/command-line.md`.
 *
 *     node scripts/generate-docs.mjs            write what has changed, remove pages of rules that are gone
 *     node scripts/generate-docs.mjs --check    write nothing; exit status 1 if a file is not current
 *
 * Edit the rule, not the page.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import { linked } from './citations.mjs'
import { leavePackagesOut, root, version } from './repository.mjs'

const folder = 'docs/rules'
const isCheck = process.argv.includes('--check')

const {
  agentTools,
  analyze,
  Checker,
  commandTable,
  filledAlone,
  forms,
  fullHeaderSchema,
  intents,
  mappedColumns,
  manualPage,
  mappedTags,
  o200k,
  problemsOfLines,
  ruleDocumentationPath,
  rules,
  severitySettings,
  settableNames,
  sourceForms,
  targetForms,
  Transcript,
} = await loadCore()
const pages = new Map([[`${folder}/README.md`, indexPage()]])
for (const rule of rules) pages.set(ruleDocumentationPath(rule), rulePage(rule))
pages.set('docs/header.schema.json', `${JSON.stringify(publishedHeaderSchema(), undefined, 2)}\n`)
pages.set('docs/configuration.schema.json', `${JSON.stringify(configurationSchema(), undefined, 2)}\n`)
pages.set('package.json', manifest())
pages.set('docs/conversion.md', conversionPage())
pages.set('docs/command-line.md', commandLinePage())
pages.set('docs/reference.md', referencePage())
pages.set('man/ocm.1', await manual())

const outdated = [...pages].filter(([path, content]) => contentOf(path) !== content).map(([path]) => path)
const leftOver = filesIn(folder).filter((path) => !pages.has(path))
if (isCheck) {
  for (const path of outdated) console.error(`Not current: ${path}`)
  for (const path of leftOver) console.error(`Left over: ${path}`)
  if (outdated.length + leftOver.length > 0) {
    console.error('Run `npm run update`')
    process.exitCode = 1
  }
} else {
  mkdirSync(join(root, folder), { recursive: true })
  for (const path of outdated) writeFileSync(join(root, path), pages.get(path))
  for (const path of leftOver) rmSync(join(root, path))
  console.log(`${outdated.length} of ${pages.size} pages written, ${leftOver.length} removed`)
}

/** The manual page of the command line. */
async function manual() {
  const commands = [...commandTable].map(async ([, { summary, load }]) => ({
    command: await load(),
    summary,
  }))
  return manualPage(await Promise.all(commands), version)
}

/** The core as it is in the sources: nothing needs to be built before. */
async function loadCore() {
  const outfile = join(root, 'dist', `generate-docs-${process.pid}.mjs`)
  mkdirSync(dirname(outfile), { recursive: true })
  try {
    await build({
      stdin: {
        contents: `export * from './core/src/internal.ts'\nexport { agentTools } from './client/agent/agent-tools.ts'\nexport { ruleDocumentationPath } from './core/src/rules/rule-registry.ts'\nexport { fullHeaderSchema } from './core/src/rules/full-header-schema.ts'\nexport { o200k } from './core/src/convert/o200k-encoder.ts'\nexport { commandTable } from './cli/src/command-table.ts'\nexport { manualPage } from './cli/src/manual-page.ts'`,
        resolveDir: root,
        loader: 'ts',
      },
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node20',
      mainFields: ['module', 'main'],
      plugins: [leavePackagesOut],
      logLevel: 'error',
    })
    return await import(pathToFileURL(outfile).href)
  } finally {
    rmSync(outfile, { force: true })
  }
}

/** The page on conversions, its table with a row for each form. */
function conversionPage() {
  const rows = forms.map(({ name, documentation }) => `| \`${name}\` | ${documentation} |\n`)
  const table = /(?<=\| form \| what it is \|\n\| --- \| --- \|\n)(?:\|.*\n)*/
  return readFileSync(join(root, 'docs/conversion.md'), 'utf8').replace(table, () => rows.join(''))
}

/** The manual, with the forms that `--from` and `--to` take. */
function commandLinePage() {
  const option = (name, values) => `| \`--${name} ${values.join('\\|')}\` |`
  return readFileSync(join(root, 'docs/command-line.md'), 'utf8')
    .replaceAll(/^\| `--from auto.*?` \|/gm, () => option('from', ['auto', ...sourceForms]))
    .replaceAll(/^\| `--to ocm.*?` \|/gm, () => option('to', targetForms))
}

/** Severities by the name of a rule or by a code. */
function severitiesByName() {
  return Object.fromEntries(
    settableNames(rules).map((name) => [name, { $ref: '#/$defs/severity', description: aboutName(name) }]),
  )
}

/** The schema of the YAML header. */
function publishedHeaderSchema() {
  const schema = published(fullHeaderSchema())
  const lint = { ...schema.properties.lint, properties: severitiesByName() }
  return {
    ...schema,
    properties: { ...schema.properties, lint },
    $defs: { severity: { enum: severitySettings } },
  }
}

/** The schema of `.openchatml.yaml` and `.openchatml.json`. */
function configurationSchema() {
  const extended = { type: 'string', pattern: String.raw`\.openchatml\.(yaml|yml|json)$` }
  const severities = {
    type: 'object',
    description: 'Severities by the name of a rule or by a code. The name takes precedence.',
    properties: severitiesByName(),
    additionalProperties: { $ref: '#/$defs/severity' },
  }
  const templates = {
    type: 'boolean',
    default: true,
    description: 'False to report problems that placeholders such as {{ name }} cause.',
  }
  const intent = {
    description: 'What transcripts without `profiles.intent` are for.',
    enum: intents.map(({ name }) => name),
    enumDescriptions: intents.map(({ summary }) => summary),
  }
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Configuration of OpenChatML',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: { type: 'string' },
      extends: {
        description:
          'Other configuration files whose settings also apply, relative to this file. This file takes precedence over them, and later files over earlier ones.',
        ...extended,
        type: ['string', 'array'],
        items: extended,
      },
      rules: { $ref: '#/$defs/rules' },
      templates,
      intent,
      datasets: {
        type: 'array',
        description:
          'The names of columns of datasets, with the keys of dataset_info.json. The first entry that matches a path applies.',
        items: datasetSchema(),
      },
      include: {
        description:
          'Patterns of the only paths that searches of directories include, relative to this file: `transcripts/`, `data/**/*.jsonl`.',
        type: ['string', 'array'],
        items: { type: 'string' },
      },
      exclude: {
        description:
          'Patterns of paths that searches of directories skip, relative to this file: `vendor/`, `*.draft.ocm`.',
        type: ['string', 'array'],
        items: { type: 'string' },
      },
      review: {
        type: 'object',
        additionalProperties: false,
        properties: {
          labels: {
            type: 'array',
            description: 'The labels that reviewers can choose from, with the keys 1 to 9.',
            items: { type: 'string', minLength: 1 },
            maxItems: 9,
          },
        },
      },
      overrides: {
        type: 'array',
        description: 'Settings for some paths. The last entry that matches takes precedence.',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['files'],
          properties: {
            files: {
              description: 'Patterns of paths, relative to this file: `fixtures/**`, `*.draft.ocm`, `old/`.',
              type: ['string', 'array'],
              items: { type: 'string' },
            },
            rules: { $ref: '#/$defs/rules' },
            templates,
            intent,
          },
        },
      },
    },
    $defs: { severity: { enum: severitySettings }, rules: severities },
  }
}

function datasetSchema() {
  const texts = (names, usual) => ({
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      names.map((name) => [name, { type: 'string', ...(usual && { default: usual[name] }) }]),
    ),
  })
  const own = ['alpaca', 'sharegpt', 'openai']
  const others = sourceForms.filter((it) => !own.includes(it))
  return {
    type: 'object',
    additionalProperties: false,
    required: ['file_name'],
    properties: {
      file_name: {
        type: 'string',
        description: 'A pattern of paths, relative to this file: `data/*.jsonl`.',
      },
      formatting: {
        enum: [...own, ...others],
        default: 'alpaca',
        description: 'The layout of samples; `columns` and `tags` apply to the first three.',
      },
      ranking: {
        type: 'boolean',
        default: false,
        description: 'True if `chosen` and `rejected` are two answers.',
      },
      columns: {
        ...texts(mappedColumns),
        description: 'The column for each of these; only those named are read.',
      },
      tags: {
        ...texts(Object.keys(mappedTags), mappedTags),
        description: 'The keys of messages, and the names of roles.',
      },
    },
  }
}

function aboutName(name) {
  const rule = rules.find((it) => it.name === name)
  if (rule) return `${rule.summary} (${rule.code}, ${rule.severity})`
  return rules
    .filter(({ code }) => code === name)
    .map(({ summary }) => `${summary}.`)
    .join('\n')
}

/** The manifest, with the names that the setting takes, because others are reported where it is edited, and the tools for agents. */
function manifest() {
  const written = JSON.parse(contentOf('package.json'))
  const setting = written.contributes.configuration.properties['openchatml.rules']
  setting.propertyNames = { enum: [...settableNames(rules)] }
  written.contributes.languageModelTools = agentTools.map(({ name, description, inputSchema }) => ({
    name: `openchatml_${name}`,
    displayName: `%tool.${name}%`,
    modelDescription: description,
    userDescription: `%tool.${name}%`,
    canBeReferencedInPrompt: true,
    toolReferenceName: `ocm${name.replaceAll(/(?:^|_)(\w)/g, (_, first) => first.toUpperCase())}`,
    icon: '$(comment-discussion)',
    inputSchema,
  }))
  return `${JSON.stringify(written, undefined, 2)}\n`
}

/** All commands and settings, from the manifest: what the extension contributes is documented by being there. */
function referencePage() {
  const { commands, keybindings, configuration } = JSON.parse(pages.get('package.json')).contributes
  const texts = JSON.parse(contentOf('package.nls.json'))
  const textOf = (text) => texts[String(text).replaceAll('%', '')] ?? text
  const keysOf = (command) =>
    keybindings
      .filter((it) => it.command === command)
      .map(({ key, mac }) => `\`${keyNames(key)}\`${mac ? ` (macOS: \`${keyNames(mac)}\`)` : ''}`)
      .join(', ')
  const rows = commands
    .filter(({ title }) => title !== undefined)
    .map(({ command, title }) => `| ${textOf(title)} | ${keysOf(command)} | \`${command}\` |`)
  const settings = Object.entries(configuration.properties).map(([name, it]) => {
    const values = it.enum ? ` Values: ${it.enum.map((value) => `\`${value}\``).join(', ')}.` : ''
    const description = textOf(it.markdownDescription ?? it.description).replaceAll('|', '\\|')
    return `| \`${name}\` | \`${JSON.stringify(it.default)}\` | ${description}${values} |`
  })
  return [
    generatedNote('package.json'),
    '# Commands and settings',
    '',
    '## Commands',
    '',
    'In the Command Palette, the commands start with *OpenChatML:*, and those for reviews with *OpenChatML Review:*. Assign your own keys with *Preferences: Open Keyboard Shortcuts*.',
    '',
    '| command | keys | ID |',
    '| --- | --- | --- |',
    ...rows,
    '',
    '## Settings',
    '',
    '| setting | default | what it does |',
    '| --- | --- | --- |',
    ...settings,
    '',
  ].join('\n')
}

/** `ctrl+k v` as keyboards show it. */
function keyNames(keys) {
  return keys.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase())
}

/** The schema as any validator or editor reads it: our own annotations become those of JSON Schema and of VS Code. */
function published({ section, words, properties, items, ...schema }) {
  const names = words?.map(({ name }) => name)
  const summaries = words?.map(({ summary }) => summary)
  return {
    ...schema,
    $comment: `OpenChatML ${section}`,
    ...(names && (schema.enum ? { enumDescriptions: summaries } : { examples: names })),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([key, it]) => [key, published(it)])),
    }),
    ...(items && { items: published(items) }),
  }
}

function indexPage() {
  const lines = [
    generatedNote(),
    '# Diagnostics',
    '',
    'Each diagnostic has a code, which may have several causes, and a rule, which is one cause.',
    'Codes that begin with `E-` and that 2.2 §14 lists are those of the specification; the others are of this project.',
    'An error violates a MUST of the specification. A warning violates a SHOULD, or something that other programs rely on. A hint is advice.',
    'Information-level diagnostics mark events that a transcript reports, such as a tool timeout.',
    '',
    '| rule | code | severity | fix | what it finds |',
    '| --- | --- | --- | --- | --- |',
  ]
  const sorted = [...rules].sort(
    (one, other) => compare(one.code, other.code) || compare(one.name, other.name),
  )
  for (const rule of sorted) {
    const { name, code, severity, summary } = rule
    const fix = fixesOf(rule)[0]
    lines.push(
      `| [${name}](${name}.md) | ${code} | ${severity} | ${fix ? kindOf(fix) : ''} | ${cell(summary)} |`,
    )
  }
  return `${lines.join('\n')}\n`
}

function rulePage(rule) {
  const { name, code, severity, section, summary, why, bad, good } = rule
  const problem = problemOf(rule)
  const fixes = fixesOf(rule)
  const siblings = rules.filter((it) => it.code === code && it !== rule)
  const lines = [
    generatedNote(),
    `# ${name}`,
    '',
    `${summary}.`,
    '',
    '| code | severity | specification |',
    '| --- | --- | --- |',
    `| ${code} | ${severity} | ${linked(section, '../spec')} |`,
    '',
    '## Why it matters',
    '',
    why,
    '',
    '## Wrong',
    '',
    ...fenced(bad),
    '',
    `> ${problem.message}`,
    '',
    '## Right',
    '',
    ...fenced(good),
    '',
    '## Fix',
    '',
  ]
  if (fixes.length === 0)
    lines.push('No automatic fix is available, because the right change depends on what was meant.')
  for (const fix of fixes) lines.push(`- ${fix.title} (${kindOf(fix)})`)
  lines.push(
    '',
    '## Severity',
    '',
    ...(isOfSamples(rule) ? severityOfSamples(name) : severityOfTranscripts(name)),
  )
  if (siblings.length > 0) {
    const links = siblings.map((it) => `[${it.name}](${it.name}.md)`)
    lines.push('', '## Other causes of this code', '', links.join(', '))
  }
  return `${lines.join('\n')}\n`
}

/** True for a rule that no header of a transcript can set: a sample has none, or is not looked at as a transcript. */
function isOfSamples({ bad }) {
  return bad.startsWith('{"')
}

function severityOfTranscripts(name) {
  return [
    'To change the severity (`error`, `warning`, `information`, `hint`, or `off`) in one transcript, add to its YAML header:',
    '',
    '```yaml',
    'lint:',
    `  ${name}: off`,
    '```',
    '',
    'For all transcripts of a folder, add the same line under `rules:` in a file `.openchatml.yaml`.',
  ]
}

function severityOfSamples(name) {
  return [
    'To change the severity (`error`, `warning`, `information`, `hint`, or `off`) for the datasets of a folder, add to a file `.openchatml.yaml`:',
    '',
    '```yaml',
    'rules:',
    `  ${name}: off`,
    '```',
  ]
}

function problemOf({ name, bad }) {
  const problem = problemsIn(bad).find((it) => it.rule === name)
  if (!problem) throw new Error(`The bad example of ${name} does not have the problem`)
  return problem
}

/** The problems of an example: a transcript, or samples. */
function problemsIn(text) {
  if (text.startsWith('{"')) return problemsOfLines(text)
  const analysis = analyze(Transcript.parse(text))
  const checker = new Checker(analysis)
  checker.fill(filledAlone(analysis, (it) => o200k.count(it)))
  return checker.problems().problems
}

function fixesOf(rule) {
  return problemOf(rule).fixes
}

function kindOf({ isSafe }) {
  return isSafe ? 'safe' : 'may change the meaning'
}

function generatedNote(source = 'core/src/rules') {
  return `<!-- Generated from ${source} by scripts/generate-docs.mjs -->\n`
}

function fenced(text) {
  return [text.startsWith('{"') ? '```json' : '```openchatml source', text.replace(/\n$/, ''), '```']
}

function cell(text) {
  return text.replaceAll('|', '\\|')
}

function compare(one, other) {
  if (one === other) return 0
  return one < other ? -1 : 1
}

function contentOf(path) {
  try {
    return readFileSync(join(root, path), 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

function filesIn(path) {
  try {
    return readdirSync(join(root, path)).map((name) => `${path}/${name}`)
  } catch (error) {
    if (error.code === 'ENOENT') return []
    throw error
  }
}
