/** `ocm completions`: scripts that complete commands and options in a shell, made from the tables of both. */
import { generalOptions, type Option, UsageError } from '../arguments.ts'
import { type AnyCommand, defineCommand } from '../command.ts'
import { commandTable } from '../command-table.ts'
import { completionScripts, type Shell, shells } from '../terminal/completion-scripts.ts'

/** The command. */
export const completionsCommand = defineCommand({
  name: 'completions',
  operands: shells.join('|'),
  description: [
    'Prints a script that completes commands, options, and their values; paths are completed by the shell.',
  ],
  options: {},
  examples: [
    ['ocm completions bash > ~/.local/share/bash-completion/completions/ocm', 'install for bash'],
    ['ocm completions zsh > ~/.zfunc/_ocm', 'install for zsh, with ~/.zfunc in fpath'],
    ['ocm completions fish > ~/.config/fish/completions/ocm.fish', 'install for fish'],
    ['ocm completions powershell >> $PROFILE', 'install for PowerShell'],
  ],
  async run({ operands }, console) {
    const shell = shells.find((it) => it === operands[0])
    if (!shell || operands.length !== 1) throw new UsageError(`Name a shell: ${shells.join(', ')}`)
    await console.output.write(await scriptFor(shell))
    return 0
  },
})

async function scriptFor(shell: Shell): Promise<string> {
  const commands = await Promise.all(
    [...commandTable].map(async ([name, { summary, load }]) => ({
      name,
      summary,
      options: optionsOf(await load()),
    })),
  )
  return completionScripts[shell](commands)
}

function optionsOf({ options }: AnyCommand) {
  return Object.entries({ ...options, ...generalOptions }).map(([name, option]) => ({
    name: `--${name}`,
    summary: option.summary,
    values: valuesOf(option),
    takesValue: option.kind !== 'flag',
  }))
}

function valuesOf(option: Option): readonly string[] {
  return option.kind === 'choice' ? option.values : []
}
