/** What samples say themselves of the loss (S14): these flags count more than any mode. */
import { isObject } from '../conversation/json-input.ts'
import type { JsonObject } from '../embedded/yaml-header.ts'

/** A part of a message's text. UTF-16 code units of its content. */
export interface TrainedPart {
  readonly start: number
  readonly end: number
  readonly isTrained: boolean
}

/** What a message says. */
export interface TrainingFlags {
  /** Undefined if it says nothing of the whole message. */
  readonly isTrained: boolean | undefined
  /** The parts that `train_detail` names. */
  readonly parts: readonly TrainedPart[]
}

/**
 * What {@link trainingFlags} reads of `item`, an element of a sample, with the text that `train_detail` is about as `content`;
 * undefined if it has no flag.
 */
export function flagsIn(item: JsonObject): JsonObject | undefined {
  if (!hasTrainingFlags(item)) return undefined
  const { weight, train, loss_mask, train_detail, content, value, assistant, output } = item
  const text = train_detail === undefined ? undefined : (content ?? value ?? assistant ?? output)
  const said = {
    weight,
    train,
    loss_mask,
    train_detail,
    content: typeof text === 'string' ? text : undefined,
  }
  const flags = Object.entries(said).filter(([, it]) => it !== undefined)
  return Object.fromEntries(flags) as JsonObject // none is undefined
}

/** True if `message` may have a flag. */
export function hasTrainingFlags({
  weight,
  train,
  loss_mask: mask,
  train_detail: detail,
}: JsonObject): boolean {
  return weight !== undefined || train !== undefined || mask !== undefined || detail !== undefined
}

/** The flags of `message`: `weight`, `train`, `loss_mask`, `train_detail`. */
export function trainingFlags(message: JsonObject): TrainingFlags {
  const parts = detailParts(message.train_detail)
  for (const value of [message.weight, message.train, message.loss_mask]) {
    if (typeof value === 'boolean') return { isTrained: value, parts }
    if (typeof value === 'number') return { isTrained: value > 0, parts }
  }
  return { isTrained: undefined, parts }
}

/** As Axolotl reads it: `begin_offset` and `end_offset`, both inclusive, and `train`. */
function detailParts(value: unknown): readonly TrainedPart[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((it) => {
    if (!isObject(it)) return []
    const { begin_offset: start, end_offset: last, train } = it as JsonObject
    if (typeof start !== 'number' || typeof last !== 'number' || typeof train !== 'boolean') return []
    return start < 0 || last < start ? [] : [{ start, end: last + 1, isTrained: train }]
  })
}
