/** Profiles of what people and models write: Markdown, math, links, paths, templates, thoughts and hidden characters. */
import { type GrowthProfile, nested, numbered, type ProfileEntry, profilesOf, repeated } from './profile.ts'

const user = { before: 'version: 2.2\n<|start|>user<|message|>', behind: '<|end|>\n' }
const answer = {
  before: `${user.before}Hi<|end|>\n<|start|>assistant<|channel|>final<|message|>`,
  behind: '<|return|>\n',
}
const bare = { before: '', behind: '' }

const markdown: readonly ProfileEntry[] = [
  ['blanks', ' '],
  ['blanks in a line', (size) => `a${repeated(' ', size)}b`],
  ['blanks on lines', '  \n'],
  ['tabs', '\t'],
  ['line breaks', '\n'],
  ['carriage returns and line feeds', '\r\n'],
  ['backticks', '`'],
  ['runs of backticks', (size) => runs('`', size)],
  ['runs of tildes on lines', (size) => runs('~', size, '\n')],
  ['fences, unclosed', '```\n'],
  ['fences of code', '```js\nlet a = 1\n```\n'],
  ['fences that grow', (size) => runs('`', size, '\n')],
  ['one long fence', (size) => `\`\`\`js\n${repeated('let a = 1\n', size)}\`\`\``],
  ['one long line of code', (size) => `\`\`\`js\n${repeated('a = 1; ', size)}\n\`\`\``],
  ['stars', '*'],
  ['stars and words', '*a **b '],
  ['underscores', '_a'],
  ['tildes', '~~a'],
  ['open brackets', '['],
  ['brackets', '[]'],
  ['links', '[a](b) '],
  ['links, unclosed', '[a]('],
  ['link texts in link texts', (size) => nested('[', 'a', '](b)', size)],
  ['images', '![a](b.png) '],
  ['images, unclosed', '!['],
  ['data images', (size) => `![a](data:image/png;base64,${repeated('QUJD', size)})`],
  ['references', (size) => `${repeated('[a] ', size / 2)}\n\n${repeated('[a]: b\n', size / 2)}`],
  ['footnotes', '[^1] '],
  ['addresses', 'https://example.com/a?b=c#d '],
  ['a long address', (size) => `https://example.com/${repeated('a/', size)}`],
  ['an address of parentheses', (size) => `https://example.com/${repeated('(', size)}`],
  ['an address of full stops', (size) => `https://example.com/a${repeated('.', size)}`],
  ['schemes', 'http://'],
  ['mail addresses', 'a@b.c '],
  ['at signs', 'a@'],
  ['a long mail address', (size) => `${repeated('a.', size)}a@b.c`],
  ['paths', 'src/a-b/c_d.ts:12:3 '],
  ['a long path', 'a/'],
  ['paths that go up', '../'],
  ['paths of Windows', 'C:\\a\\'],
  ['autolinks', '<https://a.b> '],
  ['tags', '<b>'],
  ['tags, unclosed', '<a '],
  ['comments, unclosed', '<!--'],
  ['comments', '<!-- a -->\n'],
  ['regions', '<!-- #region a -->\n'],
  ['regions with their ends', (size) => nested('<!-- #region -->\n', '', '<!-- #endregion -->\n', size)],
  ['entities', '&amp;'],
  ['ampersands', '&'],
  ['quotes', '> '],
  ['quotes on lines', '> a\n'],
  ['nested quotes', (size) => triangle('> ', size)],
  ['list items', '- a\n'],
  ['nested list items', (size) => triangle('  ', size, '- a')],
  ['list marks in a line', '- '],
  ['numbered items', (size) => numbered((index) => `${index}. a\n`, size)],
  ['task items', '- [ ] a\n'],
  ['headings', '# a\n'],
  ['headings of growing level', '# a\n## a\n### a\n#### a\n##### a\n###### a\n'],
  ['number signs', '#'],
  ['underlines of headings', 'a\n===\n'],
  ['equals signs', '='],
  ['a heading and blanks', (size) => `# a${repeated(' ', size)}#`],
  ['thematic breaks', '---\n'],
  ['tables', (size) => `| a | b |\n|---|---|\n${repeated('| 1 | 2 |\n', size)}`],
  ['a table of many columns', (size) => `${repeated('|a', size / 2)}|\n${repeated('|-', size / 2)}|\n`],
  ['pipes', '|'],
  ['backslashes', '\\'],
  ['escaped backticks', '\\`'],
  ['math', '$a+b$ '],
  ['math, unclosed', '$'],
  ['math blocks', '$$\na\n$$\n'],
  ['math of nested fractions', (size) => `$${nested('\\frac{1}{', '1', '}', size)}$`],
  ['math of nested roots', (size) => `$$${nested('\\sqrt{', '1', '}', size)}$$`],
  ['math of open braces', (size) => `$${repeated('{', size)}$`],
  ['math of superscripts', (size) => `$a${repeated('^{a', size)}$`],
  ['math environments', '$$\\begin{matrix}1&2\\end{matrix}$$ '],
  ['math in parentheses', '\\(a\\) '],
  ['math in parentheses, unclosed', '\\('],
  ['math in brackets, unclosed', '\\[\n'],
  ['definitions in math', (size) => `$${repeated('\\def\\a{\\a}', size)}$`],
  ['emoji names', ':smile: '],
  ['colons', ':'],
  ['words', 'lorem ipsum '],
  ['one long word', 'lorem'],
  ['one long line of commas', 'a,'],
  ['letters of two code units', '😀'],
  ['combining marks', 'a\u0301'],
  ['lone surrogates', '\ud83d'],
]

