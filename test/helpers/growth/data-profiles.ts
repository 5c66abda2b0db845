/** Profiles of JSON and YAML: arguments, replies, answers with a constraint, and the YAML header. */
import { type GrowthProfile, nested, numbered, type ProfileEntry, profilesOf, repeated } from './profile.ts'

const call = {
  before:
    'version: 2.2\n<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>',
  behind: '<|call|>\n',
}
const reply = {
  before: `${call.before}{}<|call|>\n<|start|>tool name=functions.f call_id=c1 to=assistant<|channel|>commentary<|message|>`,
  behind: '<|end|>\n',
}
const yamlBody = {
  before: '<|start|>assistant<|channel|>final content_type=yaml<|constrain|>yaml<|message|>',
  behind: '<|end|>\n',
}

const json: readonly ProfileEntry[] = [
  ['nested lists, unclosed', '['],
  ['nested lists', (size) => nested('[', '1', ']', size)],
  ['nested objects', (size) => nested('{"a":', '1', '}', size)],
  ['nested objects, unclosed', '{"a":'],
  ['nested objects on lines', (size) => nested('{\n"a":\n', '1', '\n}', size)],
  ['a list of empty lists', (size) => `[${repeated('[],', size)}[]]`],
  ['a list of empty lists on lines', (size) => `[\n${repeated('[],\n', size)}[]]`],
  ['a list of numbers', (size) => `[${repeated('1,', size)}1]`],
  ['a list of objects on lines', (size) => `[\n${repeated('{"a":1,"b":[true]},\n', size)}{}]`],
  ['a long hex string', (size) => `{"a":"${repeated('0123456789abcdef', size)}"}`],
  ['a long hex string, unclosed', (size) => `{"a":"${repeated('0123456789abcdef', size)}`],
  ['a long word', 'abcdef'],
  ['a long string of words', (size) => `{"a":"${repeated('word ', size)}"}`],
  ['one long number', (size) => `{"a":${repeated('1234567890', size)}}`],
  ['digits and points', (size) => `{"a":${repeated('1.1', size)}}`],
  ['escapes', (size) => `{"a":"${repeated('\\u0041', size)}"}`],
  ['wrong escapes', (size) => `{"a":"${repeated('\\x', size)}"}`],
  ['backslashes', (size) => `{"a":"${repeated('\\\\', size)}"}`],
  ['line breaks in a string', (size) => `{"a":"${repeated('a\n', size)}"}`],
  ['equal keys', (size) => `{${repeated('"a":1,', size)}"a":1}`],
  ['equal keys on lines', (size) => `{\n${repeated('"a":1,\n', size)}"a":1}`],
  ['equal keys in many objects', (size) => `[${repeated('{"a":1,"a":1},', size)}{}]`],
  ['different keys', (size) => `{${numbered((index) => `"k${index}":1,`, size)}"k":1}`],
  ['different keys, unclosed', (size) => `{${numbered((index) => `"k${index}":1,`, size)}`],
  ['keys without values', (size) => `{${repeated('"a",', size)}}`],
  ['keys without quotes', (size) => `{${repeated('a:1,', size)}}`],
  ['commas', (size) => `{${repeated(',', size)}}`],
  ['colons', (size) => `{${repeated(':', size)}}`],
  ['quotes', '"'],
  ['quotes and blanks', '" '],
  ['closing brackets', ']'],
  ['closing braces on lines', '}\n'],
  ['brackets of both kinds', '[}'],
  ['blanks', (size) => `{${repeated(' ', size)}}`],
  ['blanks on lines', (size) => `{${repeated(' \n', size)}}`],
  ['blanks after the value', (size) => `{}${repeated(' ', size)}`],
  ['values one after another', '{} '],
  ['values on lines', '{"a":1}\n'],
  ['block comments, unclosed', '{/*'],
  ['line comments', (size) => `{${repeated('//a\n', size)}}`],
  ['words of Python', (size) => `{"a":[${repeated('None,True,', size)}None]}`],
  ['single quotes', (size) => `{${repeated("'a':'b',", size)}'c':1}`],
  ['trailing commas', (size) => `[${repeated('[1,],', size)}]`],
  ['missing commas', (size) => `[${repeated('1 ', size)}]`],
  ['fences and blanks', (size) => `\`\`\`json${repeated(' ', size)}\n{}\n\`\`\``],
  ['a fenced value and blanks', (size) => `\`\`\`json\n{}\n\`\`\`${repeated(' \n', size)}x`],
  ['fences on lines', '```json\n{}\n'],
  ['JSON Pointer references', (size) => `{"a":[${repeated('{"$ref":"#/a"},', size)}{}]}`],
  ['a long key', (size) => `{"${repeated('key', size)}":1}`],
  ['surrogates', (size) => `{"a":"${repeated('\\ud83d', size)}"}`],
]

