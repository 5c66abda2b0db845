/**
 * Begins a rule: writes its file and enters it in the registry.
 *
 *     node scripts/new-rule.mjs SCOPE NAME CODE [KIND]
 *     node scripts/new-rule.mjs message empty-answer H-ANSWER-EMPTY
 *
 * SCOPE is syntax, header, message, exchange or sequence; NAME is kebab-case and names the bad thing;
 * KIND is the kind of syntax problem, by default NAME. Then: write the texts, the examples and the check, run
 * `node scripts/run-tests.mjs test/rules` and `npm run update`.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './repository.mjs'

const scopes = {
  syntax: {
    type: 'SyntaxRule',
    check: '  explain({ span }) {\n    return { span, message: localize`TODO` }\n  },',
  },
  header: { type: 'HeaderRule', check: '  check(_analysis) {\n    return []\n  },' },
  message: { type: 'MessageRule', check: '  check(_context) {\n    return undefined\n  },' },
  exchange: { type: 'ExchangeRule', check: '  check(_context) {\n    return undefined\n  },' },
  sequence: { type: 'SequenceRule', check: '  check(_segment) {\n    return undefined\n  },' },
}
const severities = { E: 'error', W: 'warning', H: 'hint' }

const [scope = '', name = '', code = '', kind = name] = process.argv.slice(2)
if (!Object.hasOwn(scopes, scope)) fail(`SCOPE is one of ${Object.keys(scopes).join(', ')}`)
if (!/^[a-z]+(-[a-z]+)*$/.test(name) || /^(no|valid|require)-/.test(name)) {
  fail('NAME is kebab-case and names the bad thing: duplicate-call-id')
}
if (!/^[EWH](-[A-Z]+)+$/.test(code)) fail('CODE begins with E-, W- or H-: H-ANSWER-EMPTY')

const path = join(root, 'core/src/rules', scope, `${name}.ts`)
if (existsSync(path)) fail(`${scope}/${name}.ts exists already`)
const variable = name.replace(/-(.)/g, (_, letter) => letter.toUpperCase())
writeFileSync(path, source(), { flag: 'wx' })
register()
console.log(`core/src/rules/${scope}/${name}.ts`)

function source() {
  const { type, check } = scopes[scope]
  return `/** TODO: the bad thing in a few words. */
${scope === 'syntax' ? "import { localize } from '../../text/localize.ts'\n" : ''}import type { ${type} } from '../rule.ts'

/** TODO: what the specification says (2.2 §TODO). */
export const ${variable}: ${type} = {
  name: '${name}',
  code: '${code}',
  severity: '${severities[code[0]]}',
  scope: '${scope}',
${scope === 'syntax' ? `  kind: '${kind}',\n` : ''}  section: '2.2 §TODO',
  summary: 'TODO: one line without final stop',
  why: 'TODO: a few sentences, one per line.',
  bad: 'version: 2.2\\n',
  good: 'version: 2.2\\n',
${check}
}
`
}

/** Imports are in the order of their paths; in the list, a new rule comes last of all. */
function register() {
  const registry = join(root, 'core/src/rules/rule-registry.ts')
  const lines = readFileSync(registry, 'utf8').split('\n')
  const module = `./${scope}/${name}.ts`
  const before = lines.findIndex((line) => /^import .* from '/.test(line) && line.split("'")[1] > module)
  lines.splice(before, 0, `import { ${variable} } from '${module}'`)
  const end = lines.indexOf(
    ']',
    lines.findIndex((line) => line.startsWith('export const rules')),
  )
  lines.splice(end, 0, `  ${variable},`)
  writeFileSync(registry, lines.join('\n'))
}

function fail(reason) {
  console.error(`${reason}\n\nUsage: node scripts/new-rule.mjs SCOPE NAME CODE [KIND]`)
  process.exit(2)
}