/** Runs of `sign` that grow by one, each after `between`. */
function runs(sign: string, size: number, between = ' '): string {
  const longest = Math.floor(Math.sqrt(2 * size))
  return Array.from({ length: longest }, (_, index) => sign.repeat(index + 1)).join(between)
}

/** Lines that begin with ever more of `indent`. */
function triangle(indent: string, size: number, text = 'a'): string {
  const deepest = Math.floor(Math.sqrt((2 * size) / indent.length))
  return Array.from({ length: deepest }, (_, level) => `${indent.repeat(level)}${text}`).join('\n')
}

const hidden: readonly ProfileEntry[] = [
  ['hidden characters', '\u200b'],
  ['hidden characters in words', 'a\u200bb '],
  ['directions', '\u202ea\u202c'],
  ['characters of tags', '\u{e0041}'],
  ['null characters', '\0'],
  ['escape sequences of terminals', '\x1b[31ma'],
  ['line separators', 'a\u2028'],
]

const templates: readonly ProfileEntry[] = [
  ['placeholders', '{{ a }} '],
  ['placeholders and stray tokens', '{{ a }} <|start|> '],
  ['placeholders, unclosed', '{{ a '],
  ['open braces', '{'],
  ['nested placeholders', (size) => nested('{{', 'a', '}}', size)],
  ['statements', '{% if a %}b{% endif %}\n'],
  ['statements, unclosed', '{% if a '],
  ['comments of templates, unclosed', '{#'],
  ['a placeholder of blanks', (size) => `{{${repeated(' ', size)}}}`],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text itself has the sign of a placeholder
  ['placeholders of shells', '${a}'],
  ['placeholders in angle brackets', '<a>'],
]

const thoughts: readonly ProfileEntry[] = [
  ['thoughts', '<|start_reason|>a<|end_reason|>'],
  ['thoughts, unclosed', '<|start_reason|>a\n'],
  ['nested thoughts', (size) => nested('<|start_reason|>', 'a', '<|end_reason|>', size)],
  ['ends of thoughts', '<|end_reason|>'],
  ['thought marks', '<|reason|>'],
  ['thought tags', '<think>a</think>\n'],
  ['thought tags, unclosed', '<think>\n'],
  ['ends of thought tags', '</think>\n'],
  ['thought tags in a line', '<think>'],
  ['thought tags in other signs', '&lt;think&gt;\n'],
  ['thought tags with names of data', '<analysis>a</analysis>'],
  ['thought tokens of other models', '<|start_think|>a'],
  ['calls as text', '<tool_call>{"name":"f","arguments":{}}</tool_call>\n'],
  ['calls as text, unclosed', '<tool_call>'],
]

/** Text that some messages keep to themselves, and others repeat. */
const repeatedThoughts: readonly ProfileEntry[] = [
  [
    'one thought, repeated in answers',
    (size) =>
      `${thought('The secret is a number that no one guesses.')}${repeated('<|start|>assistant<|channel|>final<|message|>The secret is a number that no one guesses.<|return|>\n', size)}`,
  ],
  [
    'thoughts and answers of one text',
    '<|start|>assistant<|channel|>analysis<|message|>The secret is a number that no one guesses.<|end|>\n<|start|>assistant<|channel|>final<|message|>The secret is a number that no one guesses.<|return|>\n',
  ],
  [
    'many thoughts before one answer',
    (size) =>
      `${numbered((index) => thought(`The secret ${index} is a number that no one guesses.`), size)}<|start|>assistant<|channel|>final<|message|>The secret 1 is a number that no one guesses.<|return|>\n`,
  ],
  [
    'one long thought and its answer',
    (size) =>
      `${thought(repeated('a b ', size / 2))}<|start|>assistant<|channel|>final<|message|>${repeated('a b ', size / 2)}<|return|>\n`,
  ],
]

function thought(text: string): string {
  return `<|start|>assistant<|channel|>analysis<|message|>${text}<|end|>\n`
}

/** The profiles of prose. */
export const proseProfiles: readonly GrowthProfile[] = [
  ...profilesOf('answer', answer, [...markdown, ...hidden, ...templates, ...thoughts]),
  ...profilesOf('question', user, [...markdown.slice(0, 12), ...hidden, ...thoughts.slice(0, 6)]),
  ...profilesOf('text without messages', bare, [
    ...hidden.slice(0, 2),
    ...templates.slice(0, 2),
    ...thoughts.slice(0, 3),
  ]),
  ...profilesOf('conversation', bare, repeatedThoughts),
]
