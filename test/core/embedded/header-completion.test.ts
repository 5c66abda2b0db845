/** Completion, hover and validation of the YAML header; `$0` is the cursor. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { headerCompletions } from '../../../core/src/embedded/header-completion.ts'
import { headerHover } from '../../../core/src/embedded/header-hover.ts'
import { headerMismatches } from '../../../core/src/embedded/header-mismatch.ts'
import { headerSchema, schemaAt } from '../../../core/src/embedded/header-schema.ts'
import { yamlHeader } from '../../../core/src/embedded/yaml-header.ts'

const named = (...names: readonly string[]) => names.map((name) => ({ name, summary: `About ${name}` }))

const schema = headerSchema({
  roles: named('system', 'user', 'assistant', 'tool'),
  channels: named('analysis', 'commentary', 'final'),
  tokens: named('<|start|>', '<|end|>'),
  streamingEvents: named('response.delta', 'tool.cancel'),
  intents: [],
  builtinTools: named('browser', 'python'),
})

function completionsAt(marked: string) {
  const offset = marked.indexOf('$0')
  const text = marked.replace('$0', '')
  const completions = headerCompletions(yamlHeader(text), offset, schema)
  for (const { range } of completions) {
    assert.ok(range.start <= offset && offset <= range.end, `${marked}: the range leaves the cursor out`)
    assert.ok(!/[\r\n]/.test(text.slice(range.start, range.end)), `${marked}: the range leaves the line`)
  }
  return { text, completions }
}

const rootKeys =
  'version model generation_settings builtin_tools capabilities profiles inputs cases budgets expect lint'

/** A header with a cursor, and the labels proposed there. */
const labelRows: readonly (readonly [marked: string, labels: string])[] = [
  // Keys.
  ['$0', rootKeys],
  ['pro$0', rootKeys],
  [
    'version: 2.2\n$0',
    'model generation_settings builtin_tools capabilities profiles inputs cases budgets expect lint',
  ],
  [
    'version: 2.2\npro$0',
    'model generation_settings builtin_tools capabilities profiles inputs cases budgets expect lint',
  ],
  [
    'pro$0\nversion: 2.2',
    'model generation_settings builtin_tools capabilities profiles inputs cases budgets expect lint',
  ],
  [
    'version: 2.2\nmo$0del: x',
    'model generation_settings builtin_tools capabilities profiles inputs cases budgets expect lint',
  ],
  ['profiles:\n  $0', 'harmony intent'],
  ['profiles:\n  har$0', 'harmony intent'],
  ['profiles: # which\n\n  # note\n  har$0', 'harmony intent'],
  ['profiles:\n  harmony:\n    $0', 'enabled encoding require_channels tool_calls_in builtins_in'],
  ['profiles:\n  harmony:\n    enabled: true\n    $0', 'encoding require_channels tool_calls_in builtins_in'],
  ['profiles:\n  harmony:\n    $0\n    enabled: true', 'encoding require_channels tool_calls_in builtins_in'],
  ['profiles:\n  harmony:\n    enabled: true\n  $0', 'intent'],
  [
    'profiles:\n  harmony:\n    enabled: true\n$0',
    'version model generation_settings builtin_tools capabilities inputs cases budgets expect lint',
  ],
  [
    'profiles:\r\n  harmony:\r\n    enabled: true\r\n$0',
    'version model generation_settings builtin_tools capabilities inputs cases budgets expect lint',
  ],
  ['generation_settings:\n  temperature: 1\n  rea$0\ncapabilities:', 'reasoning_effort builtin_tools'],
  ['"ver$0"', rootKeys],
  // Values.
  ['version: $0', '2.2 2.0'],
  ['version:$0', '2.2 2.0'],
  ['generation_settings:\n  reasoning_effort: $0', 'low medium high'],
  ['generation_settings:\n  reasoning_effort: me$0', 'low medium high'],
  ['generation_settings:\n  reasoning_effort: "me$0"', 'low medium high'],
  ['generation_settings:\n  reasoning_effort: "$0', 'low medium high'],
  ['generation_settings:\n  reasoning_effort: $0 # how much', 'low medium high'],
  ['generation_settings:\n  reasoning_effort: low # how $0much', ''],
  ['profiles:\n  harmony:\n    enabled: $0', 'true false'],
  ['builtin_tools: $0', '["browser", "python"]'],
  // Lists.
  ['builtin_tools: [$0', 'browser python'],
  ['builtin_tools: [$0]', 'browser python'],
  ['builtin_tools: ["browser", $0]', 'python'],
  ['builtin_tools: ["browser", "py$0"]', 'python'],
  ['builtin_tools: ["$0, "python"]', 'browser'],
  ['builtin_tools: [$0, "python"]', 'browser'],
  ['builtin_tools: [\n  "browser",\n  $0\n]\nversion: 2', 'python'],
  ['builtin_tools: [$0\nversion: 2', 'browser python'],
  ['builtin_tools: ["browser"]$0', ''],
  ['builtin_tools: ["browser"] $0', ''],
  ['builtin_tools:\n  - $0', 'browser python'],
  ['builtin_tools:\n  - browser\n  - py$0', 'python'],
  ['builtin_tools:\n- browser\n- $0', 'python'],
  ['builtin_tools:\n  - browser\n  $0', 'python'],
  ['capabilities:\n  tokens: ["<|start|>", "<|$0', '<|end|>'],
  ['capabilities:\n  roles: [us$0', 'system user assistant tool functions.*'],
  // Mappings in brackets.
  ['profiles: {$0', 'harmony intent'],
  ['profiles: {harmony: {enabled: true, $0}}', 'encoding require_channels tool_calls_in builtins_in'],
  ['profiles: {harmony: {enabled: $0}}', 'true false'],
  ['profiles: {harmony: {builtins_in: [final, $0]}}', 'analysis commentary'],
  ['{$0', rootKeys],
  [
    '{version: 2.2, $0}',
    'model generation_settings builtin_tools capabilities profiles inputs cases budgets expect lint',
  ],
  // Nowhere.
  ['# $0', ''],
  ['version: 2.2\n  $0', ''],
  ['unknown:\n  $0', ''],
  ['model: |\n  $0', ''],
  ['model: |\n  pro$0', ''],
  ['version: 2.2 $0', ''],
]

