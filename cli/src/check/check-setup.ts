/** What the options of `ocm check` mean for its workers. */
import { resolve } from 'node:path'
import { shardOf } from '../shard-option.ts'
import type { Console } from '../terminal/console.ts'
import { programVersion } from '../version.ts'
import type { CheckValues } from './check-options.ts'
import type { CheckSetup } from './check-work.ts'
import type { Fixes } from './refuse-fixes.ts'

function fixesOf({ fix, output, 'in-place': isInPlace }: CheckValues): Fixes {
  if (!fix) return 'none'
  if (output !== undefined) return 'output'
  return isInPlace ? 'in-place' : 'transcripts'
}

/** True if the report is coloured: colours are for people who read along. */
export function isColouredReport(values: CheckValues, { isColoured }: Console): boolean {
  return isColoured && values['output-file'] === undefined
}

/** The setup, except for what has to be loaded. */
export function setupOf(values: CheckValues, console: Console): Omit<CheckSetup, 'choice' | 'baseline'> {
  const { columns } = console
  const isColoured = isColouredReport(values, console)
  const isTerminal = console.isTerminal && values['output-file'] === undefined
  const { format, statistics, expect, diff, dialect, select, ignore, checks } = values
  return {
    format,
    statistics,
    expect,
    fixes: fixesOf(values),
    isUnsafe: values['unsafe-fixes'],
    diff,
    dialect,
    selection: { select, ignore },
    checks: checks === undefined ? undefined : resolve(checks),
    failOn: values['fail-on'],
    badLines: values['bad-lines'],
    allowsEmpty: values['allow-empty'],
    shard: shardOf(values.shard),
    terminal: { isColoured, isTerminal, columns },
    version: programVersion(),
  }
}
