/** The document that a sample of a dataset is judged as: the list, queries, and columns agree on it. */
import type { Transcript } from '../document/transcript.ts'
import { detectForm } from '../forms/detect-form.ts'
import { formOf, otherText, type SourceForm } from '../forms/form-registry.ts'
import { Document, type DocumentOptions } from '../rules/document.ts'
import type { SampleTraits } from '../rules/rule.ts'
import type { EditableSample } from './edited-sample.ts'

/** The transcript `text` of a sample of `form`, judged as `options` say. */
export function judgedDocument(
  text: string | Transcript,
  form: SourceForm,
  options: DocumentOptions,
): Document {
  return new Document(text, judgedOptions(text, form, options))
}

/** How the transcript `text` of a sample of `form` is judged where others are judged as `options` say. */
export function judgedOptions(
  text: string | Transcript,
  form: SourceForm,
  { dialect = 'auto', ...options }: DocumentOptions,
): DocumentOptions {
  // A form that doesn't say how messages end isn't judged by that (S17), which is all that an intent asks for.
  const hasEndings = formOf(form).hasEndings === true
  const intent = hasEndings || options.intent === 'fixture' ? options.intent : undefined
  // The header that Harmony does not have is not a mistake.
  const isOwnText = dialect === 'auto' && typeof text === 'string'
  const detected = isOwnText ? formOf(detectForm(text)) : undefined
  const own = detected?.holds === 'text' ? detected.dialect : undefined
  return { ...options, intent, sample: sampleTraits(form), dialect: own ?? dialect }
}

/** The form that a sample is judged as: a transcript in a field `text` says all that a transcript does, a framed text does not. */
export function judgedForm({ form, isReadOnly }: Pick<EditableSample, 'form' | 'isReadOnly'>): SourceForm {
  return form === 'text' && isReadOnly !== true ? otherText : form
}

/** What rules on training data know of the samples of `form`. */
export function sampleTraits(form: SourceForm): SampleTraits {
  const { alternates = false, hasEndings = false } = formOf(form)
  return { alternates, hasHeaders: hasEndings }
}
