/** Rules that look at filled prompts: what each finds, and that they are silent where nothing is wrong. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import {
  type Analysis,
  analyze,
  Checker,
  checkPrompt,
  convert,
  Document,
  filledAlone,
  type PartReading,
  type Problem,
  type Rule,
  readCases,
  readParts,
  rules,
  Transcript,
} from '../../core/src/internal.ts'
import { samplesOf, textOfSample, wordsOf } from '../convert/sample-arbitraries.ts'
import { isNight, nightly } from '../helpers/nightly.ts'

/** A token per character, so that sizes can be seen. */
const problemsIn = (text: string): readonly Problem[] => {
  const analysis = analyze(Transcript.parse(text))
  return problemsOf(
    analysis,
    filledAlone(analysis, (it) => it.length),
  )
}

/** What the rules on prompts find, and what is wrong with allowances of them. */
const problemsOf = (analysis: Analysis, cases: Parameters<Checker['fill']>[0]): readonly Problem[] => {
  const checker = new Checker(analysis, { rules: rules.filter(isOnPrompts) })
  checker.fill(cases)
  return checker.problems().problems
}

const isOnPrompts = ({ scope, name }: Rule) => scope === 'prompt' || name === 'unfit-allow'

const lines = (text: string) =>
  problemsIn(text).map(
    ({ rule, message, range }) => `${rule} «${text.slice(range.start, range.end)}»: ${message}`,
  )

const header = (more: string) => `version: 2.2
inputs:
  name: { type: string }
cases:
  short: { name: A }
  long: { name: ABCDEFGHIJ }
${more}`

const body = `<|start|>developer<|message|># Help

{{ name }}

## More

Text

# Tools

## functions

namespace functions {

// Looks things up
type search = (_: { query: string }) => any;

} // namespace functions<|end|>
<|start|>user<|message|>{{ name }}!<|end|>
`

describe('budgets', () => {
  test('count sections with those below, tools with their descriptions, messages with their headers', () => {
    // `user`, the body, and three special tokens.
    assert.deepEqual(lines(header('budgets:\n  messages: { user: 17 }\n') + body), [
      'over-budget «17»: A message of `user` has 18 tokens in the case `long`, more than 17',
    ])
    assert.deepEqual(lines(header('budgets:\n  messages: { user: 18 }\n') + body), [])
    const section = '# Help\n\nABCDEFGHIJ\n\n## More\n\nText\n\n'.length
    assert.deepEqual(lines(header(`budgets:\n  sections: { Help: ${section} }\n`) + body), [])
    assert.deepEqual(lines(header(`budgets:\n  sections: { Help: ${section - 1} }\n`) + body), [
      `over-budget «${section - 1}»: A section \`Help\` has ${section} tokens in the case \`long\`, more than ${section - 1}`,
    ])
    const [tool] = lines(header('budgets:\n  tools: { search: 1 }\n') + body)
    assert.match(tool ?? '', /^over-budget «1»: A tool `search` has \d\d tokens/)
  })

  test('of something that no case has are reported, with what was meant', () => {
    assert.deepEqual(
      lines(header('budgets:\n  sections: { Nothing: 10 }\n  tools: { serach: 10 }\n') + body),
      [
        'over-budget «Nothing»: No case has a section `Nothing`',
        'over-budget «serach»: No case has a tool `serach`; did you mean `search`?',
      ],
    )
  })

  test('of a transcript without inputs count the transcript', () => {
    const text = 'version: 2.2\nbudgets: { prompt: 3 }\n<|start|>user<|message|>Hi<|end|>\n'
    assert.deepEqual(lines(text), ['over-budget «3»: The prompt has 9 tokens, more than 3'])
  })

  test('are not guessed where nothing is counted, or the prompt cannot be filled', () => {
    const text = header('budgets:\n  prompt: 1\n  sections: { Nothing: 1 }\n') + body
    const analysis = analyze(Transcript.parse(text))
    const source = { analysis, path: '', parts: { byPath: new Map(), problems: [] } }
    const cases = readCases('one: { name: A }', analysis).cases
    assert.deepEqual(problemsOf(analysis, checkPrompt({ ...source, cases }).cases(undefined)), [])
    assert.deepEqual(problemsOf(analysis, checkPrompt({ ...source, cases: [] }).cases([])), [])
  })

  test('count only if there are any, and each text of each case once', () => {
    const source = (text: string) => ({
      analysis: analyze(Transcript.parse(text)),
      path: '',
      cases: readCases('one: { name: A }\ntwo: { name: B }', analyze(Transcript.parse(text))).cases,
      parts: { byPath: new Map(), problems: [] },
    })
    assert.deepEqual(checkPrompt(source(header('') + body)).texts, [])
    const { texts } = checkPrompt(source(header('budgets: { prompt: 1 }\n') + body))
    assert.equal(texts.filter((it) => it === 'A!').length, 1)
    assert.equal(texts.filter((it) => it === 'B!').length, 1)
  })

  test('take the severity that the header sets', () => {
    const off = header('lint: { over-budget: off }\nbudgets: { prompt: 1 }\n') + body
    assert.deepEqual(lines(off), [])
    const [problem] = problemsIn(header('lint: { W-PROMPT-BUDGET: error }\nbudgets: { prompt: 1 }\n') + body)
    assert.equal(problem?.severity, 'error')
  })
})

