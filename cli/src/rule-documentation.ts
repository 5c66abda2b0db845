/** Addresses of the pages about rules: those of the repository, or of the installed package as long as no repository is named. */

import { documentationFolder } from '../../client/disk/documentation-folder.ts'
import { rules } from '../../core/src/internal.ts'

const names: ReadonlySet<string> = new Set(rules.map(({ name }) => name))

/** The page about the rule named `rule`; undefined for checks that are not rules, and where the pages are not installed. */
export function documentationOf(rule: string): string | undefined {
  const base = documentationBase()
  return base !== undefined && names.has(rule) ? `${base}/${rule}.md` : undefined
}

/** What is written about input that cannot be read. */
export function inputDocumentation(): string | undefined {
  const base = documentationBase()
  return base?.replace(/\/rules$/, '/command-line.md#input-that-cannot-be-read')
}

/** The build is given an address if the manifest names a repository. */
function documentationBase(): string | undefined {
  return process.env.RULE_PAGES || documentationFolder()
}
