/** Profiles of tools: their definitions as TypeScript and as JSON, response formats, calls and replies. */
import { type GrowthProfile, nested, numbered, type ProfileEntry, profilesOf, repeated } from './profile.ts'

const developer = { before: 'version: 2.2\n<|start|>developer<|message|>', behind: '<|end|>\n' }
const block = {
  before: `${developer.before}# Tools\n\n## functions\n\nnamespace functions {\n\n`,
  behind: `\n\n} // namespace functions<|end|>\n<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|constrain|>json<|message|>{"a":1}<|call|>\n`,
}
const formats = {
  before: `${developer.before}# Response Formats\n\n`,
  behind: '<|end|>\n<|start|>assistant<|channel|>final<|constrain|>json<|message|>{"a":1}<|return|>\n',
}

const types: readonly ProfileEntry[] = [
  ['definitions', (size) => numbered((index) => `type tool_${index} = (_: { a: string }) => any;\n\n`, size)],
  ['equal definitions', 'type f = (_: { a: string }) => any;\n\n'],
  ['definitions with comments', '// Says what it does.\n// And more.\ntype f = () => any;\n'],
  ['comments', '// a\n'],
  ['block comments, unclosed', '/* '],
  ['lists of lists', (size) => `type f = (_: { a: string${repeated('[]', size)} }) => any;`],
  ['lists of lists, unclosed', (size) => `type f = (_: { a: string${repeated('[]', size)}`],
  ['open brackets of lists', (size) => `type f = (_: { a: string${repeated('[', size)} }) => any;`],
  ['unions', (size) => `type f = (_: { a: ${numbered((index) => `"v${index}" | `, size)}"z" }) => any;`],
  [
    'unions on lines',
    (size) => `type f = (_: { a:\n${numbered((index) => `| "v${index}"\n`, size)} }) => any;`,
  ],
  ['intersections', (size) => `type f = (_: { a: ${repeated('string & ', size)}string }) => any;`],
  ['generics', (size) => `type f = (_: { a: ${nested('Array<', 'string', '>', size)} }) => any;`],
  ['generics, unclosed', (size) => `type f = (_: { a: ${repeated('Array<', size)}`],
  ['parentheses', (size) => `type f = (_: { a: ${nested('(', 'string', ')', size)} }) => any;`],
  ['parentheses, unclosed', (size) => `type f = ${repeated('(', size)}`],
  ['nested objects', (size) => `type f = (_: { a: ${nested('{ a: ', 'string', ' }', size)} }) => any;`],
  [
    'nested objects on lines',
    (size) => `type f = (_: { a: ${nested('{\na: ', 'string', '\n}', size)} }) => any;`,
  ],
  ['nested objects, unclosed', (size) => `type f = (_: ${repeated('{ a: ', size)}`],
  [
    'properties',
    (size) =>
      `type f = (_: {\n${numbered((index) => `// The value.\nk${index}?: string, // default: x\n`, size)}}) => any;`,
  ],
  ['equal properties', (size) => `type f = (_: {\n${repeated('a?: string,\n', size)}}) => any;`],
  ['tuples', (size) => `type f = (_: { a: [${repeated('string, ', size)}string] }) => any;`],
  ['functions', (size) => `type f = (_: { a: ${repeated('() => ', size)}any }) => any;`],
  ['question marks', (size) => `type f = (_: { a${repeated('?', size)}: string }) => any;`],
  ['conditional types', (size) => `type f = (_: { a: ${repeated('a extends b ? c : ', size)}d }) => any;`],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text itself has the sign of a placeholder
  ['template types', (size) => `type f = (_: { a: \`${repeated('${a}', size)}\` }) => any;`],
  ['strings, unclosed', 'type f = "'],
  ['a long name', (size) => `type ${repeated('name', size)} = () => any;`],
  ['words', 'type '],
  ['words with equals signs', 'type f = '],
  ['blanks after a definition', (size) => `type f = ()${repeated(' ', size)}=> any`],
  ['references to types', (size) => numbered((index) => `type t${index} = t${index + 1};\n`, size)],
  [
    'enclosing references',
    (size) => numbered((index) => `type t${index} = (_: { a: t${index + 1}[] }) => any;\n`, size),
  ],
  [
    'constraints in comments',
    (size) =>
      `type f = (_: {\n${repeated('// minimum: 1, maximum: 2, pattern: ^a+$\na: number,\n', size)}}) => any;`,
  ],
]

