/**
 * All forms. A new form is a file in this folder, its name in `forms`, and a row for each of its clues. Options of the command
 * line, menus, and the tables of the documentation come from here.
 */

import type { JsonValue } from '../embedded/yaml-header.ts'
import type { DialectName } from '../vocabulary/framing.ts'
import { alpaca } from './alpaca.ts'
import { anthropic } from './anthropic.ts'
import { atif } from './atif.ts'
import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { type Located, located } from './envelope.ts'
import type { Form, FormDescription, JsonForm, Named, WriteOption } from './form.ts'
import { gemini } from './gemini.ts'
import { harmony } from './harmony.ts'
import { harmonyJson } from './harmony-json.ts'
import { inspect } from './inspect.ts'
import { json } from './json.ts'
import { sampleOf } from './json-sample.ts'
import { markdown } from './markdown.ts'
import { messages } from './messages.ts'
import { ocm } from './ocm.ts'
import { openaiDpo } from './openai-dpo.ts'
import { otel } from './otel.ts'
import { pi } from './pi.ts'
import { preference } from './preference.ts'
import { promptCompletion } from './prompt-completion.ts'
import { responses } from './responses.ts'
import { sharegpt } from './sharegpt.ts'
import { stepwise } from './stepwise.ts'
import { text } from './text.ts'
import { xlam } from './xlam.ts'

/** The forms, in the order of menus and help. */
export const forms = [
  ocm,
  json,
  harmony,
  harmonyJson,
  messages,
  responses,
  anthropic,
  gemini,
  sharegpt,
  alpaca,
  promptCompletion,
  preference,
  openaiDpo,
  stepwise,
  xlam,
  otel,
  inspect,
  atif,
  claudeCode,
  codex,
  pi,
  text,
  markdown,
] as const

/** The clues that JSON is recognized by: the first one that fits gives the form (F6). */
const jsonClues = [
  clue(claudeCode.name, claudeCode.recognizedBy.entry),
  clue(codex.name, codex.recognizedBy.entry),
  clue(pi.name, pi.recognizedBy.entry),
  clue(json.name, json.recognizedBy.header),
  clue(atif.name, atif.recognizedBy.steps),
  clue(otel.name, otel.recognizedBy.attributes),
  clue(gemini.name, gemini.recognizedBy.contents),
  clue(openaiDpo.name, openaiDpo.recognizedBy.outputs),
  clue(preference.name, preference.recognizedBy.pair),
  clue(messages.name, messages.recognizedBy.refused),
  clue(sharegpt.name, sharegpt.recognizedBy.item),
  clue(responses.name, responses.recognizedBy.item),
  clue(anthropic.name, anthropic.recognizedBy.blocks),
  clue(inspect.name, inspect.recognizedBy.messages),
  clue(messages.name, messages.recognizedBy.message),
  clue(json.name, json.recognizedBy.message),
  clue(harmonyJson.name, harmonyJson.recognizedBy.parts),
  clue(json.name, json.recognizedBy.channel),
  clue(messages.name, messages.recognizedBy.list),
  clue(messages.name, messages.recognizedBy.choices),
  clue(anthropic.name, anthropic.recognizedBy.message),
  clue(stepwise.name, stepwise.recognizedBy.labels),
  clue(preference.name, preference.recognizedBy.completions),
  clue(alpaca.name, alpaca.recognizedBy.instruction),
  clue(xlam.name, xlam.recognizedBy.answers),
  clue(promptCompletion.name, promptCompletion.recognizedBy.prompt),
  clue(inspect.name, inspect.recognizedBy.target),
  clue(responses.name, responses.recognizedBy.request),
]

/** The same for text that is not JSON. */
const textClues = [clue(harmony.name, harmony.recognizedBy.output), clue(text.name, text.recognizedBy.frames)]

/** What text is if no clue fits. */
export const otherText = ocm.name

/** What JSON is if no clue fits, and JSON that is broken, so that its mistake is reported. */
export const otherJson = messages.name

type ListedForm = (typeof forms)[number]

/** The name of a form that a conversation can be read from. */
export type SourceForm = Extract<ListedForm, { readonly read: unknown }>['name']

/** The name of a form that a conversation can be written in. */
export type TargetForm = Extract<ListedForm, { readonly write: unknown }>['name']

