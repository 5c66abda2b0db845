/** A sample to be rendered for training, as data that can be sent to another thread, and what comes back. */
import type { Reading } from '../convert/convert.ts'
import type { JsonObject, JsonValue } from '../embedded/yaml-header.ts'
import { isTemplateProblem, type ParsedTemplate, parsedTemplate } from '../templates/render-template.ts'
import type { TemplateProblem } from '../templates/template-problem.ts'
import { perText } from '../text/memo.ts'
import { type HarmonySample, harmonySample, harmonyTrainingView } from './harmony-training.ts'
import type { MaskMode } from './loss-mask.ts'
import { type TemplateSample, templateSample } from './template-sample.ts'
import type { ByteEncoding, Tokenizer } from './tokenizer.ts'
import { type TrainingView, trainingView } from './training-view.ts'

/** A chat template. */
export interface ChatTemplate {
  readonly source: string
  /** `bos_token` and its like. */
  readonly names: JsonObject
}

/** What a sample is rendered by. */
export interface RenderingRequest {
  /** Undefined for Harmony, which has its own tokenizer. */
  readonly template: ChatTemplate | undefined
  readonly sample: HarmonySample | TemplateSample
  readonly mask: MaskMode | undefined
  readonly maxLength: number | undefined
  /** As of {@link TrainingOptions}. */
  readonly hasPlaces?: boolean | undefined
  readonly isTraced?: boolean | undefined
}

/** The sample `value`, which was read as `reading`, for a template, or without one for Harmony. */
export function sampleToRender(
  value: JsonValue,
  reading: Reading,
  template: ChatTemplate | undefined,
): HarmonySample | TemplateSample {
  return template ? templateSample(value, reading) : harmonySample(reading.conversation)
}

/** Renders a sample. @param tokenizer undefined to count characters */
export function renderForTraining(
  { template, sample, mask, maxLength, hasPlaces, isTraced }: RenderingRequest,
  tokenizer: Tokenizer | undefined,
  encoding: ByteEncoding,
): TrainingView | TemplateProblem {
  if (!template || !('context' in sample))
    return harmonyTrainingView(sample as HarmonySample, encoding, { mask, maxLength, hasPlaces, isTraced })
  const parsed = knownTemplate(template.source)
  if (isTemplateProblem(parsed)) return parsed
  const { names } = template
  return trainingView(parsed, sample, { mask, maxLength, hasPlaces, isTraced, names, tokenizer })
}

/** Samples of a dataset are rendered by one template, one after the other. */
const knownTemplate: (source: string) => ParsedTemplate | TemplateProblem = perText(parsedTemplate, {
  texts: 8,
  length: 16 << 20,
})
