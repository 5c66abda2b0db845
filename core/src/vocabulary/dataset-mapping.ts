/** What a mapping of a dataset's columns may say: the keys of `dataset_info.json` as LLaMA-Factory reads it (F4). */

/** The columns that a mapping names. */
export const mappedColumns = [
  'prompt',
  'query',
  'response',
  'history',
  'messages',
  'system',
  'tools',
  'images',
  'videos',
  'audios',
  'chosen',
  'rejected',
  'kto_tag',
] as const

/** The keys and words of messages that a mapping names, and what they are where it does not. */
export const mappedTags = {
  role_tag: 'from',
  content_tag: 'value',
  user_tag: 'human',
  assistant_tag: 'gpt',
  observation_tag: 'observation',
  function_tag: 'function_call',
  system_tag: 'system',
} as const

/** The keys of an entry. */
export const mappingKeys = ['file_name', 'formatting', 'ranking', 'columns', 'tags'] as const

/** How the columns of the datasets at some paths are read. */
export interface DatasetMapping {
  /** A pattern of paths in a configuration file, a name in `dataset_info.json`. */
  readonly file: string
  /** `alpaca`, `sharegpt`, `openai`, or the name of a form; by default `alpaca`. */
  readonly formatting: string
  /** True if `chosen` and `rejected` are branches. */
  readonly ranking: boolean
  /** The columns that are read; undefined for the usual ones. */
  readonly columns: Readonly<Partial<Record<(typeof mappedColumns)[number], string>>> | undefined
  readonly tags: Readonly<Record<keyof typeof mappedTags, string>>
}

/** The mapping in `value`, an entry of a list or of `dataset_info.json`; undefined for one without a file. What makes no sense is left out. */
export function datasetMappingIn(value: unknown): DatasetMapping | undefined {
  if (!isRecord(value) || typeof value.file_name !== 'string') return undefined
  const { file_name: file, formatting, ranking, columns, tags } = value
  const textIn = (object: unknown, key: string) => {
    const it = isRecord(object) ? object[key] : undefined
    return typeof it === 'string' ? it : undefined
  }
  const named = mappedColumns.flatMap((key) => {
    const column = textIn(columns, key)
    return column === undefined ? [] : [[key, column] as const]
  })
  const spoken = Object.entries(mappedTags).map(([key, usual]) => [key, textIn(tags, key) ?? usual] as const)
  return {
    file,
    formatting: typeof formatting === 'string' ? formatting : 'alpaca',
    ranking: ranking === true,
    columns: isRecord(columns) ? Object.fromEntries(named) : undefined,
    tags: Object.fromEntries(spoken) as DatasetMapping['tags'], // which has all keys of the table
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
