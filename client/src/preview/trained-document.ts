/** The sample that a document is, to be rendered for training, and where in the document each of its messages is. */
import {
  type ChatTemplate,
  type DialectName,
  type EditableSample,
  editedSample,
  type JsonValue,
  messageFlagTexts,
  type Reading,
  type RenderingRequest,
  readConversation,
  readJsonConversation,
  sampleToRender,
} from '../../../core/src/internal.ts'

/** A sample of a dataset, as it was read or saved last. */
export type TrainedSample = EditableSample

/** How a document is read. */
export interface TrainedOptions {
  readonly dialect: DialectName | 'auto'
  /** The sample that the document edits; undefined for a transcript. */
  readonly sample: TrainedSample | undefined
  /** Undefined for Harmony. */
  readonly template: ChatTemplate | undefined
}

/** A message that is rendered. */
export interface TrainedMessage {
  readonly role: string
  readonly flags: readonly string[]
  /** Where the messages of the document begin that it was written from, in UTF-16 code units. */
  readonly offsets: readonly number[]
}

/** A document to render. */
export interface TrainedDocument {
  readonly sample: RenderingRequest['sample']
  /** As many as the rendering has places. */
  readonly messages: readonly TrainedMessage[]
}

/** The sample that a document with this text is now. @throws ConversionError */
export function trainedDocument(
  text: string,
  { dialect, sample, template }: TrainedOptions,
): TrainedDocument {
  const transcript = readConversation(text, { dialect })
  const offsets = transcript.conversation.messages.map(({ range }) => range?.start ?? 0)
  const { value, reading } = sample ? sampleNow(sample, text, transcript) : { value: {}, reading: transcript }
  const rendered = sampleToRender(value, reading, template)
  const isSame = reading.conversation.messages.length === offsets.length
  const offsetsOf = (index: number | undefined) => {
    const offset = index === undefined || !isSame ? undefined : offsets[index]
    return offset === undefined ? [] : [offset]
  }
  if (!('context' in rendered))
    return {
      sample: rendered,
      messages: rendered.messages.map(({ source, flags = {} }) => ({
        role: reading.conversation.messages[source ?? -1]?.role ?? '',
        flags: messageFlagTexts(flags),
        offsets: offsetsOf(source),
      })),
    }
  const messages = rendered.messages.map((message, index) => ({
    role: typeof message.role === 'string' ? message.role : '',
    flags: messageFlagTexts(message),
    offsets: rendered.sources.flatMap((it, own) => (it === index ? offsetsOf(own) : [])),
  }))
  return { sample: rendered, messages }
}

/** The sample with what was typed. */
function sampleNow(
  sample: TrainedSample,
  text: string,
  transcript: Reading,
): { readonly value: JsonValue; readonly reading: Reading } {
  const { json } = editedSample(sample, text)
  const value: JsonValue = JSON.parse(json)
  const { form, branch, mapping } = sample
  if (form === 'text') return { value, reading: transcript }
  const options = {
    from: form,
    text: json,
    hasPlaces: true,
    isTraced: true,
    rest: 'source',
    branch,
    mapping,
  } as const
  return { value, reading: readJsonConversation(value, options) }
}
