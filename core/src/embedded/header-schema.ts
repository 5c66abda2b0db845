/**
 * The keys of the YAML header as data: what each means, its type and its known values (2.2 §2, §12; D2, D4).
 * One JSON Schema that completion, hover and validation read. Unknown keys are allowed everywhere: parsers ignore them.
 */

import type { HeaderPath } from './yaml-header.ts'

/** A word of the format with its meaning in one line. */
export interface HeaderWord {
  readonly name: string
  readonly summary: string
}

/** The words that header values come from. */
export interface HeaderWords {
  /** Roles; `functions.*` is added. */
  readonly roles: readonly HeaderWord[]
  readonly channels: readonly HeaderWord[]
  /** Control tokens as written. */
  readonly tokens: readonly HeaderWord[]
  /** Streaming events (2.2 §9). */
  readonly streamingEvents: readonly HeaderWord[]
  readonly builtinTools: readonly HeaderWord[]
  /** What a transcript may be for. */
  readonly intents: readonly HeaderWord[]
}

/** A type of JSON Schema that occurs in headers. */
export type HeaderType = 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null'

/** A JSON Schema (draft-07) with two annotations of our own, `section` and `words`, that validators ignore. */
export interface HeaderSchema {
  readonly $schema?: string
  readonly title?: string
  readonly type: HeaderType | readonly HeaderType[]
  /** Markdown, one sentence per line. */
  readonly description: string
  /** Section of the specification. */
  readonly section: string
  readonly properties?: Readonly<Record<string, HeaderSchema>>
  /** What keys have that are declared elsewhere, and aren't proposed. */
  readonly declaredProperties?: Readonly<Record<string, HeaderSchema>>
  /** What other keys have. */
  readonly additionalProperties?: HeaderSchema
  readonly required?: readonly string[]
  readonly items?: HeaderSchema
  /** The only allowed values. */
  readonly enum?: readonly string[]
  readonly pattern?: string
  readonly minimum?: number
  /** What to write at first. */
  readonly default?: string | number | boolean | readonly string[]
  /** Known values with their meaning; others may be allowed. */
  readonly words?: readonly HeaderWord[]
}

const versions: readonly HeaderWord[] = [
  { name: '2.2', summary: 'The current version: nine tokens, `call_id`, literal blocks' },
  { name: '2.0', summary: 'The first version with channels' },
]

const models: readonly HeaderWord[] = [
  { name: 'gpt-oss-120b', summary: 'The larger open-weight model that speaks Harmony' },
  { name: 'gpt-oss-20b', summary: 'The smaller open-weight model that speaks Harmony' },
]

const reasoningEfforts: readonly HeaderWord[] = [
  { name: 'low', summary: 'Short reasoning, quick answers' },
  { name: 'medium', summary: 'Balanced' },
  { name: 'high', summary: 'Long reasoning before the answer' },
]

const encodings: readonly HeaderWord[] = [
  { name: 'o200k_harmony', summary: "Harmony's encoding, in which each control token is a single token" },
]

/** The schema of the header, with the vocabulary's words as values. */
export function headerSchema(words: HeaderWords): HeaderSchema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'OpenChatML header',
    type: 'object',
    description: 'The header of a transcript.\nUnknown keys are ignored.',
    section: '2.2 §2',
    required: ['version'],
    properties: {
      version: {
        type: ['number', 'string'],
        description:
          'The version of the specification, `major.minor`.\nQuote a minor version that ends in zero: YAML reads `2.10` as 2.1.',
        section: '2.2 §2',
        pattern: '^[0-9]+(\\.[0-9]+)?$',
        default: 2.2,
        words: versions,
      },
      model: {
        type: 'string',
        description: 'The model that the transcript is for.',
        section: '2.2 §2',
        words: models,
      },
      generation_settings: generationSettings(words),
      builtin_tools: builtinTools(words),
      capabilities: capabilities(words),
      profiles: {
        type: 'object',
        description: 'Profiles that change what is required of the transcript.',
        section: '2.2 §12',
        properties: { harmony: harmonyProfile(words), intent: intent(words) },
      },
      inputs: inputs(),
      cases: {
        type: 'object',
        description:
          'Sets of values for `inputs`, by name; `NAME.cases.yaml` next to `NAME.ocm` can hold more.',
        section: '2.2 §2',
        additionalProperties: {
          type: 'object',
          description: 'The values of one case, by the names of inputs.',
          section: '2.2 §2',
        },
      },
      budgets: budgets(),
      expect: {
        type: 'array',
        description:
          'The problems that are expected to be reported, for `ocm check --expect`: codes, rules, or mappings.\nReaders other than checkers ignore the key.',
        section: '2.2 §2',
      },
      lint: {
        type: 'object',
        description:
          'Severities of rules in this transcript: `error`, `warning`, `information`, `hint`, or `off`, by the name of a rule or by a code.\nReaders other than checkers ignore the key.',
        section: '2.2 §2',
      },
    },
  }
}

