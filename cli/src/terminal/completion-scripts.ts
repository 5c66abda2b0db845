/** Completion scripts of shells. Names and values are our own, of letters, digits, dots, and dashes. */

/** The shells. */
export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const

/** A shell. */
export type Shell = (typeof shells)[number]

/** What there is to complete. */
export interface CompletedCommand {
  readonly name: string
  readonly summary: string
  readonly options: readonly {
    /** With its dashes. */
    readonly name: string
    readonly summary: string
    /** Empty where any text or a path may follow. */
    readonly values: readonly string[]
    readonly takesValue: boolean
  }[]
  /** What the first operand can be; empty if it is a path. */
  readonly words: readonly string[]
  /** True if paths are operands, too. */
  readonly takesPaths: boolean
}

/** The script of each shell. */
export const completionScripts: Readonly<Record<Shell, (commands: readonly CompletedCommand[]) => string>> = {
  bash,
  zsh,
  fish,
  powershell,
}

function bash(commands: readonly CompletedCommand[]): string {
  const cases = commands.flatMap(({ name, options }) => [
    ...options
      .filter(({ takesValue }) => takesValue)
      .map(({ name: option, values }) => `    ${name},${option}) words="${values.join(' ')}" ;;`),
    `    ${name},*) words="${options.map((it) => it.name).join(' ')}" ;;`,
  ])
  const operands = commands.flatMap(({ name, words, takesPaths }) =>
    words.length > 0 || !takesPaths
      ? [`    ${name}) operands="${words.join(' ')}" paths=${takesPaths ? '-f' : ''} ;;`]
      : [],
  )
  return `# bash completion for ocm
_ocm() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words="" operands="" paths=-f word
  COMPREPLY=()
  # bash splits words at =
  [ "$current" = = ] && current=""
  [ "$previous" = = ] && previous="\${COMP_WORDS[COMP_CWORD-2]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$current"))
    return
  fi
  case "\${COMP_WORDS[1]},$previous" in
${cases.join('\n')}
  esac
  case "\${COMP_WORDS[1]}" in
${operands.join('\n')}
  esac
  for word in "\${COMP_WORDS[@]:2:COMP_CWORD-2}"; do
    case " $operands " in *" $word "*) operands="" ;; esac
  done
  case "$current,$words,$operands" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *,--*,) [ -z "$paths" ] || COMPREPLY=($(compgen -f -- "$current")) ;;
    *,--*) COMPREPLY=($(compgen -W "$operands" -- "$current")) ;;
    *,,*) COMPREPLY=($(compgen -f -- "$current")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
  esac
}
complete -o filenames -F _ocm ocm
`
}

function zsh(commands: readonly CompletedCommand[]): string {
  const quoted = (text: string) => text.replaceAll("'", "'\\''").replaceAll(/[[\]]/g, (it) => `\\${it}`)
  const argument = ({ name, summary, values, takesValue }: CompletedCommand['options'][number]) => {
    const action = values.length > 0 ? `(${values.join(' ')})` : '_files'
    return `'${name}${takesValue ? '=' : ''}[${quoted(summary)}]${takesValue ? `:value:${action}` : ''}'`
  }
  const cases = commands.map(({ name, options, words, takesPaths }) => {
    const first = words.length > 0 ? [`'1:word:(${words.join(' ')})'`] : []
    const others = takesPaths ? [`'*:file:_files'`] : []
    return `    ${name}) _arguments ${[...options.map(argument), ...first, ...others].join(' ')} ;;`
  })
  return `#compdef ocm
_ocm() {
  if (( CURRENT == 2 )); then
    local -a commands
    commands=(${commands.map(({ name, summary }) => `'${name}:${quoted(summary)}'`).join(' ')})
    _describe command commands
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${cases.join('\n')}
    *) _files ;;
  esac
}
if [ "$funcstack[1]" = _ocm ]; then _ocm "$@"; else compdef _ocm ocm; fi
`
}

function fish(commands: readonly CompletedCommand[]): string {
  const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, (it) => `\\${it}`)}'`
  const lines = commands.flatMap(({ name, summary, options, words, takesPaths }) => [
    `complete -c ocm -n __fish_use_subcommand -f -a ${name} -d ${quoted(summary)}`,
    ...options.map(({ name: option, summary: does, values, takesValue }) => {
      const value = values.length > 0 ? ` -x -a ${quoted(values.join(' '))}` : takesValue ? ' -r' : ''
      return `complete -c ocm -n '__ocm_command ${name}' -l ${option.slice(2)}${value} -d ${quoted(does)}`
    }),
    ...(takesPaths ? [] : [`complete -c ocm -n '__ocm_command ${name}' -f`]),
    ...(words.length > 0
      ? [`complete -c ocm -n '__ocm_lacks ${name} ${words.join(' ')}' -f -a ${quoted(words.join(' '))}`]
      : []),
  ])
  return `# fish completion for ocm
function __ocm_command
  set -l given (commandline -opc)
  test "$given[2]" = $argv[1]
end
# True for a command as long as none of the words after its name is given.
function __ocm_lacks
  __ocm_command $argv[1]; or return
  for given in (commandline -opc)[3..]
    contains -- $given $argv[2..]; and return 1
  end
  return 0
end
${lines.join('\n')}
`
}

function powershell(commands: readonly CompletedCommand[]): string {
  const list = (words: readonly string[]) => `@(${words.map((it) => `'${it}'`).join(', ')})`
  const tables = commands.map(({ name, options, words }) => {
    const values = options.filter((it) => it.values.length > 0)
    const entries = [
      `'' = ${list(options.map((it) => it.name))}`,
      ...(words.length > 0 ? [`'*' = ${list(words)}`] : []),
      ...values.map((it) => `'${it.name}' = ${list(it.values)}`),
    ]
    return `    '${name}' = @{ ${entries.join('; ')} }`
  })
  return `# PowerShell completion for ocm
Register-ArgumentCompleter -Native -CommandName ocm -ScriptBlock {
  param($word, $ast, $position)
  $table = @{
${tables.join('\n')}
  }
  $before = @($ast.CommandElements | Where-Object { $_.Extent.EndOffset -lt $position } | ForEach-Object { $_.ToString() })
  $words = if ($before.Count -le 1) { $table.Keys } else {
    $options = $table[$before[1]]
    $given = @($before | Select-Object -Skip 2)
    if (-not $options) { }
    elseif ($options.ContainsKey($before[-1])) { $options[$before[-1]] }
    elseif ($word -notlike '-*' -and $options['*'] -and -not ($given | Where-Object { $options['*'] -contains $_ })) { $options['*'] }
    else { $options[''] }
  }
  $words | Where-Object { $_ -like "$word*" } | Sort-Object | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
`
}
