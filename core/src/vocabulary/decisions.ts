/** The words of reviews for what is to become of a sample (S9). */

/** What a reviewer decides. */
export type Decision = 'keep' | 'reject' | 'fix'

/** The decisions, in the order in which they are offered. */
export const decisions: readonly Decision[] = ['keep', 'reject', 'fix']

/** What a sample has instead of a decision if reviewers contradict each other. */
export const conflict = 'conflict'
