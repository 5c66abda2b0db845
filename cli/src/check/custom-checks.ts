/** Checks that users write: a JavaScript module that the command line names. Nothing in a workspace can ask for one. */
import { pathToFileURL } from 'node:url'
import { openRegularFile } from '../../../client/disk/regular-file.ts'
import {
  type Conversation,
  failureText,
  type Problem,
  reasonOf,
  type Severity,
  severitySettingOf,
} from '../../../core/src/internal.ts'
import { FileProblem } from '../files/file-problem.ts'

/** A check of a module: the members of its list `checks`. */
export interface CustomCheck {
  /** In kebab-case, and named for the bad thing. */
  readonly name: string
  /** By default a warning. */
  readonly severity?: Severity
  /** What is wrong with a conversation: a sentence, several, or nothing. */
  check(conversation: Conversation): string | readonly string[] | undefined
}

/** The code of these problems. */
export const customCode = 'CUSTOM'

/** The checks of the module at `path`. @throws FileProblem */
export async function customChecksIn(path: string): Promise<readonly CustomCheck[]> {
  let module: { readonly checks?: unknown }
  try {
    // The loader would wait for a pipe, and read a device without end.
    await (await openRegularFile(path)).close()
    module = await import(pathToFileURL(path).href)
  } catch (error) {
    throw new FileProblem(path, `can't be loaded: ${reasonOf(error)}`)
  }
  const { checks } = module
  if (!Array.isArray(checks)) throw new FileProblem(path, 'does not export a list `checks`')
  for (const [index, it] of checks.entries()) {
    const mistake = mistakeIn(it)
    if (mistake !== undefined) throw new FileProblem(path, `check ${index + 1} ${mistake}`)
  }
  return checks
}

function mistakeIn(value: unknown): string | undefined {
  const { name, severity, check } = (value ?? {}) as Partial<Record<keyof CustomCheck, unknown>>
  if (typeof name !== 'string' || !/^[a-z\d]+(?:-[a-z\d]+)*$/.test(name))
    return 'needs a `name` in kebab-case'
  if (typeof check !== 'function') return 'needs a function `check`'
  if (severity === undefined) return undefined
  const known = severitySettingOf(severity)
  return known === undefined || known === 'off' ? 'has an unknown `severity`' : undefined
}

/**
 * What `checks` find in `conversation`. One that throws, or returns something else than problems, is reported, and the others still run.
 *
 * @param onFailure takes the name of a check, and what is wrong with it, as the rest of a sentence
 */
export function customProblems(
  checks: readonly CustomCheck[],
  conversation: Conversation,
  onFailure: (check: string, failure: string) => void,
): readonly Problem[] {
  return checks.flatMap(({ name, severity = 'warning', check }) => {
    try {
      const found: unknown = check(conversation) ?? []
      const messages = typeof found === 'string' ? [found] : found
      if (!Array.isArray(messages)) {
        const kind = found instanceof Promise ? 'promise' : typeof found
        onFailure(
          name,
          `must return a string, an array of strings, or nothing, but returns a value of type \`${kind}\``,
        )
        return []
      }
      const range = { start: 0, end: 0 }
      return messages.map((it): Problem => {
        const message = String(it)
        return {
          code: customCode,
          rule: name,
          severity,
          message,
          range,
          related: [],
          fixes: [],
          tag: undefined,
        }
      })
    } catch (error) {
      onFailure(name, `failed: ${failureText(error)}`)
      return []
    }
  })
}
