/** The commands by name. A command is loaded when it is used, so that `ocm --version` need not load a parser. */
import type { AnyCommand } from './command.ts'

interface CommandEntry {
  /** One line for the list of commands. */
  readonly summary: string
  readonly load: () => Promise<AnyCommand>
}

/** All commands, in the order of the help. */
export const commandTable: ReadonlyMap<string, CommandEntry> = new Map([
  [
    'check',
    {
      summary: 'Report problems in transcripts and datasets, and apply safe fixes',
      load: async () => (await import('./commands/check-command.ts')).checkCommand,
    },
  ],
  [
    'format',
    {
      summary: 'Format headers and the whitespace between messages; bodies stay unchanged',
      load: async () => (await import('./commands/format-command.ts')).formatCommand,
    },
  ],
  [
    'parse',
    {
      summary: 'Print the parsed transcript as JSON, or its tokens',
      load: async () => (await import('./commands/parse-command.ts')).parseCommand,
    },
  ],
  [
    'render',
    {
      summary: 'Print what an end user sees',
      load: async () => (await import('./commands/render-command.ts')).renderCommand,
    },
  ],
  [
    'convert',
    {
      summary: 'Convert a conversation or a dataset to another form',
      load: async () => (await import('./commands/convert-command.ts')).convertCommand,
    },
  ],
  [
    'tokens',
    {
      summary: 'Count the tokens of conversations, or print their IDs',
      load: async () => (await import('./commands/tokens-command.ts')).tokensCommand,
    },
  ],
  [
    'report',
    {
      summary: 'Create a page with statistics and problems of datasets',
      load: async () => (await import('./commands/report-command.ts')).reportCommand,
    },
  ],
  [
    'match',
    {
      summary: 'Compare an agent run with the expected one',
      load: async () => (await import('./commands/match-command.ts')).matchCommand,
    },
  ],
  [
    'filter',
    {
      summary: 'Print the samples of datasets that match a query',
      load: async () => (await import('./commands/filter-command.ts')).filterCommand,
    },
  ],
  [
    'stats',
    {
      summary: 'Summarize the columns of datasets: counts, quantiles, frequent values',
      load: async () => (await import('./commands/stats-command.ts')).statsCommand,
    },
  ],
  [
    'review',
    {
      summary: 'Count the decisions of a review, apply them, or compare reviewers',
      load: async () => (await import('./commands/review-command.ts')).reviewCommand,
    },
  ],
  [
    'rules',
    {
      summary: 'List the rules, or explain one',
      load: async () => (await import('./commands/rules-command.ts')).rulesCommand,
    },
  ],
  [
    'config',
    {
      summary: 'Print the configuration that applies to a file',
      load: async () => (await import('./commands/config-command.ts')).configCommand,
    },
  ],
  [
    'init',
    {
      summary: 'Write a starter configuration file',
      load: async () => (await import('./commands/init-command.ts')).initCommand,
    },
  ],
  [
    'completions',
    {
      summary: 'Print a completion script for a shell',
      load: async () => (await import('./commands/completions-command.ts')).completionsCommand,
    },
  ],
  [
    'mcp',
    {
      summary: 'Run a server with tools for agents (Model Context Protocol)',
      load: async () => (await import('./commands/mcp-command.ts')).mcpCommand,
    },
  ],
  [
    'lsp',
    {
      summary: 'Run the language server for an editor',
      load: async () => (await import('./commands/lsp-command.ts')).lspCommand,
    },
  ],
])

/** What other programs call what a command does. */
export const namesElsewhere: ReadonlyMap<string, string> = new Map([
  ['count', 'tokens'],
  ['explain', 'rules'],
  ['export', 'convert'],
  ['find', 'filter'],
  ['fix', 'check --fix'],
  ['fmt', 'format'],
  ['grep', 'filter'],
  ['lint', 'check'],
  ['sample', 'filter --sample'],
  ['search', 'filter'],
  ['server', 'lsp'],
  ['show', 'render'],
  ['validate', 'check'],
  ['version', '--version'],
  ['view', 'render'],
])