/** The name of a form whose conversations are read from JSON. */
export type JsonSourceForm = Extract<ListedForm, { readonly read: unknown; readonly holds: 'json' }>['name']

/** The forms that can be read. */
export const sourceForms = namesOf<SourceForm>(({ read }) => read !== undefined)

/** The forms that can be written. */
export const targetForms = namesOf<TargetForm>(({ write }) => write !== undefined)

/** The keys of an object that hold the list of messages, in any form. */
export const listKeys = keysOf(({ lists }) => lists)

/** Other keys that only an object with a conversation has. */
export const ownKeys = keysOf(({ ownKeys: own }) => own)

/** The forms that have a use for an option of writing. */
export function formsWith(option: WriteOption): readonly TargetForm[] {
  return namesOf<TargetForm>(({ options }) => options?.includes(option) === true)
}

const byName = new Map<string, Form & FormDescription>(forms.map((form) => [form.name, form]))

/** The form of that name in the registry. @throws TypeError if there is none */
export function formOf(name: SourceForm | TargetForm): Form & FormDescription
/** The form of that name, first of `others`, then of the registry. @throws TypeError if there is none */
export function formOf(name: string, others: readonly Form[] | undefined): Form
/** Both. */
export function formOf(name: string, others: readonly Form[] = []): Form {
  const form = others.find((it) => it.name === name) ?? byName.get(name)
  if (!form) throw new TypeError(`Unknown form ${name}`)
  return form
}

/** The form of JSON of that name. */
export function jsonFormOf(name: JsonSourceForm): JsonForm {
  return formOf(name) as JsonForm // as its name says
}

/** True if `name` is a form of JSON that can be read. */
export function isJsonSource(name: SourceForm): name is JsonSourceForm {
  return formOf(name).holds === 'json'
}

/** True if conversations can be written in the form of that name. */
export function isTarget(name: SourceForm | TargetForm): name is TargetForm {
  return formOf(name).write !== undefined
}

/** The form of text whose messages are parsed as `dialect`. */
export function textFormOf(dialect: DialectName): SourceForm {
  return namesOf<SourceForm>((it) => it.holds === 'text' && it.dialect === dialect)[0] ?? otherText
}

/** The form of `value`; `others` are tried before the forms of the registry. */
export function formOfJson<Name extends string = never>(
  value: JsonValue,
  others: readonly Named<Name>[] = [],
): SourceForm | Name {
  return locatedForm(value, others)?.form ?? otherJson
}

/** Where in `value` a conversation is, and its form; undefined if no clue fits. `others` are tried before the registry. */
export function locatedForm<Name extends string = never>(
  value: JsonValue,
  others: readonly Named<Name>[] = [],
): Located<SourceForm | Name> | undefined {
  return located<SourceForm | Name>(value, (it) => fittingForm(it, others))
}

/** The form of `value` itself, which is not an envelope; undefined if no clue fits. */
export function fittingForm<Name extends string = never>(
  value: JsonValue,
  others: readonly Named<Name>[] = [],
): SourceForm | Name | undefined {
  const sample = sampleOf(value)
  for (const form of others) {
    const clues = form.holds === 'json' ? Object.values(form.recognizedBy ?? {}) : []
    if (clues.some((fits) => fits(sample))) return form.name
  }
  return jsonClues.find(({ fits }) => fits(sample))?.form
}

/** The form of `text`, which is not JSON and begins at `start` after white space. */
export function formOfText<Name extends string = never>(
  text: string,
  start: number,
  others: readonly Named<Name>[] = [],
): SourceForm | Name {
  for (const form of others) {
    const clues = form.holds === 'text' ? Object.values(form.recognizedBy ?? {}) : []
    if (clues.some((fits) => fits(text, start))) return form.name
  }
  return textClues.find(({ fits }) => fits(text, start))?.form ?? otherText
}

function clue<Name extends SourceForm, Fits>(
  form: Name,
  fits: Fits,
): { readonly form: Name; readonly fits: Fits } {
  return { form, fits }
}

function namesOf<Name>(has: (form: Form) => boolean): readonly Name[] {
  const names: readonly string[] = forms.filter(has).map(({ name }) => name)
  return names as readonly Name[] // what `has` asks for is what the type says
}

function keysOf(keys: (form: JsonForm) => readonly string[] | undefined): readonly string[] {
  return [...new Set(forms.flatMap((form) => (form.holds === 'json' ? (keys(form) ?? []) : [])))]
}