test('Proposals are the keys that are missing there and the known values', () => {
  for (const [marked, labels] of labelRows) {
    const { completions } = completionsAt(marked)
    assert.equal(completions.map(({ label }) => label).join(' '), labels, JSON.stringify(marked))
  }
})

/** A header with a cursor, the proposal that is taken, and the header then. */
const textRows: readonly (readonly [marked: string, label: string, result: string])[] = [
  ['ver$0', 'version', 'version: 2.2'],
  ['pro$0', 'profiles', 'profiles:\n  '],
  ['inp$0', 'inputs', 'inputs:\n  '],
  ['exp$0', 'expect', 'expect:\n  - '],
  ['{inp$0}', 'inputs', '{inputs: {}}'],
  ['mo$0: x', 'model', 'model: x'],
  ['"mo$0": x', 'model', '"model": x'],
  ['reasoning_effort: lo$0', 'low', 'reasoning_effort: lo'],
  ['generation_settings:\n  reasoning_effort: lo$0', 'low', 'generation_settings:\n  reasoning_effort: low'],
  ['generation_settings:\n  reasoning_effort:$0', 'low', 'generation_settings:\n  reasoning_effort: low'],
  [
    'generation_settings:\n  reasoning_effort: "lo$0"',
    'low',
    'generation_settings:\n  reasoning_effort: "low"',
  ],
  ["builtin_tools: ['$0, 'python']", 'browser', "builtin_tools: ['browser', 'python']"],
  ['builtin_tools: [$0]', 'browser', 'builtin_tools: ["browser"]'],
  ['builtin_tools: [bro$0]', 'browser', 'builtin_tools: [browser]'],
  ['builtin_tools:\n  $0', 'browser', 'builtin_tools:\n  - "browser"'],
  ['builtin_tools:\n  - bro$0', 'browser', 'builtin_tools:\n  - browser'],
  ['builtin_$0', 'builtin_tools', 'builtin_tools: ["browser", "python"]'],
  ['profiles: {har$0}', 'harmony', 'profiles: {harmony: {}}'],
]

