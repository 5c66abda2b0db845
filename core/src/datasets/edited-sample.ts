/**
 * What a sample becomes when its transcript was edited: the same JSON, byte for byte, but for the words that the edit changed
 * (F16, F17). The edit is merged into the text of the sample, message by message; nothing is read and written again.
 */

import { withCallIds } from '../conversation/call-ids.ts'
import {
  type ConversationMessage,
  isCallMessage,
  type JsonPlace,
  textOf,
} from '../conversation/conversation.ts'
import { isEmpty, isObject, objectAtPlace } from '../conversation/json-input.ts'
import { listNode } from '../conversation/json-places.ts'
import { ConversionError, type Loss, LossList } from '../conversation/loss.ts'
import {
  type Reading,
  readConversation,
  readJsonConversation,
  writeConversation,
} from '../convert/convert.ts'
import type { JsonNode } from '../embedded/json-tree.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { reasoningFieldKey, reasoningFields } from '../forms/chat/chat-tools.ts'
import {
  isTarget,
  type JsonSourceForm,
  jsonFormOf,
  locatedForm,
  type TargetForm,
} from '../forms/form-registry.ts'
import { sampleText, textsOf } from '../forms/held-text.ts'
import { localize } from '../text/localize.ts'
import type { DatasetMapping } from '../vocabulary/dataset-mapping.ts'
import { roleOf } from '../vocabulary/roles.ts'
import { ItemWriter } from './item-writer.ts'
import { JsonEdits } from './json-edits.ts'
import { changesIn } from './json-words.ts'
import { JsonMerge, type ListItem, memberOf, mergedJson, treeOf } from './merge-json.ts'
import { grouped, matched, movesIn, wholeKey } from './message-runs.ts'
import { shownText } from './text-change.ts'
import { joinedFields, staleFields, tracedEdit, type WriteItems } from './traced-edit.ts'

/** A sample that can be edited. */
export interface EditableSample {
  /** The JSON of the file, verbatim. */
  readonly json: string
  readonly value: JsonValue
  /** The form of the conversation; `text` for one that is text in the field of that name. */
  readonly form: JsonSourceForm | 'text'
  /** That text, or the transcript that the conversation becomes when its source keeps the rest. */
  readonly text: string
  /** True for messages in texts in the frames of another model, which the transcript is not (F19). */
  readonly isReadOnly?: boolean
  /** How a user says that its columns are called. */
  readonly mapping?: DatasetMapping | undefined
  /** The branch that the transcript shows, of a sample with several. */
  readonly branch?: string | undefined
}

/** JSON to be written, and what it does not say although the transcript does. */
export interface EditedSample {
  readonly json: string
  readonly losses: readonly Loss[]
}

/**
 * The JSON of `sample` whose transcript is `edited` now, which may have other line breaks, and U+FFFD for half characters, as
 * editors have. @throws ConversionError if it cannot be written without changing something else
 */
export function editedSample(sample: EditableSample, edited: string): EditedSample {
  const [before, after] = [shownText(sample.text), shownText(edited)]
  if (before === after) return { json: sample.json, losses: [] }
  if (sample.isReadOnly)
    throw new ConversionError(
      localize`Conversations in one text, such as \`Human: … Assistant: …\`, are read-only. Edit the dataset itself`,
    )
  try {
    return sample.form === 'text'
      ? withText(sample, before, after)
      : new Edit(sample, sample.form, before, after).result()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new ConversionError(localize`The sample is nested too deeply`)
  }
}

function withText({ json, value }: EditableSample, before: string, after: string): EditedSample {
  const source = sampleText(value)
  const edits = new JsonEdits(json, value)
  const changes = source && changesIn(textsOf(source), { before, after })
  const isWritten =
    changes !== undefined &&
    [...changes].every(([index, own]) => edits.change(source?.pieces[index] as JsonPlace, own)) // which is one of them
  if (!isWritten) throw cannotSave()
  const next = edits.result()
  return { json: next, losses: surrogateLosses(source?.text ?? '', sampleText(JSON.parse(next))?.text ?? '') }
}

// Linear: each code unit is looked at with one next to it.
const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

function surrogateLosses(before: string, after: string): readonly Loss[] {
  const count = (text: string) => text.match(loneSurrogate)?.length ?? 0
  return count(after) < count(before)
    ? [{ kind: 'lone-surrogate', message: localize`Lone surrogates in the edited text became U+FFFD` }]
    : []
}

function cannotSave(): ConversionError {
  return new ConversionError(
    localize`This edit can't be saved without changing other parts of the sample. Edit the dataset itself`,
  )
}

