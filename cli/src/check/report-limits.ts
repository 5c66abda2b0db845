/** How much a report holds. */

/** How many problems of a file, or of a sample, are listed at most: as many results as GitHub takes of a run. A hostile text has millions. */
export const listedOfFile = 25_000
