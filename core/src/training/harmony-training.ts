/** Harmony as a template that is built in: what gpt-oss models are trained on, as the reference renders it. */
import type { Conversation } from '../conversation/conversation.ts'
import { flaggedObject } from '../conversation/json-input.ts'
import { specialTokenIds } from '../convert/token-counts.ts'
import type { JsonObject } from '../embedded/yaml-header.ts'
import type { HarmonyPiece } from '../forms/harmony/harmony-message.ts'
import { piecesForTraining } from '../forms/harmony.ts'
import type { MaskMode, MessagePlace } from './loss-mask.ts'
import { trainedRanges } from './loss-mask.ts'
import { TokenColumns } from './token-columns.ts'
import { addTokens, type ByteEncoding } from './tokenizer.ts'
import { flagsIn } from './training-flags.ts'
import { type TrainingOptions, type TrainingView, viewOf } from './training-view.ts'

/** The name by which `--template` and settings ask for it. */
export const harmonyTemplateName = 'harmony'

/** A conversation as Harmony writes it, in the order of its messages. */
export interface HarmonySample {
  readonly messages: readonly HarmonySampleMessage[]
  /** How many of them are the prompt, as in {@link Conversation.promptLength}. */
  readonly promptLength?: number | undefined
}

/** A message of it. */
export interface HarmonySampleMessage {
  readonly pieces: readonly HarmonyPiece[]
  /** The index of the message of the conversation that it says. */
  readonly source: number | undefined
  /** What the sample says of training it; undefined if it says nothing, or was not read with `isTraced`. */
  readonly flags: JsonObject | undefined
}

/** `conversation` for {@link harmonyTrainingView}. */
export function harmonySample({ messages, ...rest }: Conversation): HarmonySample {
  const indexes = new Map(messages.map((it, index) => [it, index]))
  const written = piecesForTraining({ ...rest, messages }).map(({ pieces, source }) => ({
    pieces,
    source: source && indexes.get(source),
    flags: source?.origin && flagsIn(flaggedObject(source.origin) ?? {}),
  }))
  const { promptLength = Number.POSITIVE_INFINITY } = rest
  const first = written.findIndex(({ source = -1 }) => source >= promptLength)
  return { messages: written, promptLength: first === -1 ? undefined : first }
}

/** The view of `sample`. Text that spells a special token is text. */
export function harmonyTrainingView(
  sample: HarmonySample,
  encoding: ByteEncoding,
  options: Omit<TrainingOptions, 'tokenizer'> = {},
): TrainingView {
  const mask: MaskMode =
    options.mask === undefined || options.mask === 'template' ? 'assistant' : options.mask
  const tokens = new TokenColumns()
  const places: MessagePlace[] = []
  const messages: JsonObject[] = []
  let text = ''
  for (const { pieces, flags } of sample.messages) {
    const start = text.length
    let generated = start
    const [, head] = pieces
    const isAnswer = head !== undefined && /^assistant\b/.test(head.text)
    for (const [index, piece] of pieces.entries()) {
      addPiece(tokens, piece, text.length, encoding)
      text += piece.text
      if (index <= 1) generated = text.length // a prompt ends with `<|start|>assistant`
    }
    places.push({ start, end: text.length, generated })
    messages.push({ ...flags, role: isAnswer ? 'assistant' : (head?.text ?? '') })
  }
  const { promptLength } = sample
  const trained = trainedRanges({ text, messages, promptLength, places, spans: [] }, mask)
  return viewOf(text, trained, { places, unstable: [], mask }, options, tokens)
}

function addPiece(tokens: TokenColumns, piece: HarmonyPiece, start: number, encoding: ByteEncoding): void {
  const special = piece.isSpecial ? specialTokenIds.get(piece.text) : undefined
  if (special === undefined) addTokens(tokens, piece.text, start, encoding)
  else tokens.push(special, start, start + piece.text.length, true)
}
