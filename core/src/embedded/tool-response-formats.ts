/** The schemas of answers that a developer message asks for under `# Response Formats` (Harmony's structured output). */
import { append } from '../text/append.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { trimmedEnd } from './embedded-problem.ts'
import { jsonBody } from './json-body.ts'
import { jsonTree } from './json-tree.ts'
import type { DefinitionProblem, ResponseFormat } from './tool-definition.ts'
import { jsonSchemaAt } from './tool-json-schema.ts'
import { commentText } from './tool-namespaces.ts'

/** The formats of a text and what is wrong with them. */
export interface ResponseFormats {
  readonly formats: readonly ResponseFormat[]
  readonly problems: readonly DefinitionProblem[]
  /** Where the section is; tools are not looked for in it. */
  readonly range: Range | undefined
}

const heading = '# Response Formats'

/** True if `text` can have response formats at all. Cheap. */
export function mayHaveResponseFormats(text: string): boolean {
  return text.includes(heading)
}

/** The formats in the section of `text`, which ends at the next heading of the same rank. */
export function responseFormats(text: string): ResponseFormats {
  const found = /^# Response Formats[ \t]*$/m.exec(text)
  if (!found) return { formats: [], problems: [], range: undefined }
  const start = found.index
  const from = start + found[0].length
  const next = /^# /m.exec(text.slice(from))
  const end = next ? from + next.index : text.length
  const formats: ResponseFormat[] = []
  const problems: DefinitionProblem[] = []
  for (const part of parts(text, { start: from, end })) {
    const result = formatOf(text, part)
    if (result.format) formats.push(result.format)
    if (result.problem) problems.push(result.problem)
    append(problems, result.schemaProblems)
  }
  return { formats, problems, range: { start, end } }
}

interface Part {
  readonly name: string
  readonly nameRange: Range
  readonly body: Range
}

/** The stretches under `## NAME`; a schema may also be directly under the section's heading. */
function parts(text: string, { start, end }: Range): readonly Part[] {
  const found: Part[] = []
  const section = text.slice(start, end)
  const headings = [...section.matchAll(/^## +.*$/gm)]
  const first = headings[0]?.index ?? section.length
  if (section.slice(0, first).includes('{')) {
    found.push({ name: '', nameRange: { start, end: start }, body: { start, end: start + first } })
  }
  headings.forEach((match, index) => {
    const line = match[0].slice('##'.length)
    const name = line.trim()
    const nameStart = start + match.index + '##'.length + line.indexOf(name)
    const bodyStart = start + match.index + match[0].length
    const bodyEnd = start + (headings[index + 1]?.index ?? section.length)
    found.push({
      name,
      nameRange: { start: nameStart, end: nameStart + name.length },
      body: { start: bodyStart, end: bodyEnd },
    })
  })
  return found
}

interface FoundFormat {
  readonly format?: ResponseFormat
  readonly problem?: DefinitionProblem
  readonly schemaProblems: readonly DefinitionProblem[]
}

function formatOf(text: string, { name, nameRange, body }: Part): FoundFormat {
  const source = text.slice(body.start, body.end)
  const opening = /^[ \t]*\{/m.exec(source)
  if (!opening) return { schemaProblems: [] }
  const start = body.start + opening.index + opening[0].length - 1
  const end = trimmedEnd(text, start, body.end)
  const json = text.slice(start, end)
  const { problem } = jsonBody(json)
  if (problem) {
    const range = { start: start + problem.range.start, end: start + problem.range.end }
    const message = localize`The response format is not valid JSON: ${problem.message}`
    return { problem: { kind: 'not-json', range, message }, schemaProblems: [] }
  }
  const { root } = jsonTree(json)
  if (!root) return { schemaProblems: [] }
  const schemaProblems: DefinitionProblem[] = []
  const schema = jsonSchemaAt(root, { text: json, origin: start, roots: [root], problems: schemaProblems })
  const description = commentText(
    source
      .slice(0, opening.index)
      .split('\n')
      .filter((line) => /^[ \t]*\/\//.test(line))
      .join('\n'),
  )
  const range = { start, end }
  return { format: { name, nameRange, description, range, text: `${name}\n${json}`, schema }, schemaProblems }
}
