/** How much a report holds. */

/** How many problems of a file, or of a sample, are listed at most: more than anyone reads, and a hostile text has millions. */
export const listedOfFile = 100_000
