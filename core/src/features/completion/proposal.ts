/** A proposal, and lists of them in a fixed order. */
import type { Range } from '../../text/range.ts'

/** What a proposal is; editors choose an icon by it. */
export type CompletionKind =
  | 'token'
  | 'role'
  | 'channel'
  | 'attribute'
  | 'value'
  | 'tool'
  | 'id'
  | 'message'
  | 'key'

/** Something that can be written at a place. */
export interface Completion {
  readonly label: string
  readonly kind: CompletionKind
  /** One line. */
  readonly detail: string
  /** Markdown; empty if the detail says it all. */
  readonly documentation: string
  /** What is replaced, on one line; contains the place. */
  readonly range: Range
  /** What is written, as plain text. */
  readonly text: string
  /** The same with tab stops, where it has any. */
  readonly snippet?: string
  /** What the typed text is compared with. */
  readonly filterText: string
  /** Keeps the order of the list. */
  readonly sortText: string
  /** True if more can be proposed right after it. */
  readonly asksAgain?: boolean
}

/** A proposal before it knows its place in the list. */
export type Proposal = Omit<Completion, 'sortText' | 'filterText'> & { readonly filterText?: string }

/** `proposals` in this order, without those whose text an earlier one has at the same place. */
export function inOrder(proposals: readonly Proposal[]): readonly Completion[] {
  const seen = new Set<string>()
  const completions: Completion[] = []
  for (const proposal of proposals) {
    const key = `${proposal.range.start} ${proposal.label}`
    if (seen.has(key)) continue
    seen.add(key)
    const sortText = String(completions.length).padStart(4, '0')
    completions.push({ ...proposal, filterText: proposal.filterText ?? proposal.label, sortText })
  }
  return completions
}