/** What templates in bodies are filled with. */
function inputs(): HeaderSchema {
  const section = '2.2 §2'
  return {
    type: 'object',
    description:
      'The values that the Jinja templates in bodies are filled with, by name.\nReaders that do not fill templates ignore the key.',
    section,
    additionalProperties: {
      type: 'object',
      description: 'A value that templates use by its name.',
      section,
      properties: {
        type: {
          type: 'string',
          description: 'The type of the value.\nWithout it, any value is accepted.',
          section,
          enum: namesOf(inputTypeWords),
          default: 'string',
          words: inputTypeWords,
        },
        description: { type: 'string', description: 'What the value is, for people.', section },
        default: { type: anyType, description: 'The value to use if a case does not provide one.', section },
        required: {
          type: 'boolean',
          description:
            'Specifies whether a case must provide the value.\nBy default, it must if there is no default.',
          section,
          default: false,
        },
        values: { type: 'array', description: 'The only accepted values.', section },
      },
    },
  }
}

/** How large a filled prompt may be. */
function budgets(): HeaderSchema {
  const section = '2.2 §2'
  const tokens = (description: string): HeaderSchema => ({
    type: 'object',
    description,
    section,
    additionalProperties: { type: 'number', description: 'The maximum number of tokens.', section },
  })
  return {
    type: 'object',
    description:
      'The maximum number of tokens (`o200k_harmony`) of the filled prompt and its parts, whichever case fills it.\nReaders other than checkers ignore the key.',
    section,
    properties: {
      prompt: { type: 'number', description: 'The maximum number of tokens of the whole prompt.', section },
      messages: tokens('The maximum number of tokens of a message, by its role.'),
      sections: tokens(
        'The maximum number of tokens of a section, by its heading: the text below it, including its subheadings.',
      ),
      tools: tokens('The maximum number of tokens of a tool definition, by the name of the tool.'),
    },
  }
}

const anyType: readonly HeaderType[] = ['string', 'number', 'boolean', 'array', 'object', 'null']

const inputTypeWords: readonly HeaderWord[] = [
  { name: 'string', summary: 'Text' },
  { name: 'number', summary: 'A number' },
  { name: 'integer', summary: 'A whole number' },
  { name: 'boolean', summary: '`true` or `false`' },
  { name: 'array', summary: 'A list' },
  { name: 'object', summary: 'A mapping' },
]

function intent({ intents }: HeaderWords): HeaderSchema {
  return {
    type: 'string',
    description: 'What the transcript is for.\nWithout it, nothing is assumed.',
    section: '2.2 §3, §12',
    enum: namesOf(intents),
    words: intents,
  }
}

function generationSettings(words: HeaderWords): HeaderSchema {
  return {
    type: 'object',
    description: 'How answers are generated.\nThe settings apply to the whole transcript.',
    section: '2.2 §2',
    properties: {
      temperature: {
        type: 'number',
        description: 'The randomness of sampling; 0 is the least random.',
        section: '2.2 §2',
        minimum: 0,
        default: 0.7,
      },
      reasoning_effort: {
        type: 'string',
        description: 'How much the model reasons on `analysis` before it answers.',
        section: '2.2 §2',
        enum: namesOf(reasoningEfforts),
        default: 'medium',
        words: reasoningEfforts,
      },
      builtin_tools: builtinTools(words),
    },
  }
}

