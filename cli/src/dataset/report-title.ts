/** What a report on datasets is called. A merged report has the title of the whole: parts name their datasets. */

/** `Report on train.jsonl`; `what` is a noun with its preposition. */
export function reportTitle(what: string, datasets: readonly string[]): string {
  return datasets.length === 1 ? `${what} ${datasets[0]}` : `${what} ${datasets.length} datasets`
}

/** The datasets that a part names; one that was written before parts did is called by its own `path`. */
export function datasetsOfPart(datasets: unknown, path: string): readonly string[] {
  return Array.isArray(datasets) && datasets.every((it) => typeof it === 'string') ? datasets : [path]
}
