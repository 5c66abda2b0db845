/** Texts that once took the server or `ocm` too long or too much memory, with what they took it from. */
import { nested, numbered, repeated } from '../../test/helpers/growth/profile.ts'

/** A kind of text, and what is asked about it. */
export interface HostileTrigger {
  readonly name: string
  /** The text, of about `size` code units. */
  readonly text: (size: number) => string
  /** Methods of requests; by default every one. */
  readonly requests?: readonly string[]
  /** Words of the text after which requests are asked, too. */
  readonly at?: string
  /** The arguments of a command of `ocm` that is measured in place of the server. */
  readonly command?: readonly string[]
  /** Megabytes, where a limit of the product makes others meaningless. */
  readonly sizes?: readonly number[]
}

const user = (body: string) => `<|start|>user<|message|>${body}<|end|>\n`
const final = (body: string) => `<|start|>assistant<|channel|>final<|message|>${body}<|return|>\n`
const answer = (body: string) => user('Hi') + final(body)
const thought = (body: string) => `<|start|>assistant<|channel|>analysis<|message|>${body}<|end|>\n`
const developer = (body: string) => `<|start|>developer<|message|>${body}<|end|>\n`
const call = (body: string) =>
  `<|start|>assistant to=functions.f call_id=c1<|channel|>commentary<|constrain|>json<|message|>${body}<|call|>\n`
const prompts = (messages: string) => `---\nversion: 2.2\ninputs:\n  a: { type: string }\n---\n${messages}`
const prompt = (body: string) => prompts(user(body))
const secret = 'The secret is a number that no one guesses.'
const fence = '```'

/** One block of code of `size` code units, which is the longest that is colored. */
function fenced(language: string, line: string): (size: number) => string {
  return (size) => answer(`${fence}${language}\n${repeated(line, size)}\n${fence}\n`)
}

const html = ['render', '--format', 'html']
const longestBlock = [0.059] // megabytes: longer blocks stay plain
const longestHeader = 0.065 // megabytes: longer ones are not read

/** In the order in which they were found. */
export const hostileTriggers: readonly HostileTrigger[] = [
  { name: 'nested `[` in arguments', text: (size) => call(repeated('[', size)) },
  { name: 'nested `[` on lines in arguments', text: (size) => call(nested('[\n', '1', '\n]', size)) },
  { name: 'a long hex string', text: (size) => call(`{"a":"${repeated('0123456789abcdef', size)}"}`) },
  { name: 'blanks in a line, rendered', text: (size) => answer(`a${repeated(' ', size)}b`), command: html },
  {
    name: 'runs of backticks, rendered',
    text: (size) =>
      answer(
        Array.from({ length: Math.floor(Math.sqrt(2 * size)) }, (_, it) => '`'.repeat(it + 1)).join(' '),
      ),
    command: html,
  },
  {
    name: 'a response format and blanks',
    text: (size) => developer(`# Response Formats\n\n## a${repeated(' ', size)}b\n{}`),
  },
  {
    name: 'JSON in a fence and blanks',
    text: (size) => call(`${fence}json\n{}\n${fence}${repeated(' ', size)}x`),
  },
  { name: '`<think>` on lines', text: (size) => answer(repeated('<think>\n', size)) },
  { name: 'tools and calls of unknown tools', text: toolsAndCalls },
  {
    name: 'forged headers with escapes',
    text: (size) => user(repeated('<|end|><|start|>system<|message|>a<<|end|>', size)),
  },
  {
    name: '`string[][]…`',
    text: (size) =>
      developer(
        `# Tools\n\nnamespace functions {\n\ntype f = (_: { a: string${repeated('[]', size)} }) => any;\n\n}`,
      ),
  },
  {
    name: 'references in a definition',
    text: (size) =>
      developer(
        `{"type":"function","function":{"name":"f","parameters":{"type":"object","properties":{${numbered((index) => `"k${index}":{"$ref":"#/$defs/a"},`, size)}"a":{}},"$defs":{"a":{"type":"string"}}}}}`,
      ),
  },
  // Above a quarter of a megabyte, definitions in JSON are not read.
  { name: 'definitions in JSON', text: jsonDefinitions, sizes: [0.1, 0.249, 1] },
  { name: 'hidden characters', text: (size) => answer(repeated('a\u200bb ', size)) },
  {
    name: 'thoughts and answers',
    text: (size) => repeated(user('Hi') + thought(secret) + final(secret), size),
  },
  { name: 'thought tags in pairs', text: (size) => answer(repeated('<think>a</think>\n', size)) },
  {
    name: 'a block of C, rendered',
    text: fenced('c', 'int a[] = {1, 2}; /* b */ char *c = "d";\n'),
    command: html,
    sizes: longestBlock,
  },
  {
    name: 'a block of C of nested templates, rendered',
    text: fenced('cpp', 'a<'),
    command: html,
    sizes: longestBlock,
  },
  {
    name: 'a block of C# of brackets, rendered',
    text: fenced('csharp', 'a<b['),
    command: html,
    sizes: longestBlock,
  },
  { name: 'a block of Java words, rendered', text: fenced('java', 'a '), command: html, sizes: longestBlock },
  { name: 'a block of INI words, rendered', text: fenced('ini', 'a.'), command: html, sizes: longestBlock },
  { name: 'a JSON body of empty lists', text: (size) => call(`[${repeated('[],', size)}[]]`) },
  { name: 'a JSON body of empty objects', text: (size) => call(`{"a":[${repeated('{},', size)}{}]}`) },
  { name: 'a JSON body of numbers', text: (size) => call(`{"a":[${repeated('0,', size)}0]}`) },
  {
    name: 'a JSON body of objects',
    text: (size) => call(`{"a":[${repeated('{"a":1,"b":[true]},\n', size)}{}]}`),
  },
  { name: 'a JSON body of strings, unclosed', text: (size) => call(`{${repeated('"" ', size)}`) },
  {
    name: 'arguments of a definition',
    text: (size) =>
      developer('namespace functions {\ntype f = (_: { a: { b: string }[] }) => any;\n}') +
      call(`{"a":[${repeated('{"b":1},\n', size)}{}]}`),
  },
  {
    name: 'a thought that one answer repeats',
    text: (size) => user('Hi') + thought(secret) + final(repeated(`${secret} `, size)),
    at: 'The secret',
  },
  {
    name: 'a thought that many answers repeat',
    text: (size) => user('Hi') + thought(secret) + repeated(final(secret), size),
    at: 'The secret',
  },
  {
    name: 'one call ID',
    text: (size) =>
      repeated(
        '<|start|>assistant to=functions.f call_id=c<|channel|>commentary<|message|>{}<|call|><|start|>tool name=functions.f call_id=c<|channel|>commentary<|message|>{}<|end|>\n',
        size,
      ),
    at: 'call_id=',
  },
  { name: 'one call ID in calls', text: (size) => repeated(call('{"a":"b"}'), size), at: 'call_id=' },
  { name: 'equal keys', text: (size) => call(`{${repeated('"a":1,', size)}"a":1}`) },
  { name: 'markers', text: (size) => user(repeated('<|channel|>', size)) },
  {
    name: 'a template of tags',
    text: (size) => prompt(repeated('{{ a }}{% if b %}c{% endif %}', size)),
    at: '{{ a',
  },
  {
    name: 'a template in each message',
    text: (size) => prompts(repeated(user('{{ a }}'), size)),
    at: '{{ a',
  },
  { name: 'a template of one tag', text: (size) => prompt(`{{ a${repeated(' + a', size)} }}`), at: '{{ a' },
  { name: 'a template of comments', text: (size) => prompt(repeated('{##}', size)) },
  ...denseHeaders(),
]

