/** The chat template and the tokenizer that `--template` and `--tokenizer` name. */
import { stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import {
  chatTemplateIn,
  configObject,
  harmonyTemplateName,
  isTemplateProblem,
  type JsonObject,
  maximalLength,
  parsedTemplate,
  specialTokenNames,
} from '../../../core/src/internal.ts'
import { FileProblem } from '../files/file-problem.ts'
import { readTextBeside } from '../files/read-beside.ts'

/** A chat template as data that can be sent to another thread. */
export interface TemplateFile {
  /** As users named it. */
  readonly path: string
  readonly source: string
  /** `bos_token` and its like. */
  readonly names: JsonObject
  /** `model_max_length`, if it is one. */
  readonly maxLength: number | undefined
  /** The `tokenizer.json` next to it. */
  readonly tokenizer: string | undefined
}

const bytes = { template: 16 << 20, tokenizer: 256 << 20 }

/**
 * The template at `path`: a `*.jinja`, a `tokenizer_config.json`, or the folder of a model that has one of them. A named
 * template of the configuration follows `#`. Undefined for Harmony, which is built in.
 *
 * @throws FileProblem
 */
export async function readTemplateFile(path: string | undefined): Promise<TemplateFile | undefined> {
  if (path === undefined || path === harmonyTemplateName) return undefined
  const hash = path.lastIndexOf('#')
  const [file, name] = hash === -1 ? [path, 'default'] : [path.slice(0, hash), path.slice(hash + 1)]
  const isFolder = await isDirectory(file)
  const folder = isFolder ? file : dirname(file)
  const config = await readObject(join(folder, 'tokenizer_config.json'))
  const own = isFolder ? await read(join(folder, 'chat_template.jinja')) : undefined
  const source = own ?? (isFolder || file.endsWith('.json') ? chatTemplateIn(config, name) : await read(file))
  if (source === undefined)
    throw new FileProblem(path, isFolder || file.endsWith('.json') ? 'has no chat template' : 'no such file')
  const parsed = parsedTemplate(source)
  if (isTemplateProblem(parsed))
    throw new FileProblem(path, `line ${parsed.line}, column ${parsed.column}: ${parsed.message}`)
  const tokenizer = join(folder, 'tokenizer.json')
  return {
    path,
    source,
    names: specialTokenNames(config),
    maxLength: maximalLength(config),
    tokenizer: (await exists(tokenizer)) ? tokenizer : undefined,
  }
}

/** The `tokenizer.json` at `path`, and the configuration next to it. @throws FileProblem */
export async function readTokenizerFile(path: string): Promise<{ json: JsonObject; config: JsonObject }> {
  const file = (await isDirectory(path)) ? join(path, 'tokenizer.json') : path
  const text = await readTextBeside(file, { bytes: bytes.tokenizer, isNamed: true })
  if (text === undefined) throw new FileProblem(path, 'no such file')
  const json = configObject(text)
  if (!json) throw new FileProblem(path, 'is not a tokenizer.json')
  return { json, config: await readObject(join(dirname(file), 'tokenizer_config.json')) }
}

async function read(path: string): Promise<string | undefined> {
  return readTextBeside(path, { bytes: bytes.template, isNamed: true })
}

async function readObject(path: string): Promise<JsonObject> {
  const text = await read(path)
  return (text === undefined ? undefined : configObject(text)) ?? {}
}

async function isDirectory(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() ?? false
}

async function exists(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() ?? false
}
