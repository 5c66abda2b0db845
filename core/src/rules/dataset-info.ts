/** Reads a `dataset_info.json` next to data, in which LLaMA-Factory has mappings (F4): what it says, and what is wrong with it. */
import { jsonBody } from '../embedded/json-body.ts'
import { childAt, type JsonNode, jsonTree } from '../embedded/json-tree.ts'
import { unmarked } from '../embedded/yaml-header.ts'
import { localize } from '../text/localize.ts'
import type { Range } from '../text/range.ts'
import { type DatasetMapping, datasetMappingIn } from '../vocabulary/dataset-mapping.ts'
import type { ConfigurationProblem } from './configuration.ts'
import { quoted } from './quoted.ts'

/** The name of the file. */
export const datasetInfoName = 'dataset_info.json'

/** A `dataset_info.json` as read. */
export interface DatasetInfo {
  /** The mappings of files, in the order of the text; entries without `file_name` are of datasets elsewhere. */
  readonly mappings: readonly DatasetMapping[]
  /** In order of the text; all of them are errors. */
  readonly problems: readonly ConfigurationProblem[]
}

/** Reads the text of a `dataset_info.json`, which may begin with a byte order mark. Never throws. */
export function readDatasetInfo(text: string): DatasetInfo {
  const json = unmarked(text)
  const { problem } = jsonBody(json)
  if (problem) {
    // The message may quote the text, which may be that of any file with this name.
    const message = json.includes('"file_name"') ? problem.message : localize`This is not JSON`
    return { mappings: [], problems: [{ range: problem.range, message, isError: true }] }
  }
  const { root } = jsonTree(json)
  if (root?.type !== 'object')
    return { mappings: [], problems: [mistake(root, localize`Expected an object with an entry per dataset`)] }
  const mappings: DatasetMapping[] = []
  const problems: ConfigurationProblem[] = []
  const value: Readonly<Record<string, unknown>> = JSON.parse(json)
  for (const { children: [key, node] = [] } of root.children ?? []) {
    const name = String(key?.value)
    const file = childAt(node, 'file_name')
    const mapping = datasetMappingIn(value[name])
    if (mapping) mappings.push(mapping)
    else if (node?.type !== 'object')
      problems.push(mistake(node, localize`The entry ${quoted(name)} must be an object`))
    else if (file)
      problems.push(mistake(file, localize`\`file_name\` must be a string such as \`data.jsonl\``))
  }
  return { mappings, problems }
}

/** The mapping for the file at `path`, which is next to `info`; undefined if there is none. */
export function mappingBeside({ mappings }: DatasetInfo, path: string): DatasetMapping | undefined {
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return mappings.find(({ file }) => file.replace(/^(?:\.\/)+/, '') === name)
}

function mistake(node: JsonNode | undefined, message: string): ConfigurationProblem {
  const range: Range = node ? { start: node.offset, end: node.offset + node.length } : { start: 0, end: 0 }
  return { range, message, isError: true }
}
