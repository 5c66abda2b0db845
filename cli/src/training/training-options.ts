/** The options that choose what samples are rendered by, of every command that looks at them as a model is trained on them. */
import { type MaskMode, maskModes } from '../../../core/src/internal.ts'
import { UsageError } from '../arguments.ts'
import type { RenderChoice } from './training-work.ts'

/** The options. */
export const templateOptions = {
  template: {
    kind: 'text',
    placeholder: 'FILE',
    summary:
      'Render samples with a chat template: a Jinja file, a tokenizer_config.json, the folder of a model, or `harmony`',
  },
  tokenizer: {
    kind: 'text',
    placeholder: 'FILE',
    summary: 'With --template: the tokenizer.json; by default the one next to the template',
  },
  mask: {
    kind: 'choice',
    values: ['auto', ...maskModes],
    default: 'auto',
    summary:
      'With --template: what counts in the loss; by default what the template marks, otherwise what the assistant writes',
  },
} as const

/** Their values. */
export interface TemplateValues {
  readonly template: string | undefined
  readonly tokenizer: string | undefined
  readonly mask: MaskMode | 'auto'
  readonly 'max-length'?: number | undefined
}

/** What samples are rendered by; undefined if no template is chosen. @throws UsageError, FileProblem */
export async function renderChoiceOf(values: TemplateValues): Promise<RenderChoice | undefined> {
  const { template: path, tokenizer, mask, 'max-length': maxLength } = values
  if (path === undefined) {
    if (tokenizer !== undefined || mask !== 'auto')
      throw new UsageError('`--tokenizer` and `--mask` require `--template`')
    return undefined
  }
  const { readTemplateFile } = await import('./training-files.ts')
  const template = await readTemplateFile(path)
  return {
    template,
    tokenizer: tokenizer ?? (template ? template.tokenizer : 'o200k_harmony'),
    mask: mask === 'auto' ? undefined : mask,
    maxLength,
  }
}