const sections: readonly ProfileEntry[] = [
  ['namespaces', (size) => numbered((index) => `namespace n${index} {\ntype f = () => any;\n}\n`, size)],
  ['empty namespaces', 'namespace functions {\n}\n'],
  ['namespaces, unclosed', 'namespace functions {\n'],
  ['the word namespace', 'namespace '],
  ['blanks after the word namespace', (size) => `namespace${repeated(' ', size)}`],
  ['nested namespaces', (size) => nested('namespace a { ', '', '}', size)],
  ['headings of tools', '# Tools\n\n## functions\n\n'],
  [
    'tools in JSON',
    (size) =>
      `[${numbered((index) => `{"type":"function","function":{"name":"t${index}","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}},`, size)}{}]`,
  ],
  [
    'one schema in JSON with many references',
    (size) =>
      `{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{${numbered((index) => `"k${index}":{"$ref":"#/$defs/a"},`, size)}"a":{}},"$defs":{"a":{"type":"string"}}}}}`,
  ],
  [
    'a chain of references in JSON',
    (size) =>
      `{"type":"function","function":{"name":"f","parameters":{"$ref":"#/$defs/d0","$defs":{${numbered((index) => `"d${index}":{"$ref":"#/$defs/d${index + 1}"},`, size)}"a":{}}}}}`,
  ],
  [
    'a schema of many alternatives',
    (size) =>
      `{"type":"function","function":{"name":"f","parameters":{"anyOf":[${repeated('{"type":"object"},', size)}{}]}}}`,
  ],
  [
    'a schema of nested alternatives',
    (size) =>
      `{"type":"function","function":{"name":"f","parameters":${nested('{"anyOf":[', '{}', ']}', size)}}}`,
  ],
  ['tools in JSON on lines', '{"type":"function","function":{"name":"f","parameters":{}}}\n'],
]

const responseFormats: readonly ProfileEntry[] = [
  ['formats', (size) => numbered((index) => `## format_${index}\n\n{"type":"object"}\n\n`, size)],
  ['a heading and blanks', (size) => `## a${repeated(' ', size)}`],
  ['a heading, blanks and a word', (size) => `## a${repeated(' ', size)}b\n{}`],
  ['headings without format', '## a\n'],
  ['comments of formats', (size) => `## a\n\n${repeated('// a\n', size)}{}`],
  [
    'a format of many properties',
    (size) =>
      `## a\n\n{"type":"object","properties":{${numbered((index) => `"k${index}":{"type":"string"},`, size)}"a":{}}}`,
  ],
  ['a format of nested lists', (size) => `## a\n\n${nested('{"items":', '{}', '}', size)}`],
  ['a format in fences and blanks', (size) => `## a\n\n\`\`\`json\n{}\n\`\`\`${repeated(' ', size)}`],
  ['patterns', (size) => `## a\n\n{"properties":{"a":{"pattern":"${repeated('(a+)+', size)}$"}}}`],
]

const twoTools =
  'version: 2.2\n<|start|>developer<|message|>namespace functions {\ntype f = (_: { a: string }) => any;\ntype g = () => any;\n}<|end|>\n'
const exchanges: readonly ProfileEntry[] = [
  [
    'calls with one id',
    '<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|constrain|>json<|message|>{"a":"b"}<|call|>\n',
  ],
  [
    'replies with one id',
    '<|start|>tool name=functions.f call_id=c<|channel|>commentary<|message|>{}<|end|>\n',
  ],
  [
    'calls and replies with one id',
    '<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|message|>{}<|call|><|start|>tool name=functions.f call_id=c<|channel|>commentary<|message|>{}<|end|>\n',
  ],
  [
    'calls with ids',
    (size) =>
      numbered(
        (index) =>
          `<|start|>assistant to=functions.f call_id=c${index}<|channel|>commentary<|message|>{}<|call|>\n`,
        size,
      ),
  ],
  [
    'calls, then replies',
    (size) =>
      numbered(
        (index) => `<|start|>assistant to=functions.f call_id=c${index}<|message|>{}<|call|>\n`,
        size / 2,
      ) +
      numbered((index) => `<|start|>tool name=functions.f call_id=c${index}<|message|>{}<|end|>\n`, size / 2),
  ],
  [
    'calls of unknown tools',
    (size) =>
      numbered(
        (index) =>
          `<|start|>assistant to=functions.u${index} call_id=c${index}<|channel|>commentary<|message|>{}<|call|>\n`,
        size,
      ),
  ],
  ['tools and calls of others', (size) => toolsAndCalls((index) => `wrong_${index}`, size)],
  ['tools and their calls', (size) => toolsAndCalls((index) => `tool_${index}`, size)],
  [
    'calls without ids',
    '<|start|>assistant to=functions.f<|channel|>commentary<|message|>{}<|call|><|start|>tool name=functions.f<|message|>{}<|end|>',
  ],
  [
    'calls without recipients',
    '<|start|>assistant<|channel|>commentary<|constrain|>json<|message|>{"a":"b"}<|call|>\n',
  ],
  [
    'wrong arguments',
    '<|start|>assistant to=functions.f<|channel|>commentary<|constrain|>json<|message|>{"a":1,"b":2}<|call|>\n',
  ],
  ['calls in 0.1', '<|function_call|>{"name": "f", "arguments": {}}'],
]

function toolsAndCalls(name: (index: number) => string, size: number): string {
  const tools = numbered((index) => `type tool_${index} = (_: { a: string }) => any;\n`, size / 2)
  const calls = numbered(
    (index) =>
      `<|start|>assistant to=functions.${name(index)} call_id=c${index}<|channel|>commentary<|message|>{}<|call|>\n`,
    size / 2,
  )
  return `<|start|>developer<|message|>namespace functions {\n${tools}}<|end|>\n${calls}`
}

/** The profiles of tools. */
export const toolProfiles: readonly GrowthProfile[] = [
  ...profilesOf('tools in TypeScript', block, types),
  ...profilesOf('tools', developer, sections),
  ...profilesOf('response formats', formats, responseFormats),
  ...profilesOf('exchanges', { before: twoTools, behind: '' }, exchanges),
]
