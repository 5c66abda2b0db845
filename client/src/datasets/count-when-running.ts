/** Token counts for lists: they wait for the language server, which counts, instead of doing without. */
import { type BaseLanguageClient, State } from 'vscode-languageclient'
import type { CountTexts } from './row-source.ts'

const patience = 30_000 // milliseconds: a server that is not there by then has failed

/** `count`, as soon as the server behind `client` runs. */
export function countWhenRunning(client: BaseLanguageClient, count: CountTexts): CountTexts {
  return async (texts) => {
    if (!client.isRunning()) await running(client)
    return count(texts)
  }
}

function running(client: BaseLanguageClient): Promise<void> {
  return new Promise((done) => {
    const end = () => {
      clearTimeout(timer)
      listener.dispose()
      done()
    }
    const timer = setTimeout(end, patience)
    const listener = client.onDidChangeState(({ newState }) => {
      if (newState === State.Running) end()
    })
  })
}
