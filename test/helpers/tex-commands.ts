/** Every command, macro and environment that the installed KaTeX knows, taken from the library itself. */
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

/** The tables of KaTeX, which it does not export. */
interface Tables {
  readonly macros: object
  readonly functions: object
  readonly symbols: { readonly math: object; readonly text: object }
  readonly implicitCommands: object
  readonly environments: object
}

/**
 * The names of all commands with their backslash, and of all environments without one; `symbols` are the commands that stand for
 * one character, and take no argument.
 */
export async function texNames(): Promise<{
  readonly commands: readonly string[]
  readonly symbols: ReadonlySet<string>
  readonly environments: readonly string[]
}> {
  const library = createRequire(`${process.cwd()}/package.json`).resolve('katex')
  const source = readFileSync(library.replace(/\.js$/, '.mjs'), 'utf8')
  const folder = mkdtempSync(join(tmpdir(), 'tex-commands-'))
  try {
    const copy = join(folder, 'katex.mjs')
    writeFileSync(
      copy,
      `${source}\nexport const tables = { macros, functions, symbols, implicitCommands, environments: _environments }\n`,
    )
    const { tables } = (await import(pathToFileURL(copy).href)) as { readonly tables: Tables }
    const { macros, functions, symbols, implicitCommands, environments } = tables
    const acting = [macros, functions, implicitCommands].flatMap((it) => Object.keys(it))
    const standing = [symbols.math, symbols.text].flatMap((it) => Object.keys(it))
    const commands = [...new Set([...acting, ...standing])].filter((it) => it.startsWith('\\'))
    assert.ok(commands.length > 900 && commands.includes('\\message'), `only ${commands.length} commands`)
    const own = new Set(commands.filter((it) => !acting.includes(it)))
    return { commands, symbols: own, environments: Object.keys(environments) }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Formulas in which `name` is given `word` in every way that commands take arguments. */
export function formulasWith(name: string, word: string): readonly string[] {
  return [
    `${name}{${word}}{${word}}{${word}}{${word}}`,
    `${name}[${word}]{x}{x}{x}`,
    `${name} ${word}`,
    `x${name}{${word}}`,
    `\\text{${name}{${word}}}`,
    `\\let\\a${name} \\a{${word}}`,
  ]
}

/** Formulas in which `word` is after `name`, a command that takes no argument. */
export function formulasAfter(name: string, word: string): readonly string[] {
  return [`${name} ${word}`, `\\text{${name}{${word}}}`]
}