test('A proposal that is taken replaces the word at the cursor', () => {
  for (const [marked, label, result] of textRows) {
    const { text, completions } = completionsAt(marked)
    const taken = completions.find((it) => it.label === label)
    const applied = taken
      ? text.slice(0, taken.range.start) + taken.newText + text.slice(taken.range.end)
      : text
    assert.equal(applied, result, JSON.stringify(marked))
  }
})

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: the placeholders are those of snippets
test('Snippets offer the known values and the place of the first one', () => {
  const snippets = new Map(completionsAt('$0').completions.map(({ label, snippet }) => [label, snippet]))
  assert.equal(snippets.get('version'), 'version: 2.2$0')
  assert.equal(snippets.get('model'), 'model: $0')
  assert.equal(snippets.get('profiles'), 'profiles:\n  $0')
  assert.equal(snippets.get('builtin_tools'), 'builtin_tools: ${1:["browser", "python"]}$0')
  const [, effort] = completionsAt('generation_settings:\n  $0').completions
  assert.equal(effort?.snippet, 'reasoning_effort: ${1|medium,low,high|}$0')
})

// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the placeholders are those of snippets

test('What a new key is for is asked at once where it is known, and not where it stands there already', () => {
  const asking = (marked: string) =>
    completionsAt(marked)
      .completions.filter(({ asksAgain }) => asksAgain)
      .map(({ label }) => label)
  assert.deepEqual(asking('$0'), ['model', 'generation_settings', 'capabilities', 'profiles', 'budgets'])
  assert.deepEqual(asking('{$0}'), ['model', 'generation_settings', 'capabilities', 'profiles', 'budgets'])
  assert.deepEqual(asking('mod$0: x'), [])
  assert.deepEqual(asking('model: $0'), [])
})

test('A hover explains the key or the value under the cursor', () => {
  const rows = [
    ['ver$0sion: 2.2', 'version', '`version` (number or string)'],
    ['version: 2.$02', '2.2', '`2.2`: The current version: nine tokens, `call_id`, literal blocks'],
    ['profiles:\n  harmony:\n    ena$0bled: true', 'enabled', '`enabled` (boolean)'],
    ['builtin_tools: ["brow$0ser"]', '"browser"', '`browser`: About browser'],
    ['capabilities:\n  channels: &c [fi$0nal]', 'final', '`final`: About final'],
    ['version: 2.2\nmodel: a: b\nprofiles:\n  har$0mony:', 'harmony', '`harmony` (object)'],
    ['version: 2.2\nprofiles:\n  har$0mony\n  x: 1', 'harmony', '`harmony` (object)'],
    ['unk$0nown: 1', undefined, undefined],
    ['model: my own$0', 'my own', '`model` (string)'],
    ['model:$0 my own', undefined, undefined],
    ['builtin_tools: [my$0own]', undefined, undefined],
    ['version: 2.2 # th$0is', undefined, undefined],
  ] as const
  for (const [marked, word, firstLine] of rows) {
    const text = marked.replace('$0', '')
    const hover = headerHover(yamlHeader(text), marked.indexOf('$0'), schema)
    assert.equal(hover && text.slice(hover.range.start, hover.range.end), word, marked)
    assert.equal(hover?.documentation.split('\n')[0], firstLine, marked)
  }
})

test('Values that do not fit are found where they stand', () => {
  const text = [
    'version: [2]',
    'model: 3',
    'generation_settings:',
    '  temperature: hot',
    '  reasoning_effort: huge',
    'builtin_tools: browser',
    'capabilities:',
    '  channels: [final, other]',
    '  roles: [anything]',
    'profiles:',
    '  harmony: {enabled: "yes", tool_calls_in: }',
    'unknown: {a: 1}',
  ].join('\n')
  const found = headerMismatches(yamlHeader(text), schema).map(
    (it) => `${it.path.join('.')} ${it.kind} ${text.slice(it.range.start, it.range.end)}`,
  )
  assert.deepEqual(found, [
    'model type 3',
    'generation_settings.temperature type hot',
    'generation_settings.reasoning_effort value huge',
    'builtin_tools type browser',
    'capabilities.channels.1 value other',
    'profiles.harmony.enabled type "yes"',
  ])
})

test('Every key of the schema is documented, and lookups see own keys only', () => {
  const open = [schema]
  for (let next = open.pop(); next; next = open.pop()) {
    assert.ok(next.description.length > 5 && next.section.startsWith('2.2 §'))
    open.push(...Object.values(next.properties ?? {}), ...(next.items ? [next.items] : []))
  }
  assert.equal(schemaAt(schema, ['constructor']), undefined)
  assert.equal(schemaAt(schema, ['profiles', 'harmony', 'builtins_in', 3])?.type, 'string')
})
