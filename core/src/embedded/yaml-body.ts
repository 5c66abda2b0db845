/** YAML in a body: valid or not, and if not, why. */

import type { YamlProblem } from './yaml-data.ts'
import { elementsAtKeystroke, parseYaml, type YamlLimits } from './yaml-parse.ts'
import { readYaml } from './yaml-read.ts'

/** Valid YAML, or the first mistake. */
export type YamlBody =
  | { readonly ok: true; readonly problem?: undefined }
  | { readonly ok: false; readonly problem: YamlProblem }

/** How much of a body is checked: a larger one would hold up everything else. */
const bodyLimits: YamlLimits = { length: 0x40000, elements: elementsAtKeystroke }

/**
 * Checks that `text` is YAML: one document, several, or none.
 * Where a limit stops the check, the problem is of kind `too-large` or `too-deep` and says nothing about validity.
 */
export function yamlBody(text: string): YamlBody {
  const { documents, problem } = parseYaml(text, bodyLimits)
  if (problem) return { ok: false, problem }
  for (const { contents } of documents) {
    const first = contents ? readYaml(text, contents).problems.find(isInvalid) : undefined
    if (first) return { ok: false, problem: first }
  }
  return { ok: true }
}

/** Circles and many aliases are valid YAML, though no data that JSON could hold. */
function isInvalid({ kind }: YamlProblem): boolean {
  return kind !== 'circular-alias' && kind !== 'alias-limit'
}
