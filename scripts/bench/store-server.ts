/**
 * A server that only stores text, in one chunk per message, and reports no diagnostics: the least that a server can do.
 * It finds the edited chunk by adding up the line breaks of groups of chunks.
 */
import {
  createConnection,
  DocumentDiagnosticReportKind,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node'

const groupSize = 256

interface Group {
  lineBreaks: number
  readonly chunks: Chunk[]
}

interface Chunk {
  text: string
  lineBreaks: number
}

let groups: Group[] = []
const connection = createConnection()
connection.onInitialize(() => ({
  capabilities: {
    textDocumentSync: { openClose: true, change: TextDocumentSyncKind.Incremental },
    diagnosticProvider: { interFileDependencies: false, workspaceDiagnostics: false },
  },
}))
connection.onDidOpenTextDocument(({ textDocument }) => store(textDocument.text))
connection.onDidChangeTextDocument(({ contentChanges }) => {
  for (const change of contentChanges) {
    if ('range' in change) insert(change.range.start, change.text)
    else store(change.text)
  }
})
connection.onRequest('textDocument/diagnostic', () => ({
  kind: DocumentDiagnosticReportKind.Full,
  items: [],
}))
// An answer that someone else made and that only has to be sent: what the transport of such an answer takes.
let answer: unknown = null
connection.onNotification('bench/answer', (it: unknown) => {
  answer = it
})
connection.onRequest('bench/answer', () => answer)
connection.listen()

function store(text: string): void {
  groups = []
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('<|start|>', start + 1)
    const end = next === -1 ? text.length : next
    add(text.slice(start, end))
    start = end
  }
}

function add(text: string): void {
  let group = groups.at(-1)
  if (!group || group.chunks.length === groupSize) {
    group = { lineBreaks: 0, chunks: [] }
    groups.push(group)
  }
  const lineBreaks = countLineBreaks(text)
  group.chunks.push({ text, lineBreaks })
  group.lineBreaks += lineBreaks
}

/** Puts `text` into the chunk in which the line ends: what the measurement types never spans chunks. */
function insert({ line, character }: { line: number; character: number }, text: string): void {
  let before = 0
  for (const group of groups) {
    if (before + group.lineBreaks < line) {
      before += group.lineBreaks
      continue
    }
    for (const chunk of group.chunks) {
      if (before + chunk.lineBreaks < line) {
        before += chunk.lineBreaks
        continue
      }
      const at = lineStart(chunk.text, line - before) + character
      if (at > chunk.text.length) {
        before += chunk.lineBreaks
        continue // the line goes on in the next chunk
      }
      chunk.text = chunk.text.slice(0, at) + text + chunk.text.slice(at)
      const added = countLineBreaks(text)
      chunk.lineBreaks += added
      group.lineBreaks += added
      return
    }
  }
}

function lineStart(text: string, line: number): number {
  let start = 0
  for (let passed = 0; passed < line; passed++) start = text.indexOf('\n', start) + 1
  return start
}

function countLineBreaks(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count++
  return count
}
