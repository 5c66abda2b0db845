/** What a search of directories leaves out, and whether it may find nothing. */
import { resolve } from 'node:path'
import { Configurations } from '../configuration/configurations.ts'
import { FileProblem } from './file-problem.ts'
import { ignoredByGit } from './ignored-by-git.ts'

/** The options of commands that search directories. */
export const searchOptions = {
  'allow-empty': {
    kind: 'flag',
    summary: 'Accept directories without matching files, and input without content',
  },
  'no-ignore': {
    kind: 'flag',
    summary: 'Also search for files that git ignores or the configuration excludes',
  },
} as const

/** What these options say, with those on configuration files where a command has them. */
export interface SearchValues {
  readonly 'allow-empty': boolean
  readonly 'no-ignore': boolean
  readonly config?: string | undefined
  readonly 'no-config'?: boolean
}

/** What is left out below a directory. */
export interface SearchFilter {
  /** True for the file or directory at `path`, if nothing of it is to be read. */
  leavesOut(path: string, isDirectory: boolean): Promise<boolean>
}

/**
 * The filter of a search in `folder`. What is wrong with a configuration file is for others to say.
 *
 * @throws FileProblem if git doesn't say what it ignores
 */
export async function searchFilter(folder: string, values: SearchValues): Promise<SearchFilter> {
  if (values['no-ignore']) return { leavesOut: async () => false }
  const ignored = await ignoredByGit(folder).catch(({ message }: Error) => {
    throw new FileProblem(folder, `is not searched: ${message}; \`--no-ignore\` searches without asking git`)
  })
  const configurations = new Configurations({
    file: values.config,
    isOff: values['no-config'] ?? false,
    onComplaint: () => undefined,
  })
  return {
    leavesOut: async (path, isDirectory) => {
      const absolute = resolve(path)
      if (ignored.has(absolute)) return true
      const { isExcluded, isIncluded } = await configurations.settingsFor(absolute)
      return isExcluded === true || (!isDirectory && isIncluded === false)
    },
  }
}
