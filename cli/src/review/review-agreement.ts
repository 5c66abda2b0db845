/** How far reviewers agree, or review files. */
import { type Agreement, agreementOf, judgementOf, type Review } from '../../../core/src/internal.ts'
import { lineStart } from '../terminal/displayable.ts'

/** Two reviewers, or files, and how far they agree. */
export interface NamedAgreement {
  readonly one: string
  readonly other: string
  readonly agreement: Agreement
}

/** Decisions by the hash of the sample. */
type Judgements = ReadonlyMap<string, string>

/**
 * Compares two files, or each two reviewers of one file; with `names`, these reviewers, of one file or of two. In a file that is
 * compared as a whole, samples that its reviewers decide on differently are left out.
 */
export function agreementsOf(
  files: readonly { readonly path: string; readonly review: Review }[],
  names: readonly string[] | undefined,
): readonly NamedAgreement[] {
  const [first, second] = files
  const sides: (readonly [name: string, judgements: Judgements])[] = []
  if (first && second && !names) {
    for (const { path, review } of [first, second]) sides.push([path, judgementsOf(review, undefined)])
  } else if (first) {
    const wanted = names ?? peopleOf(first.review)
    wanted.forEach((name, index) => {
      sides.push([name, judgementsOf((index > 0 && second ? second : first).review, name)])
    })
  }
  return sides.flatMap(([one, its], index) =>
    sides.slice(index + 1).map(([other, others]) => {
      const pairs = [...its].flatMap(([hash, judgement]) => {
        const otherJudgement = others.get(hash)
        return otherJudgement === undefined ? [] : [[judgement, otherJudgement] as const]
      })
      return { one, other, agreement: agreementOf(pairs) }
    }),
  )
}

function peopleOf(review: Review): readonly string[] {
  const people = new Set<string>()
  for (const [, opinions] of review.opinions())
    for (const { by, decision } of opinions) if (decision !== undefined) people.add(by)
  return [...people]
}

function judgementsOf(review: Review, by: string | undefined): Judgements {
  const judgements = new Map<string, string>()
  for (const [hash, opinions] of review.opinions()) {
    const own = opinions.filter((it) => by === undefined || it.by === by)
    const found = new Set(own.flatMap((it) => judgementOf(it) ?? []))
    const [judgement] = found
    if (judgement !== undefined && found.size === 1) judgements.set(hash, judgement)
  }
  return judgements
}

/** The comparisons as text or JSON. */
export function agreementText(agreements: readonly NamedAgreement[], format: string): string {
  if (format === 'json') {
    const compared = agreements.map(({ one, other, agreement: { both, same, share, kappa, table } }) => ({
      one,
      other,
      both,
      same,
      share: share ?? null,
      kappa: kappa ?? null,
      decisions: Object.fromEntries([...table].map(([key, row]) => [key, Object.fromEntries(row)])),
    }))
    return `${JSON.stringify({ agreements: compared }, undefined, 2)}\n`
  }
  return agreements.map(pairText).join('\n')
}

function pairText({ one, other, agreement: { both, same, share, kappa, table } }: NamedAgreement): string {
  const [first, second] = [one, other].map((it) => lineStart(it) || '(no name)')
  const percent = share === undefined ? '' : ` (${(100 * share).toFixed(1)} %)`
  const lines = [`${first} and ${second}: ${same} of ${both} decisions are the same${percent}`]
  if (both > 0) lines.push(`  Cohen's kappa: ${kappa === undefined ? 'not defined' : kappa.toFixed(2)}`)
  for (const [decision, row] of table)
    for (const [its, times] of row)
      if (its !== decision) lines.push(`  ${first} ${decision}, ${second} ${its}: ${times}`)
  return `${lines.join('\n')}\n`
}
