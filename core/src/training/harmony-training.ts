/** Harmony as a template that is built in: what gpt-oss models are trained on, as the reference renders it. */
import type { Conversation } from '../conversation/conversation.ts'
import { LossList } from '../conversation/loss.ts'
import { specialTokenIds } from '../convert/token-counts.ts'
import type { HarmonyPiece } from '../forms/harmony/harmony-message.ts'
import { toHarmonyPieces } from '../forms/harmony.ts'
import type { MaskMode, MessagePlace } from './loss-mask.ts'
import { trainedRanges } from './loss-mask.ts'
import { addTokens, type ByteEncoding, type PlacedToken } from './tokenizer.ts'
import { type TrainingOptions, type TrainingView, viewOf } from './training-view.ts'

/** The name by which `--template` and settings ask for it. */
export const harmonyTemplateName = 'harmony'

/** The view of `conversation`. Text that spells a special token is text. */
export function harmonyTrainingView(
  conversation: Conversation,
  encoding: ByteEncoding,
  options: Omit<TrainingOptions, 'tokenizer'> = {},
): TrainingView {
  const mask: MaskMode =
    options.mask === undefined || options.mask === 'template' ? 'assistant' : options.mask
  const rendered = toHarmonyPieces(conversation, { purpose: 'training' }, new LossList())
  const tokens: PlacedToken[] = []
  const places: MessagePlace[] = []
  const messages: { role: string }[] = []
  let text = ''
  for (const pieces of rendered) {
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
    messages.push({ role: isAnswer ? 'assistant' : (head?.text ?? '') })
  }
  const trained = trainedRanges({ text, messages, places, spans: [] }, mask)
  return viewOf(text, trained, { places, unstable: [], mask }, options, tokens)
}

function addPiece(tokens: PlacedToken[], piece: HarmonyPiece, start: number, encoding: ByteEncoding): void {
  const special = piece.isSpecial ? specialTokenIds.get(piece.text) : undefined
  if (special === undefined) addTokens(tokens, piece.text, start, encoding)
  else tokens.push({ id: special, start, end: start + piece.text.length, isSpecial: true })
}