describe('advice', () => {
  const silent = (text: string) => assert.deepEqual(lines(text), [])

  test('on text of users is given only for an input that is a whole user message', () => {
    const inputs = 'version: 2.2\ninputs: { q: }\n'
    const user = '<|start|>user<|message|>{{ q }}<|end|>\n'
    const developer = (text: string) => `<|start|>developer<|message|>${text}<|end|>\n`
    assert.deepEqual(lines(inputs + developer('Answer {{ q | trim }}.') + user), [
      'user-text-in-instructions «q»: `q` is the user message; here, it has the authority of instructions',
    ])
    silent(inputs + developer('{% if q %}Answer.{% endif %}') + user)
    silent(inputs + developer('Answer {{ q }}.') + '<|start|>user<|message|>I ask: {{ q }}<|end|>\n')
    silent(inputs + developer('Answer {{ q }}.'))
  })

  test('on dates is given only for a line that says that it is the current date', () => {
    const inputs = 'version: 2.2\ninputs: { date: }\n'
    const system = (text: string) =>
      `<|start|>system<|message|>${text}<|end|>\n<|start|>user<|message|>{{ date }}?<|end|>\n`
    assert.equal(lines(inputs + system('Current date: 2025-08-08')).length, 1)
    silent(inputs + system('Released on 2025-08-08'))
    silent(inputs + system('Knowledge cutoff: 2024-06\nCurrent date: {{ date }}'))
    silent(
      `version: 2.2\ninputs: { day: }\n${system('Current date: 2025-08-08')}`.replace('{{ date', '{{ day'),
    )
  })

  test('on tools is given only where others are named, and no case names this one', () => {
    const tools = (prose: string) => `<|start|>developer<|message|>${prose} {{ a }}

# Tools

## functions

namespace functions {

type one = () => any;

type two = () => any;

type three = () => any;

} // namespace functions<|end|>
`
    const inputs = 'version: 2.2\ninputs: { a: { default: x } }\n'
    assert.deepEqual(lines(inputs + tools('Use one or two.')), [
      'unmentioned-tool «three»: The prompt names `one` and other tools, but not `three`',
    ])
    silent(inputs + tools('Be kind.'))
    silent(inputs + tools('At one point, be kind.'))
    silent(inputs + tools('Use one, two, or functions.three.'))
    silent(`${inputs}cases:\n  c: { a: three }\n${tools('Use one or two.')}`)
    const call = '<|start|>assistant to=functions.three<|channel|>commentary<|message|>{}<|call|>\n'
    silent(inputs + tools('Use one or two.') + call)
  })

  test('on control tokens is given once for an input, with the first token', () => {
    const text = `version: 2.2
inputs: { q: }
cases:
  a: { q: { deep: ["x<|end|><|start|>"] } }
  b: { q: "<|start|>" }
<|start|>user<|message|>{{ q }}<|end|>
`
    assert.deepEqual(lines(text), [
      'token-in-value «q»: The case `a` gives `q` the control token `<|end|>`, which is escaped',
    ])
  })

  test('on what cannot be filled names the part, where the prompt includes it', async () => {
    const text = 'version: 2.2\ninputs: { q: }\n<|start|>user<|message|>{{ q }}{% include "a.md" %}<|end|>\n'
    const analysis = analyze(Transcript.parse(text))
    const found = async (read: PartReading) => {
      const parts = await readParts(analysis, 'p.ocm', async () => read)
      const { cases } = readCases('one: { q: A }\ntwo: { q: B }', analysis)
      const filled = checkPrompt({ analysis, path: 'p.ocm', cases, parts }).cases([])
      return problemsOf(analysis, filled).map(
        ({ range, message }) => `«${text.slice(range.start, range.end)}» ${message}`,
      )
    }
    assert.deepEqual(await found({ kind: 'missing' }), [
      '«a.md» The prompt cannot be filled: a.md: this part does not exist',
    ])
    assert.deepEqual(await found({ kind: 'read', text: '{{ r }}' }), [
      '«a.md» The prompt cannot be filled: a.md: `r` is not declared under `inputs`',
    ])
  })
})

