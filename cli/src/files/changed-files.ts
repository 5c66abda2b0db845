/** Which files changed according to Git, for a check of only what is about to be committed or merged. */
import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageError } from '../arguments.ts'
import { namesFromGit, SilentGitError } from './run-git.ts'

/** The options. */
export const changedOptions = {
  changed: {
    kind: 'flag',
    summary: 'Check only files that differ from the last commit, and untracked files',
  },
  since: {
    kind: 'text',
    placeholder: 'REVISION',
    summary:
      'Check only files that have changed since the current branch diverged from REVISION, and untracked files',
  },
  staged: { kind: 'flag', summary: 'Check only staged files, with their content on disk' },
} as const

/** What the options say. */
export interface ChangedValues {
  readonly changed: boolean
  readonly since: string | undefined
  readonly staged: boolean
}

/** Real paths of the files that changed; undefined if all files count. @throws UsageError if git cannot say */
export async function changedFiles({
  changed,
  since,
  staged,
}: ChangedValues): Promise<ReadonlySet<string> | undefined> {
  const chosen = [changed && '--changed', since !== undefined && '--since', staged && '--staged'].filter(
    (it) => it !== false,
  )
  if (chosen.length === 0) return undefined
  if (chosen.length > 1) throw new UsageError(`\`${chosen[0]}\` and \`${chosen[1]}\` cannot be used together`)
  const option = String(chosen[0])
  await namesFrom(option, ['rev-parse', '--git-dir'])
  const names = ['diff', '--name-only', '-z', '--relative', '--no-ext-diff', '--diff-filter=d']
  const isNew = (await namesFrom(option, ['rev-list', '-n', '1', '--all'])).length === 0
  const before = staged ? '--cached' : since === undefined ? 'HEAD' : await branchPoint(since)
  // Without a commit, all files are new.
  const changes = await namesFrom(
    option,
    isNew && before === 'HEAD' ? ['ls-files', '-z'] : [...names, before],
  )
  const created = staged ? [] : await namesFrom(option, ['ls-files', '-z', '--others', '--exclude-standard'])
  const paths = [...changes, ...created].map((it) => realpath(resolve(it)).catch(() => resolve(it)))
  return new Set(await Promise.all(paths))
}

async function branchPoint(revision: string): Promise<string> {
  const [commit] = await namesFrom('--since', ['merge-base', '--end-of-options', revision, 'HEAD'])
  return commit?.trim() ?? ''
}

async function namesFrom(option: string, args: readonly string[]): Promise<readonly string[]> {
  try {
    return await namesFromGit(args)
  } catch (error) {
    if (error instanceof SilentGitError) throw new UsageError(`\`${option}\`: ${error.message}`)
    const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string }
    const [reason = ''] = code === 'ENOENT' ? ['git is not installed'] : stderr.trim().split('\n')
    throw new UsageError(`\`${option}\`: ${reason || 'git failed'}`)
  }
}