function builtinTools(words: HeaderWords): HeaderSchema {
  return {
    type: 'array',
    description:
      'Predefined tools that the assistant may call.\nIt may call them from `analysis` and `commentary`; functions only from `commentary`.',
    section: '2.2 §8',
    default: namesOf(words.builtinTools),
    items: openWords('The name of a built-in tool.', '2.2 §8', words.builtinTools),
  }
}

function capabilities(words: HeaderWords): HeaderSchema {
  const roles = [
    ...words.roles,
    { name: 'functions.*', summary: 'Tools that reply under their own name, the older form' },
  ]
  return {
    type: 'object',
    description: 'What the writer of the transcript supports, for negotiation.',
    section: '2.2 §2',
    properties: {
      roles: listOf('The roles in use.', '2.2 §4', roles),
      channels: channelList('The channels in use.', '2.2 §5', words.channels),
      tokens: listOf('The control tokens in use.\nQuote them.', '2.2 §3', words.tokens),
      streaming: listOf('The streaming events in use.', '2.2 §9', words.streamingEvents),
    },
  }
}

function harmonyProfile({ channels }: HeaderWords): HeaderSchema {
  return {
    type: 'object',
    description:
      'The Harmony profile HIP-1: rules that make the transcript convert to Harmony and back without loss.',
    section: '2.2 §12',
    properties: {
      enabled: {
        type: 'boolean',
        description: 'Applies the profile.',
        section: '2.2 §12',
        default: true,
      },
      encoding: {
        type: 'string',
        description: 'The encoding of the tokens.\nInformation only.',
        section: '2.2 §2',
        default: 'o200k_harmony',
        words: encodings,
      },
      require_channels: channelList(
        'Assistant messages must name one of these channels.\nAn empty list removes the requirement.',
        '2.2 §12',
        channels,
      ),
      tool_calls_in: {
        ...channelItem('The channel of calls to functions.', channels),
        default: 'commentary',
      },
      builtins_in: {
        ...channelList('The channels on which calls to built-in tools are allowed.', '2.2 §8', channels),
        default: ['analysis', 'commentary'],
      },
    },
  }
}

function listOf(description: string, section: string, words: readonly HeaderWord[]): HeaderSchema {
  return {
    type: 'array',
    description,
    section,
    default: namesOf(words),
    items: openWords('One of the listed values.', section, words),
  }
}

function channelList(description: string, section: string, channels: readonly HeaderWord[]): HeaderSchema {
  return {
    type: 'array',
    description,
    section,
    default: namesOf(channels),
    items: channelItem('A channel.', channels),
  }
}

function channelItem(description: string, channels: readonly HeaderWord[]): HeaderSchema {
  return { type: 'string', description, section: '2.2 §5', enum: namesOf(channels), words: channels }
}

function openWords(description: string, section: string, words: readonly HeaderWord[]): HeaderSchema {
  return { type: 'string', description, section, words }
}

function namesOf(words: readonly HeaderWord[]): readonly string[] {
  return words.map(({ name }) => name)
}

/** The schema of what is at `path`, or undefined for unknown keys. */
export function schemaAt(schema: HeaderSchema, path: HeaderPath): HeaderSchema | undefined {
  let found: HeaderSchema | undefined = schema
  for (const key of path) {
    if (typeof key === 'number') found = found?.items
    else found = found && propertyOf(found, key)
  }
  return found
}

/** The schema of the key `key` of a mapping; undefined if it is unknown. */
export function propertyOf(
  { properties, declaredProperties, additionalProperties }: HeaderSchema,
  key: string,
): HeaderSchema | undefined {
  const known = [properties, declaredProperties].find((it) => it && Object.hasOwn(it, key))
  return known?.[key] ?? additionalProperties
}

/** True if `schema` allows values of `type`. */
export function allowsType({ type }: HeaderSchema, wanted: string): boolean {
  return typeof type === 'string' ? type === wanted : type.some((it) => it === wanted)
}
