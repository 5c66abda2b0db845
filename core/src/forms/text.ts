/** Texts in the frames of other models, and texts without any. Read only. */

import { localizable } from '../text/localize.ts'
import type { ReadContext } from './form.ts'
import { defineForm } from './form.ts'
import { beginsWithNamedFrame, framedMessages, readTextOfFrames } from './samples/framed-text.ts'
import { readerFor } from './samples/sample-columns.ts'

// Linear: alternatives of fixed texts.
const isTranscript = /<\|(?:start|message|channel|im_start|end)\|>/

/** The form. */
export const text = defineForm({
  name: 'text',
  title: 'Framed Text',
  summary: localizable`Text in the frames of Llama, Gemma, or other models`,
  documentation:
    'text with the control tokens of Llama, Gemma, Mistral, Phi, Zephyr, GLM, or DeepSeek, or with `Human:` and `Assistant:`; read-only. Text outside of messages is hidden',
  language: 'plaintext',
  holds: 'text',
  recognizedBy: {
    // A transcript may quote such frames.
    frames: (source, start) =>
      (beginsWithNamedFrame(source, start) || !isTranscript.test(source)) &&
      framedMessages(source) !== undefined,
  },
  read(source, context: ReadContext) {
    const { losses } = context
    const reader = readerFor({}, { ...context, isTraced: false })
    readTextOfFrames(source, reader, losses)
    return { header: { version: 2.2 }, messages: reader.messages }
  },
})
