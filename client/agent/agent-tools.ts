/** The tools for agents, for the Model Context Protocol and for VS Code. A tool is an entry of this table. */
import {
  analyze,
  compileQuery,
  fixSafely,
  type GoodSample,
  isDatasetName,
  mayQuoteHidden,
  problemNames,
  type Reading,
  readConversation,
  roleOf,
  rules,
  type TargetForm,
  targetForms,
  visibleMessages,
  visibleTexts,
  withoutQuotedWords,
  writeConversation,
} from '../../core/src/internal.ts'
import { markdownDocument } from '../render/markdown-document.ts'
import {
  type AgentSource,
  datasetOf,
  judgedBy,
  readOrFail,
  sourceOf,
  transcriptOfSample,
} from './agent-source.ts'
import { type AgentInput, type AgentTool, AgentToolError, type InputProperty } from './agent-tool.ts'
import { SampleSearch } from './sample-search.ts'

const path: InputProperty = {
  type: 'string',
  description:
    'A file in a folder that the user gave: an OpenChatML transcript (.ocm), a conversation in JSON, or a dataset (.jsonl, .json)',
}
const text: InputProperty = {
  type: 'string',
  description: 'The conversation itself instead of a file: OpenChatML, raw Harmony, or JSON',
}
const sample: InputProperty = {
  type: 'integer',
  description: 'For a dataset: the number of the sample, as `find_samples` returns it',
  minimum: 0,
}
const from = { path, text, sample }
const to: InputProperty = {
  type: 'string',
  description: 'The form to convert to',
  enum: targetForms,
}

