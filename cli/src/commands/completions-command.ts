/** `ocm completions`: scripts that complete commands and options in a shell, made from the tables of both. */
import { generalOptions, type Option, UsageError } from '../arguments.ts'
import { type AnyCommand, defineCommand } from '../command.ts'
import { commandTable } from '../command-table.ts'
import { helpSummary } from '../help.ts'
import { completionScripts, type Shell, shells } from '../terminal/completion-scripts.ts'

/** The command. */
export const completionsCommand = defineCommand({
  name: 'completions',
  operands: shells.join('|'),
  words: shells,
  description: [
    'Prints a script that completes commands, options, their values, and other words, such as names of rules; paths are completed by the shell.',
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
      ...completedOf(await load()),
    })),
  )
  const names = commands.map(({ name }) => name)
  const help = { name: 'help', summary: helpSummary, options: [helpOption], words: names, takesPaths: false }
  return completionScripts[shell]([...commands, help])
}

const helpOption = { name: '--help', summary: 'Print the help', values: [], takesValue: false }

function completedOf({ options, operands, words = [] }: AnyCommand) {
  const own = Object.entries({ ...options, ...generalOptions }).map(([name, option]) => ({
    name: `--${name}`,
    summary: option.summary,
    values: valuesOf(option),
    takesValue: option.kind !== 'flag',
  }))
  const takesPaths = words.length > 0 ? operands.includes(' ') : operands !== ''
  return { options: [...own, helpOption], words, takesPaths }
}

function valuesOf(option: Option): readonly string[] {
  return option.kind === 'choice' ? option.values : []
}