/** YAML headers of as much as is read of them, and as long as they may be. */
function denseHeaders(): readonly HostileTrigger[] {
  const list = (it: string) => `a:\n${it}`
  const rows: readonly (readonly [name: string, most: number, yaml: (size: number) => string])[] = [
    ['short keys', 0.0185, (size) => numbered((index) => `${index.toString(36)}:\n`, size)],
    ['equal keys', 0.0119, (size) => repeated('a:\n', size)],
    ['keys without names', 0.0143, (size) => list(repeated('- :\n  :\n', size))],
    ['list items', 0.0155, (size) => list(repeated('- b\n', size))],
    ['items in brackets', 0.013, (size) => `a: [${repeated('b,', size)}]\n`],
    ['question marks in brackets', 0.0098, (size) => `a: [${repeated('?,', size)}]\n`],
    ['tools', 0.065, (size) => `chat_request:\n  tools:\n${numbered(tool, size - 500)}`],
  ]
  return rows.map(([name, most, yaml]) => ({
    name: `a YAML header of ${name}`,
    text: (size) => `version: 2.2\nmodel: m\n${yaml(size)}${answer('Hi')}`,
    at: 'model: m',
    sizes: most < longestHeader ? [most, longestHeader] : [longestHeader],
  }))
}

function tool(index: number): string {
  return `    - type: function
      function:
        name: tool_${index}
        description: Finds the weather of a place, now and for the next days.
        parameters:
          type: object
          properties:
            location:
              type: string
              description: The city, such as Paris
            unit:
              type: string
              enum: [celsius, fahrenheit]
            days:
              type: integer
          required: [location]
`
}

function jsonDefinitions(size: number): string {
  const tools = numbered(
    (index) =>
      `{"type":"function","function":{"name":"f${index}","parameters":{"type":"object","properties":{"a":{"type":"string"}}}}},\n`,
    size,
  )
  return user('Hi') + developer(`# Tools\n\n[\n${tools}{}\n]`) + call('{"a":"b"}')
}

function toolsAndCalls(size: number): string {
  const tools = numbered((index) => `type tool_${index} = (_: { a: string }) => any;\n`, size / 2)
  const calls = numbered(
    (index) =>
      `<|start|>assistant to=functions.wrong_${index} call_id=c${index}<|channel|>commentary<|message|>{}<|call|>\n`,
    size / 2,
  )
  return developer(`namespace functions {\n${tools}}`) + calls
}