/** The role of a message for users. Editors log why they don't save, so no word of the text is quoted. */
function roleName(message: ConversationMessage | undefined): string {
  return roleOf(message?.role ?? '') ?? localize`unknown role`
}

/** Where the messages are in the sample. */
interface Placed {
  readonly root: JsonNode
  readonly list: JsonNode
  /** For each old message the index of the one it became, or -1. */
  readonly matches: readonly number[]
  /** For each old message the index of its item. */
  readonly items: readonly (number | undefined)[]
  /** True to write ids that the sample leaves out: without them, replies would answer other calls after the edit. */
  readonly namesIds: boolean
}

type Form = JsonSourceForm & TargetForm

/** One edit of a sample with messages. */
class Edit {
  readonly #sample: EditableSample
  readonly #source: JsonSourceForm
  readonly #texts: readonly [before: string, after: string]
  readonly #old: Reading
  readonly #now: Reading
  /** The messages before and after, with ids on all calls. */
  readonly #messages: {
    readonly old: readonly ConversationMessage[]
    readonly now: readonly ConversationMessage[]
  }

  constructor(sample: EditableSample, form: JsonSourceForm, before: string, after: string) {
    if (jsonFormOf(form).isReadOnly)
      throw new ConversionError(localize`Samples of the form \`${form}\` are read-only`)
    this.#sample = sample
    this.#source = form
    this.#texts = [before, after]
    this.#old = readConversation(before, { from: 'ocm' })
    this.#now = readConversation(after, { from: 'ocm' })
    const stray = this.#now.losses.find(({ kind }) => kind === 'stray-text')
    if (stray)
      throw new ConversionError(
        localize`Text outside messages would become reasoning in the sample. Move it into a message, or delete it`,
        stray.range?.start,
      )
    this.#messages = {
      old: withCallIds(this.#old.conversation.messages, new LossList()),
      now: withCallIds(this.#now.conversation.messages, new LossList()),
    }
  }

  result(): EditedSample {
    const edited = this.#traced() ?? this.#enveloped()
    if (edited) return edited
    const { json } = this.#sample
    const written = writeConversation(this.#now, { to: this.#form, isCompact: true })
    const gone = this.#losses(written.losses).find(({ isMessage }) => isMessage)
    if (gone) throw this.#wouldRemove(gone)
    for (const namesIds of [false, true]) {
      const merged = this.#withRoot(this.#withMessages(json, namesIds))
      if (this.#means(merged, written.text))
        return { json: merged, losses: [...this.#losses(written.losses), ...this.#lostByMoves(merged)] }
    }
    throw this.#cannotSave()
  }

  #wouldRemove({ range }: Loss): ConversionError {
    const { now } = this.#messages
    const index = now.findIndex((it) => it.range?.start === range?.start)
    if (index === -1) return this.#cannotSave()
    return new ConversionError(
      localize`Saving would remove message ${index + 1} (${roleName(now[index])}), because the sample can't represent its role or channel. Correct its header, or delete the message`,
      range?.start,
    )
  }

  /** Names the first message that is new or different. */
  #cannotSave(): ConversionError {
    const { old, now } = this.#messages
    const kept = new Set(
      matched(old, now).filter((match, index) => {
        const [before, after] = [old[index], now[match]]
        return before && after && wholeKey(before) === wholeKey(after)
      }),
    )
    const index = now.findIndex((_, at) => !kept.has(at))
    if (index === -1) return cannotSave()
    return new ConversionError(
      localize`The edit of message ${index + 1} (${roleName(now[index])}) can't be saved without changing other parts of the sample. Edit the dataset itself`,
      now[index]?.range?.start,
    )
  }

  /** The form, for what only forms that are written can do. */
  get #form(): Form {
    if (!isTarget(this.#source) || jsonFormOf(this.#source).editsTurns) throw this.#cannotSave()
    return this.#source
  }

  /** The edit in the places that its messages came from; undefined if it is more than that. */
  #traced(): EditedSample | undefined {
    const { json, value, branch, mapping } = this.#sample
    if (headerKeyOf(this.#old) !== headerKeyOf(this.#now)) return undefined
    const options = {
      from: this.#source,
      text: json,
      rest: 'source',
      branch,
      mapping,
      isTraced: true,
    } as const
    const { conversation: source } = readJsonConversation(value, options)
    const { old, now } = this.#messages
    const matches = matched(old, now)
    const form = this.#source
    const all = now
    const writeItems: WriteItems | undefined = isTarget(form)
      ? (messages, nodes, index) => {
          const writer = new ItemWriter({
            form: itemForm(form, nodes),
            all,
            nodes,
            header: writingHeader(nodes),
          })
          return writer.items(messages).map((it) => writer.likeNeighbours(it, index))
        }
      : undefined
    const edit = { json, value, source, old, now, matches }
    const edited = tracedEdit(edit, writeItems)
    if (edited === undefined || !this.#means(edited, undefined)) return undefined
    const stale = staleFields(edit).map((key): Loss => {
      return { kind: 'stale', message: localize`\`${key}\` stays as it is, although its text changed` }
    })
    const joined = joinedFields(edit).map((key): Loss => {
      const message = localize`The text of \`${key}\` is now in the field before it, because the line break between them was removed`
      return { kind: 'content-part', message }
    })
    return { json: edited, losses: [...this.#losses([]), ...stale, ...joined, ...this.#lostByMoves(edited)] }
  }

  /** What messages lost that the edit moved: in their new place, they are new messages (F16). */
  #lostByMoves(edited: string): readonly Loss[] {
    const { old, now } = this.#messages
    const moves = movesIn(old, now)
    if (moves.length === 0) return []
    const [before, after] = [this.#items(this.#sample.value), this.#items(JSON.parse(edited) as JsonValue)]
    if (before.length !== old.length || after.length !== now.length) return []
    const lost = new Map<string, string>()
    for (const { from, to } of moves) {
      const [item, moved] = [before[from], after[to]]
      for (const [key, value] of Object.entries(item && moved && item !== moved ? item : {})) {
        const own = moved?.[key]
        if (isEmpty(value)) continue
        if (own === undefined) lost.set(key, localize`Moving a message removed its \`${key}\``)
        else if (Array.isArray(value) && (!Array.isArray(own) || own.length < value.length))
          if (value.length > 1) lost.set(key, localize`Moving a message removed parts of its \`${key}\``)
      }
    }
    return [...lost.values()].map((message) => ({ kind: 'field', message }))
  }

  /** The items of the messages of `value`, as far as they are in items. */
  #items(value: JsonValue): readonly (JsonObject | undefined)[] {
    const { branch, mapping } = this.#sample
    const options = { from: this.#source, rest: 'source', branch, mapping, isTraced: true } as const
    const { messages } = readJsonConversation(value, options).conversation
    return messages.map(({ origin }) => origin?.item && objectAtPlace(origin.item))
  }

  /**
   * The edit in what the sample is an envelope of, which is a sample by itself unless an answer next to it continues it (F7);
   * undefined if it does, and for what is not an envelope.
   */
  #enveloped(): EditedSample | undefined {
    const { json, value, mapping } = this.#sample
    const found = mapping ? undefined : locatedForm(value)
    if (!found || found.form !== this.#source || found.frames.length === 0 || found.answer) return undefined
    const edits = new JsonEdits(json, value, found.embedded)
    const own = edits.source(found.value)
    if (own === undefined) return undefined
    const sample = { ...this.#sample, json: own, value: found.value }
    const edited = new Edit(sample, this.#source, ...this.#texts).result()
    edits.rewrite(found.value, edited.json)
    return { json: edits.result(), losses: edited.losses }
  }

  /** What the form cannot say of the edit; what it could not say before is not news. */
  #losses(losses: readonly Loss[]): readonly Loss[] {
    const written = losses.length === 0 ? [] : writeConversation(this.#old, { to: this.#form }).losses
    const known = new Set([...this.#old.losses, ...written].map(keyOfLoss))
    return [...this.#now.losses, ...losses].filter((it) => !known.has(keyOfLoss(it)))
  }

  /** The places of the messages of the sample, which are as many as those of its transcript. */
  #placed(): readonly ConversationMessage[] {
    const { json, value, branch, mapping } = this.#sample
    const { conversation } = readJsonConversation(value, {
      from: this.#form,
      text: json,
      hasPlaces: true,
      rest: 'source',
      branch,
      mapping,
    })
    if (conversation.messages.length !== this.#messages.old.length) throw this.#cannotSave()
    return conversation.messages
  }

  #withMessages(json: string, namesIds: boolean): string {
    const { old, now } = this.#messages
    const root = treeOf(json)
    const list = listNode(root)
    const matches = matched(old, now)
    const source = this.#placed()
    const nodes = list?.children ?? []
    const itemAt = new Map(nodes.map(({ offset }, index) => [offset, index]))
    const items = source.map(({ range }) => (list && range ? itemAt.get(range.start) : undefined))
    if (!list) return this.#withSoleItem(json, root, matches)
    const merged = this.#withList(json, { root, list, matches, items, namesIds })
    return this.#withShown(merged, root, matches, items)
  }

  #withList(json: string, { root, list, matches, items, namesIds }: Placed): string {
    const { old, now } = this.#messages
    const nodes = list.children ?? []
    const writer = new ItemWriter({ form: this.#form, all: now, nodes, header: writingHeader(nodes) })
    const runs = new Map<number, ConversationMessage[]>()
    for (const [index, item] of items.entries()) {
      const message = old[index]
      if (item !== undefined && message) runs.set(item, [...(runs.get(item) ?? []), message])
    }
    const oldRun = (item: number) => runs.get(item) ?? []
    const groups = grouped(
      now,
      matches,
      items,
      (messages, item) => writer.isOne(messages) && writer.isOne(oldRun(item)),
    )
    const merge = new JsonMerge(json, root)
    const written: ListItem[] = []
    // Items that become no message stay where they are among the others.
    let nPassed = 0
    const keepSilent = (end: number) => {
      for (; nPassed < end; nPassed++) {
        const node = nodes[nPassed]
        if (node && !runs.has(nPassed)) written.push({ text: merge.source(node), index: nPassed })
      }
    }
    for (const { item, messages } of groups) {
      if (item !== undefined) keepSilent(item)
      const node = item === undefined ? undefined : nodes[item]
      const before = item === undefined ? [] : oldRun(item)
      if (node && isSameRun(before, messages) && !(namesIds && messages.some(hasId))) {
        written.push({ text: merge.source(node), index: item })
        continue
      }
      const next = writer.items(messages)
      const base = node ? writer.items(before) : []
      next.forEach((it, nth) => {
        // What the item leaves out because of a message that is gone must be said now.
        const own = before.length === messages.length ? base[0] : node && base[0] && presentIn(node, base[0])
        if (node && nth === 0 && (own === undefined || own.type === it.type)) {
          const text = merge.text(node, namesIds ? withoutIds(own ?? {}, node) : (own ?? {}), it)
          written.push({ text, index: item })
        } else
          written.push({
            text: merge.written(writer.likeNeighbours(it, item ?? written.length)),
            index: undefined,
          })
      })
    }
    keepSilent(nodes.length)
    const isKept =
      written.length === nodes.length &&
      written.every(({ text, index }, at) => {
        const node = nodes[at]
        return index === at && node && text === merge.source(node)
      })
    if (isKept) return json
    return json.slice(0, list.offset) + merge.joined(list, written) + json.slice(list.offset + list.length)
  }

  /** Messages that only show other fields of the sample, which are edited there or not at all. */
  #withShown(
    json: string,
    root: JsonNode,
    matches: readonly number[],
    items: readonly (number | undefined)[],
  ): string {
    const { old, now } = this.#messages
    let result = json
    for (const [index, message] of old.entries()) {
      if (items[index] !== undefined) continue
      const match = now[matches[index] ?? -1]
      if (match && wholeKey(match) === wholeKey(message)) continue
      const key = jsonFormOf(this.#form).messageKeys?.find(
        (it) => memberOf(root, it) && shownText(String(memberOf(root, it)?.value)) === textOf(message),
      )
      if (key === undefined)
        throw new ConversionError(
          localize`The message that shows the tools comes from the field \`tools\`. Edit the tools in the dataset itself`,
        )
      result = mergedJson(
        result,
        { [key]: textOf(message) },
        match && match.role === message.role ? { [key]: textOf(match) } : {},
      )
    }
    return result
  }

  /** A sample whose input is a text, or that is one message. */
  #withSoleItem(json: string, root: JsonNode, matches: readonly number[]): string {
    const { old, now } = this.#messages
    const input = memberOf(root, 'input')
    const writer = new ItemWriter({
      form: this.#form,
      all: now,
      nodes: [root],
      header: writingHeader([root]),
    })
    if (input?.type === 'string') {
      const at = old.findIndex((it) => it.role === 'user' && textOf(it) === shownText(String(input.value)))
      if (at === -1) throw this.#cannotSave()
      const merged = this.#withShown(
        json,
        root,
        matches,
        old.map((_, index) => (index === at ? 0 : undefined)),
      )
      const isShown = new Set(matches.filter((_, index) => index !== at))
      const own = now.filter((_, index) => !isShown.has(index))
      const [only] = own
      const before = textOf(old[at] as ConversationMessage) // `at` is an index of it
      const isText = own.length === 1 && only?.role === 'user'
      const next: JsonValue = isText ? textOf(only) : writer.items(own)
      return mergedJson(merged, { input: before }, { input: next })
    }
    const [base, next] = [writer.items(old), writer.items(now)]
    if (base.length !== 1 || next.length !== 1) throw this.#cannotSave()
    return mergedJson(json, base[0] ?? {}, next[0] ?? {})
  }

  /** The other fields that the form writes of the header of the transcript. */
  #withRoot(json: string): string {
    const fields = ({ conversation }: Reading): JsonValue => {
      const { header, headerText } = conversation
      const own = { messages: [], ...(header && { header }), ...(headerText !== undefined && { headerText }) }
      const { text } = writeConversation({ conversation: own, losses: [], from: 'ocm' }, { to: this.#form })
      const { messages: _, input: __, ...rest } = JSON.parse(text) as JsonObject
      return rest as JsonValue
    }
    const [base, next] = [fields(this.#old), fields(this.#now)]
    if (JSON.stringify(base) === JSON.stringify(next)) return json
    if (Array.isArray(this.#sample.value)) return json // which has no place for them: reported as lost
    return mergedJson(json, base, next)
  }

  /** True if `merged` reads as what was meant: as the messages, or as what the form can say of them. */
  #means(merged: string, written: string | undefined): boolean {
    const { branch, mapping } = this.#sample
    const from = this.#source
    const read = (text: string) => {
      const options = { from, rest: 'source', branch, mapping } as const
      const { conversation } = readJsonConversation(JSON.parse(text), options)
      return meaningOf(withCallIds(conversation.messages, new LossList()))
    }
    const [actual, meant] = [read(merged), meaningOf(this.#messages.now)]
    if (actual.length === meant.length && actual.every((it, index) => it === meant[index])) return true
    if (written === undefined) return false
    const expected = read(written)
    if (actual.length !== expected.length) return false
    const isWhole = actual.length === meant.length
    return actual.every((it, index) => it === expected[index] || (isWhole && it === meant[index]))
  }
}

/** The form that the items of a list are written in. */
function itemForm(
  form: JsonSourceForm & TargetForm,
  nodes: readonly JsonNode[],
): JsonSourceForm & TargetForm {
  if (!jsonFormOf(form).editsTurns) return form
  return nodes.some((it) => memberOf(it, 'from')) ? 'sharegpt' : 'messages'
}

/** What the header of a transcript says. */
function headerKeyOf({ conversation: { header, headerText } }: Reading): string {
  return JSON.stringify([header, headerText])
}

function keyOfLoss({ kind, message }: Loss): string {
  return `${kind} ${message}`
}

function isSameRun(one: readonly ConversationMessage[], other: readonly ConversationMessage[]): boolean {
  return (
    one.length === other.length && one.every((it, index) => wholeKey(it) === wholeKey(other[index] ?? it))
  )
}

/** Each message as it is shown. Arguments may be written in more than one way, and ids only say what answers what. */
function meaningOf(messages: readonly ConversationMessage[]): readonly string[] {
  const nthCall = new Map<string, number>()
  return messages.map((message) => {
    const text = shownText(textOf(message))
    const isCall = isCallMessage(message)
    const { content: _, range: __, origin: ___, callId, ...header } = message
    if (isCall && callId !== undefined) nthCall.set(callId, nthCall.size)
    const call = callId === undefined ? undefined : nthCall.get(callId)
    return shownText(JSON.stringify([Object.entries(header).sort(), call, isCall ? compact(text) : text]))
  })
}

function hasId({ callId }: ConversationMessage): boolean {
  return callId !== undefined
}

/** The fields of `item` that `node` has, too. */
function presentIn(node: JsonNode, item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([key]) => memberOf(node, key))) as JsonObject
}

const idKeys = ['id', 'call_id', 'tool_call_id']

/** `item` without the ids that `node` does not have: those of calls may be deeper in it. */
function withoutIds(item: JsonObject, node: JsonNode): JsonObject {
  const result: Record<string, JsonValue> = {}
  for (const [key, value] of Object.entries(item) as [string, JsonValue][]) {
    const member = memberOf(node, key)
    if (!member && idKeys.includes(key)) continue
    if (Array.isArray(value)) result[key] = value.map((it, nth) => withoutIdsIn(it, member?.children?.[nth]))
    else result[key] = withoutIdsIn(value, member)
  }
  return result
}

function withoutIdsIn(value: JsonValue, node: JsonNode | undefined): JsonValue {
  return node?.type === 'object' && isObject(value) ? withoutIds(value, node) : value
}

function compact(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}

/** New messages name their reasoning as the sample does. */
function writingHeader(nodes: readonly JsonNode[]): JsonObject {
  const name = nodes
    .map((node) => reasoningFields.find((it) => memberOf(node, it)?.type === 'string'))
    .find((it) => it !== undefined)
  return name ? { version: 2.2, [reasoningFieldKey]: name } : { version: 2.2 }
}
