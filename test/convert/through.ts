/** A value of one form, taken through a transcript. */
import { convert, type SourceForm, type TargetForm } from '../../core/src/internal.ts'

/** What comes out in the form `to`, and the kinds of what was lost on both ways. */
export function through(
  value: unknown,
  from: SourceForm & TargetForm,
  to: TargetForm = from,
): { value: unknown; kinds: readonly string[] } {
  const ocm = convert(JSON.stringify(value), { from, to: 'ocm' })
  const back = convert(ocm.text, { from: 'ocm', to })
  return { value: JSON.parse(back.text), kinds: [...ocm.losses, ...back.losses].map(({ kind }) => kind) }
}
