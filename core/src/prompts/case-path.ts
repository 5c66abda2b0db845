/** The names of the files in which prompts have more cases. */

/** `support.cases.yaml` for `support.ocm`. */
export function casesPath(path: string): string {
  return `${path.replace(/\.ocm$/i, '')}.cases.yaml`
}

/** `support.ocm` for `support.cases.yaml`; undefined for other files. */
export function promptPath(path: string): string | undefined {
  return /\.cases\.yaml$/i.test(path) ? path.replace(/\.cases\.yaml$/i, '.ocm') : undefined
}
