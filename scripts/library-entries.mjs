/**
 * The subpaths of the library and the names that each exports, all of them names of `core/src/index.ts`.
 * `openchatml` has all names; a subpath costs a program only what its names need.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './repository.mjs'

/** @type {Readonly<Record<string, {readonly values: readonly string[], readonly types: readonly string[]}>>} */
export const libraryEntries = {
  streaming: {
    values: ['StreamingParser', 'streamEvents', 'streamVisibleText'],
    types: ['StreamEvent'],
  },
  syntax: {
    values: ['Transcript', 'factsOf', 'messageView', 'renderedBody'],
    types: ['MessageFacts'],
  },
  check: {
    values: ['Document', 'applyEdits', 'applyFixes', 'fixSafely', 'ruleSettingsFrom', 'rules'],
    types: ['Analysis', 'Problem'],
  },
  convert: {
    values: [
      'ConversionError',
      'convert',
      'countTokens',
      'detectForm',
      'forms',
      'readConversation',
      'readJsonConversation',
      'shownTextOf',
      'tokenIds',
      'writeConversation',
    ],
    types: ['Conversation', 'ConversationMessage', 'JsonForm', 'Loss', 'TextForm'],
  },
  datasets: {
    values: ['StretchCutter', 'datasetKind', 'editableSample', 'editedSample', 'readSample', 'samplePlaces'],
    types: [],
  },
}

/** The source of the module for a subpath. It leads to the modules of its names alone, which is what bundlers divide a library by. */
export function subpathModule(subpath) {
  const index = readFileSync(join(root, 'core', 'src', 'index.ts'), 'utf8')
  const files = new Map()
  for (const [, names, file] of index.matchAll(/^export \{([^}]+)\} from '(.+)'$/gm)) {
    for (const name of names.split(',')) files.set(name.trim(), file)
  }
  return libraryEntries[subpath].values
    .map((name) => `export { ${name} } from '${files.get(name)}'\n`)
    .join('')
}
