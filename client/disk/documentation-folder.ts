/** The pages about rules, where they are installed next to the server. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** URI of the folder with a page per rule; undefined if the pages are not installed. */
export function documentationFolder(): string | undefined {
  const folder = join(__dirname, '..', '..', 'docs', 'rules')
  return existsSync(folder) ? pathToFileURL(folder).href : undefined
}
