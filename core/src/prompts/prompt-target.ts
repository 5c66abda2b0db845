/**
 * What a filled prompt can be shown and printed as: one table for the view in VS Code and `ocm render --as`. The forms are those
 * of conversions; to them come the prompt for the next message, and any chat template.
 */
import { ConversionError, type Loss } from '../conversation/loss.ts'
import { convert, readConversation } from '../convert/convert.ts'
import type { JsonObject } from '../embedded/yaml-header.ts'
import { type TargetForm, targetForms } from '../forms/form-registry.ts'
import { isTemplateProblem, type ParsedTemplate, renderTemplate } from '../templates/render-template.ts'
import { localizable, localize } from '../text/localize.ts'
import { templateSample } from '../training/template-sample.ts'
import type { DialectName } from '../vocabulary/framing.ts'
import type { FilledPrompt, FilledSpan } from './fill-prompt.ts'
import { tracedRanges } from './traced-ranges.ts'

/** What a filled prompt is shown as. */
export type PromptTarget = TargetForm | 'next-prompt' | 'chat-template'

/** All targets, in the order of menus. */
export const promptTargets: readonly PromptTarget[] = [
  'ocm',
  'next-prompt',
  'chat-template',
  ...targetForms.filter((it) => it !== 'ocm'),
]

/** What the targets are that are not forms. */
export const targetDescriptions: Readonly<Partial<Record<PromptTarget, string>>> = {
  'next-prompt': localizable`Harmony, up to where the model continues`,
  'chat-template': localizable`Text, as a chat template writes it`,
}

/** A chat template, with the names that it takes from its tokenizer, such as `bos_token`. */
export interface PromptTemplate {
  readonly template: ParsedTemplate
  readonly names: JsonObject
}

/** How a prompt is written for a target. */
export interface TargetOptions {
  /** Of the filled prompt. */
  readonly dialect?: DialectName | 'auto' | undefined
  /** For `chat-template`. */
  readonly template?: PromptTemplate | undefined
}

/** A filled prompt as a target gets it. */
export interface TargetText {
  readonly text: string
  /** What the target cannot express. */
  readonly losses: readonly Loss[]
}

/** `text`, a filled prompt, as `target` gets it. @throws ConversionError if it has no such form */
export function targetText(text: string, target: PromptTarget, options: TargetOptions = {}): TargetText {
  const { dialect = 'auto' } = options
  if (target === 'ocm') return { text, losses: [] }
  if (target === 'chat-template') return templateText(text, options)
  if (target === 'next-prompt')
    return convert(text, { from: 'ocm', dialect, to: 'harmony', purpose: 'completion' })
  return convert(text, { from: 'ocm', dialect, to: target })
}

/** Where the pieces of `filled` that inputs and parts wrote are in `written`, which is its text for `target`. */
export function targetSpans(
  { text, spans }: Pick<FilledPrompt, 'text' | 'spans'>,
  written: string,
  target: PromptTarget,
  options: TargetOptions = {},
): readonly FilledSpan[] {
  if (target === 'ocm') return spans
  const ranges = spans.map(({ range }) => range)
  const traced = tracedRanges({ text, written }, ranges, (it) => targetText(it, target, options).text)
  return traced.flatMap(({ index, range }) => {
    const span = spans[index]
    return span ? [{ ...span, range }] : []
  })
}

function templateText(text: string, { dialect = 'auto', template }: TargetOptions): TargetText {
  if (!template) throw new ConversionError(localize`No chat template is chosen`)
  const reading = readConversation(text, { from: 'ocm', dialect })
  const { messages, context } = templateSample({}, reading)
  const rendering = renderTemplate(template.template, {
    ...template.names,
    ...context,
    messages,
    add_generation_prompt: messages.at(-1)?.role !== 'assistant',
  })
  if (isTemplateProblem(rendering)) {
    const { line, column, message } = rendering
    throw new ConversionError(
      localize`The chat template refuses the prompt, at line ${line}, column ${column}: ${message}`,
    )
  }
  return { text: rendering.text, losses: reading.losses }
}
