/** Token counts for lists: they wait for the language server, which counts, and ask again if it ends or is busy with its start. */
import { type BaseLanguageClient, State } from 'vscode-languageclient'
import type { CountTexts } from './row-source.ts'

const patience = 30_000 // milliseconds: a server that is not there by then has failed
const answerTime = 8000 // milliseconds: far more than any sample takes
const attempts = 4

/** `count`, as soon as the server behind `client` runs. */
export function countWhenRunning(client: BaseLanguageClient, count: CountTexts): CountTexts {
  return async (texts) => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      if (!client.isRunning()) await running(client)
      const counts = await Promise.race([count(texts), nothingAfter(answerTime)])
      if (counts) return counts
      await nothingAfter(attempt * 1000)
    }
    return undefined
  }
}

function nothingAfter(milliseconds: number): Promise<undefined> {
  return new Promise((done) => setTimeout(() => done(undefined), milliseconds))
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