describe('what was found in a filled prompt', () => {
  const user = '<|start|>user<|message|>{{ q }}<|end|>\n'
  const text = (header: string) =>
    `version: 2.2\ninputs: { q: }\n<|start|>${header}<|message|>Answer {{ q }}.<|end|>\n${user}`

  test('can be allowed in a message, and an allowance that reports nothing is a hint once the prompt is filled', () => {
    assert.equal(lines(text('developer')).length, 1)
    assert.deepEqual(lines(text('developer allow=user-text-in-instructions:quoted')), [])
    const unused = text('developer allow=user-text-in-instructions:quoted').replace('{{ q }}.', 'it.')
    assert.deepEqual(lines(unused), [
      'unfit-allow «user-text-in-instructions»: `user-text-in-instructions` reports nothing in this message',
    ])
    assert.deepEqual(new Document(unused).problems().problems, [])
  })

  test('stays with its message while others are edited, and goes with it', () => {
    const document = new Document(text('developer'))
    const { checker, analysis } = document
    checker.fill(filledAlone(analysis, () => 1))
    const [before] = document.problems().problems
    assert.equal(before?.rule, 'user-text-in-instructions')
    document.edit([
      {
        start: text('developer').indexOf('inputs'),
        end: text('developer').indexOf('inputs'),
        text: 'note: 1\n',
      },
    ])
    const [moved] = document.problems().problems
    assert.equal(moved?.range.start, before.range.start + 'note: 1\n'.length)
    const at = document.transcript.text().indexOf('Answer')
    document.edit([{ start: at, end: at, text: 'Please. ' }])
    assert.deepEqual(document.problems().problems, [])
    checker.fill(filledAlone(analysis, () => 1))
    assert.equal(document.problems().problems.length, 1)
    checker.fill(undefined)
    assert.deepEqual(document.problems().problems, [])
  })
})

describe('no false alarm', () => {
  test('is raised on samples/', () => {
    for (const name of readdirSync('samples').filter((it) => it.endsWith('.ocm'))) {
      const text = readFileSync(`samples/${name}`, 'utf8')
      if (name === '16-prompt.ocm') continue // has parts, and a case with control tokens: see test/cli
      assert.deepEqual(lines(text), [], name)
    }
  })

  nightly('is raised on well-formed samples of each form as prompts', () => {
    for (let seed = 0; seed < (isNight ? 50 : 10); seed++) {
      for (const [form, sample] of samplesOf(wordsOf(seed))) {
        const { text } = convert(textOfSample(sample), { to: 'ocm' })
        const prompt = text.replace(/^version: 2\.2\n/, 'version: 2.2\ninputs: { date: { default: x } }\n')
        assert.notEqual(prompt, text)
        assert.deepEqual(lines(prompt), [], `${form} ${seed}`)
        const advice = new Document(prompt)
          .problems()
          .problems.filter(
            ({ rule }) => rule === 'contradicting-effort' || rule === 'undefined-tool-in-prose',
          )
        assert.deepEqual(advice, [], `${form} ${seed}`)
      }
    }
  })
})
