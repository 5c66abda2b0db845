/** The version of the program. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The version in the package that the program is a part of. */
export function programVersion(): string {
  // The bundle is dist/cli/ocm.js.
  const manifest: unknown = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8'))
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest && manifest.version
  return typeof version === 'string' ? version : 'unknown'
}
