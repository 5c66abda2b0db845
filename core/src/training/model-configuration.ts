/** What `tokenizer_config.json` of a model says: its chat templates, the tokens that they write, and the maximal length. */
import { isObject } from '../embedded/json-value.ts'
import type { JsonObject } from '../embedded/yaml-header.ts'

/** The template called `name` in `config`; the only one of a configuration that has one is called `default`. */
export function chatTemplateIn(
  { chat_template: template }: JsonObject,
  name = 'default',
): string | undefined {
  if (typeof template === 'string') return template
  if (!Array.isArray(template)) return undefined
  for (const it of template as readonly JsonObject[])
    if (it?.name === name && typeof it.template === 'string') return it.template
  return undefined
}

/** The names of the templates in `config`. */
export function chatTemplateNames({ chat_template: template }: JsonObject): readonly string[] {
  if (typeof template === 'string') return ['default']
  if (!Array.isArray(template)) return []
  return (template as readonly JsonObject[]).flatMap((it) =>
    typeof it?.name === 'string' && typeof it.template === 'string' ? [it.name] : [],
  )
}

/** The special tokens by name, such as `bos_token`: templates write them. */
export function specialTokenNames(config: JsonObject): JsonObject {
  const names: Record<string, string> = {}
  for (const [key, value] of Object.entries(config)) {
    if (!/^[a-z]{1,30}_token$/.test(key)) continue
    const content = typeof value === 'object' && value !== null ? (value as JsonObject).content : value
    if (typeof content === 'string') names[key] = content
  }
  return names
}

/** `model_max_length`; undefined if it is so large that it says there is no limit. */
export function maximalLength({ model_max_length: length }: JsonObject): number | undefined {
  return typeof length === 'number' && length < 1e9 ? length : undefined
}

/** The object that `text` is as JSON; undefined if it is none. */
export function configObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined // reported as a file that is not a tokenizer, or has no template
  }
}
