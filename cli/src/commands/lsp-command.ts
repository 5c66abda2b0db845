/** `ocm lsp`: the language server. */
import { defineCommand } from '../command.ts'

// The server is not imported: between a promise and its answer, standard output would belong to everyone.
declare const require: (path: '#server') => unknown

/** The command. */
export const lspCommand = defineCommand({
  name: 'lsp',
  operands: '',
  description: [
    'Runs the language server. Editors start it; it speaks the Language Server Protocol on standard input and output.',
  ],
  options: {
    stdio: { kind: 'flag', summary: 'Use standard input and output (the default, and the only transport)' },
    clientProcessId: {
      kind: 'text',
      placeholder: 'PID',
      summary: 'Exit when the process with this ID exits; some editors pass it',
    },
  },
  examples: [['ocm lsp --stdio', 'what an editor runs']],
  async run({ values }, console) {
    // The server reads the way of transport from the arguments of the process.
    if (!values.stdio) process.argv.push('--stdio')
    console.output.release()
    require('#server') // takes standard output for itself before anything else can run
    return 0
  },
})