/** All tools, in the order of lists. */
export const agentTools: readonly AgentTool[] = [
  {
    name: 'check',
    title: 'Check a Transcript',
    description:
      'Report problems in an OpenChatML transcript, a conversation in JSON, or a sample of a dataset: a JSON list with rule, code, severity, line and column (from 1), message, and fixes. Use it after writing or changing a transcript. Words of messages that are hidden from users are replaced by `…` unless you gave the text.',
    inputSchema: { type: 'object', properties: from },
    isReadOnly: true,
    async run(input, files) {
      const source = await sourceOf(input, files)
      return [JSON.stringify(problemsOf(source), undefined, 1)]
    },
  },
  {
    name: 'explain_rule',
    title: 'Explain a Rule',
    description:
      'Explain a rule of `check` by its name (`unknown-role`) or code (`E-PARSE-HEADER`): why it matters, an incorrect and a corrected example, and the section of the specification.',
    inputSchema: {
      type: 'object',
      properties: { rule: { type: 'string', description: 'The name or the code of a rule' } },
      required: ['rule'],
    },
    isReadOnly: true,
    async run({ rule }) {
      const found = rules.filter(({ name, code }) => name === rule || code === rule)
      if (found.length === 0) throw new AgentToolError('Unknown rule or code')
      return found.map(
        ({ name, code, severity, summary, why, bad, good, section }) =>
          `# ${name} (${code}, ${severity})\n\n${summary}.\n\n${why}\n\nWrong:\n\n${bad}\n\nRight:\n\n${good}\n\nSpecification: ${section}`,
      )
    },
  },
  {
    name: 'fix',
    title: 'Fix a Transcript',
    description:
      'Apply the fixes that cannot change what a transcript means. With `path`, the file is changed in place, and the number of fixes is returned; with `text`, the fixed text. Returns the remaining problems, as `check` does.',
    inputSchema: { type: 'object', properties: { path, text } },
    isReadOnly: false,
    async run(input, files) {
      const onlyTranscripts = 'Only transcripts are fixed; use `ocm check --fix` for datasets'
      if (typeof input.path === 'string' && isDatasetName(input.path))
        throw new AgentToolError(onlyTranscripts)
      const source = await sourceOf(input, files)
      if (source.text === undefined) throw new AgentToolError(onlyTranscripts)
      const fixed = fixSafely(source.text, judgedBy(source.settings))
      if (source.path !== undefined && fixed.nFixed > 0)
        await files.replace(source.path, source.bytes, fixed.text)
      const { transcript } = fixed.document
      const left = { ...source, transcript, problems: () => fixed.document.problems().problems }
      const report = { fixed: fixed.nFixed, left: problemsOf(left) }
      return [JSON.stringify(report, undefined, 1), ...(source.path === undefined ? [fixed.text] : [])]
    },
  },
  {
    name: 'render',
    title: 'Show What Users See',
    description:
      'Return what an end user sees of a conversation, as Markdown, and nothing else: no instructions, no reasoning, no tool calls.',
    inputSchema: { type: 'object', properties: from },
    isReadOnly: true,
    async run(input, files) {
      const { transcript } = await sourceOf(input, files)
      const seen = [...visibleMessages(analyze(transcript))]
      const items = seen.map((message) => ({ kind: 'seen', message }) as const)
      return [[...markdownDocument(items, { title: 'Conversation', isDebug: false })].join('')]
    },
  },
  {
    name: 'convert',
    title: 'Convert What Users See',
    description:
      'Convert the messages of a conversation that users see to another form. To include system messages, reasoning, and tool calls, use `convert_with_hidden_text`.',
    inputSchema: { type: 'object', properties: { ...from, to }, required: ['to'] },
    isReadOnly: true,
    async run(input, files) {
      const { transcript } = await sourceOf(input, files)
      const messages = [...visibleMessages(analyze(transcript))].map(({ role, parts }) => ({
        role,
        content: parts.map((it) => it.text).join(''),
      }))
      return written(
        readOrFail(() => readConversation(JSON.stringify({ messages }))),
        input,
      )
    },
  },
  {
    name: 'convert_with_hidden_text',
    title: 'Convert a Conversation with Hidden Text',
    description:
      'Convert a whole conversation to another form, with what users do not see: system messages, reasoning, tool calls, and replies. Losses are returned after the result.',
    inputSchema: { type: 'object', properties: { ...from, to }, required: ['to'] },
    isReadOnly: true,
    async run(input, files) {
      const { reading, transcript } = await sourceOf(input, files)
      return written(reading ?? readOrFail(() => readConversation(transcript.text())), input)
    },
  },
  {
    name: 'find_samples',
    title: 'Find Samples of a Dataset',
    description:
      'List samples of a dataset (.jsonl, or .json with a list) that match a query: their numbers, forms, roles, codes of problems, and the beginning of what users see. Queries are words and terms such as `has:calls`, `turns>=2`, `problem:*`, `user:weather`; adjacent terms must all match.',
    inputSchema: {
      type: 'object',
      properties: {
        path,
        query: { type: 'string', description: 'The query; by default all samples' },
        after: { type: 'integer', description: 'Only samples with a higher number', minimum: 0 },
        limit: { type: 'integer', description: 'At most this many; by default 20', minimum: 1, maximum: 200 },
      },
      required: ['path'],
    },
    isReadOnly: true,
    async run({ path, query = '', after = -1, limit = 20 }, files) {
      const compiled = compileQuery(String(query), { problems: problemNames })
      if (compiled.kind === 'mistake') throw new AgentToolError(compiled.message)
      const search = new SampleSearch(compiled.matcher, String(path), await datasetOf(String(path), files))
      const found: object[] = []
      for (const { view, sample } of search.samplesAfter(Number(after))) {
        if (found.length === limit) {
          found.push({ more: true })
          break
        }
        const [conversation] = view.conversations
        found.push({
          sample: view.place,
          form: view.form,
          roles: conversation?.messages.slice(0, 20).map(({ role }) => roleOf(role) ?? '?') ?? [],
          problems: [...new Set(view.problems.map(({ code }) => code))],
          visible: sample.kind === 'good' ? beginningOf(sample) : '',
        })
      }
      return [JSON.stringify(found, undefined, 1)]
    },
  },
  {
    name: 'read_with_hidden_text',
    title: 'Read a Conversation with Hidden Text',
    description:
      'Return a conversation in full as an OpenChatML transcript, with what users do not see: system messages, reasoning, tool calls, and replies. `render` returns only what users see.',
    inputSchema: { type: 'object', properties: { path, sample }, required: ['path'] },
    isReadOnly: true,
    async run(input, files) {
      return [(await sourceOf(input, files)).transcript.text()]
    },
  },
]

/** Problems for a model. Of a file, words that users don't see are left out of messages. */
function problemsOf(source: AgentSource): readonly object[] {
  const { transcript } = source
  return source.problems().map((problem) => {
    const { code, rule, severity, message, fixes, range } = problem
    const said = source.path !== undefined && mayQuoteHidden(problem, transcript) ? withoutQuotedWords : asIs
    const { line, character } = transcript.positionAt(Math.min(range.start, transcript.length))
    const titles = fixes.map(({ title, isSafe }) => ({ title: said(title), isSafe }))
    const place = { line: line + 1, column: character + 1 }
    return { rule, code, severity, ...place, message: said(message), fixes: titles }
  })
}

const asIs = (text: string) => text

/** A conversation in the form that `to` names, and what is lost. */
function written(reading: Reading, { to }: AgentInput): readonly string[] {
  const { text, losses } = readOrFail(() => writeConversation(reading, { to: to as TargetForm })) // its schema lists these
  return losses.length === 0
    ? [text]
    : [text, `Lost:\n${losses.map(({ message }) => `- ${message}`).join('\n')}`]
}

/** The first words of a sample that users see. */
function beginningOf(sample: GoodSample): string {
  try {
    const [first = ''] = visibleTexts(
      analyze(
        transcriptOfSample(
          sample,
          readOrFail(() => sample.read()),
        ),
      ),
    )
    return first.slice(0, 200)
  } catch (error) {
    if (error instanceof AgentToolError) return ''
    throw error
  }
}