const yaml: readonly ProfileEntry[] = [
  ['nested flow lists, unclosed', 'a: ['],
  ['nested flow lists', (size) => `a: ${nested('[', '1', ']', size)}`],
  ['nested flow maps', (size) => `a: ${nested('{a: ', '1', '}', size)}`],
  ['nested maps by indentation', (size) => nestedMaps(size)],
  ['nested lists in a line', '- '],
  ['keys', (size) => numbered((index) => `k${index}: 1\n`, size)],
  ['equal keys', 'a: 1\n'],
  ['list items', (size) => `a:\n${repeated('  - 1\n', size)}`],
  ['anchors', (size) => `a:\n${numbered((index) => `  - &a${index} 1\n`, size)}`],
  [
    'aliases of the alias before',
    (size) =>
      `a: &a0 [x]\n${numbered((index) => `k${index}: &a${index + 1} [*a${index},*a${index}]\n`, size)}`,
  ],
  ['aliases', (size) => `a: &a [x]\nb:\n${repeated('  - *a\n', size)}`],
  ['merge keys', (size) => `a: &a {x: 1}\nb:\n${repeated('  - <<: *a\n', size)}`],
  ['comments', '# a\n'],
  ['a comment and blanks', (size) => `a: 1${repeated(' ', size)}# a`],
  ['block text', (size) => `a: |\n${repeated('  x\n', size)}`],
  ['folded text with empty lines', (size) => `a: >\n${repeated('  x\n\n', size)}`],
  ['a plain text on lines', (size) => `a: b\n${repeated('  c\n', size)}`],
  ['a quoted text, unclosed', (size) => `a: "${repeated('x ', size)}`],
  ['a quoted text on lines', (size) => `a: "${repeated('x\n  ', size)}"`],
  ['single quotes', (size) => `a: '${repeated("''", size)}'`],
  ['question marks', '? '],
  ['tags', (size) => `a: ${repeated('!!str ', size)}x`],
  ['documents', '---\n'],
  ['colons', ': '],
  ['tabs', 'a:\t\n\t'],
  ['a long key', 'key'],
  ['references to a schema', (size) => `a:\n${repeated('  - $ref: "#/a"\n', size)}`],
  ['short keys', (size) => numbered((index) => `${index.toString(36)}:\n`, size)],
  ['keys without names', ':\n'],
  ['items in brackets', (size) => `a: [${repeated('b,', size)}]`],
  ['question marks in brackets', (size) => `a: [${repeated('?,', size)}]`],
]

/** A map in a map in a map: its text grows with the square of the depth, by the blanks. */
function nestedMaps(size: number): string {
  const depth = Math.floor(Math.sqrt(2 * size))
  return Array.from({ length: depth }, (_, level) => `${' '.repeat(level)}a:\n`).join('')
}

const yamlHeader = { before: 'version: 2.2\n', behind: '\n\n<|start|>user<|message|>Hi<|end|>\n' }
const fencedHeader = { before: '---\nversion: 2.2\n', behind: '' }

const headers: readonly ProfileEntry[] = [
  ['unknown keys', (size) => numbered((index) => `unknown_${index}: 1\n`, size)],
  ['lint entries', (size) => `lint:\n${numbered((index) => `  rule-${index}: off\n`, size)}`],
  ['lint entries in a list', (size) => `lint:\n${repeated('  - unknown-rule\n', size)}`],
  ['versions', 'version: 2.2\n'],
  ['capabilities', (size) => `capabilities:\n${numbered((index) => `  c${index}: true\n`, size)}`],
  ['builtin tools', (size) => `generation_settings:\n  builtin_tools: [${repeated('browser,', size)}x]`],
  [
    'different builtin tools',
    (size) => `generation_settings:\n  builtin_tools:\n${numbered((index) => `    - tool_${index}\n`, size)}`,
  ],
]

/** The profiles of JSON and YAML. */
export const dataProfiles: readonly GrowthProfile[] = [
  ...profilesOf('arguments', call, json),
  ...profilesOf('reply', reply, json.slice(0, 12)),
  ...profilesOf('YAML header', yamlHeader, [...yaml, ...headers]),
  ...profilesOf('unclosed YAML header', fencedHeader, yaml.slice(0, 8)),
  ...profilesOf('YAML answer', yamlBody, yaml.slice(0, 12)),
]
