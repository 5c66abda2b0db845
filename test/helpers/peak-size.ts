/** How large the process of `ocm` becomes, which Linux shows. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Prints the largest size of a process, in kilobytes, when it ends. */
const printPeak = `process.on('exit', () => {
  const status = require('node:fs').readFileSync('/proc/self/status', 'utf8')
  process.stderr.write('peak ' + /VmHWM:\\s*(\\d+)/.exec(status)[1])
})`

/** Largest sizes of processes, in bytes. */
export interface PeakSizes {
  /** With an empty input: that of Node and the program. */
  readonly start: number
  readonly peak: number
}

/** The sizes of the program `ocm` with `args` on a file with `text`, whose name ends with `ending`. */
export function peakSizes(program: string, args: readonly string[], text: string, ending = 'ocm'): PeakSizes {
  const folder = mkdtempSync(join(tmpdir(), 'ocm-peak-'))
  const sizeFor = (name: string, content: string) => {
    const file = join(folder, `${name}.${ending}`)
    writeFileSync(file, content)
    const { stderr } = spawnSync(
      process.execPath,
      ['--require', join(folder, 'peak.cjs'), program, ...args, file],
      { encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'], maxBuffer: 1 << 28 },
    )
    return Number(/peak (\d+)$/.exec(stderr)?.[1]) * 1024
  }
  try {
    writeFileSync(join(folder, 'peak.cjs'), printPeak)
    return { start: sizeFor('empty', ''), peak: sizeFor('many', text) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const million = 1e6

/** What a command may take for an input of `size` bytes, in bytes: beside the start of Node, 300 MB and 16 bytes for each. */
export function mostFor(size: number, { start }: PeakSizes): number {
  return start + 300 * million + 16 * size
}
