/** What the extension adds to VS Code: each part registers itself. */
import * as vscode from 'vscode'
import type { BaseLanguageClient } from 'vscode-languageclient'
import { setTranslations } from '../../core/src/internal.ts'
import { addTranscripts } from '../render/markdown-fences.ts'
import { registerChatTools } from './agent-tools-in-chat.ts'
import { registerCommands } from './commands.ts'
import { registerConfigurationFiles } from './configuration-files.ts'
import { registerConversion } from './conversion/conversion.ts'
import { countWhenRunning } from './datasets/count-when-running.ts'
import type { DatasetDisk } from './datasets/dataset-library.ts'
import { registerDatasets } from './datasets/register-datasets.ts'
import { registerEditing } from './editing/editing.ts'
import { clientOptions, type MakeClient, restartsAtMost } from './language-client.ts'
import { countingBy } from './preview/context-token-counts.ts'
import { registerPreview } from './preview/panel.ts'
import { registerPrompts } from './prompts/prompt-commands.ts'
import { registerPromptFilesForServer } from './prompts/prompt-files-for-server.ts'
import { quietly } from './quiet-client.ts'
import { registerStatus } from './status.ts'
import { registerExpectationTests } from './testing/expectation-tests.ts'
import { TrainingChoices } from './training/training-choices.ts'
import { renderingBy } from './training/training-server.ts'
import { registerTranscriptFiles } from './transcript-files.ts'
import { registerExamples } from './welcome/examples.ts'
import { WelcomeSteps } from './welcome/welcome-steps.ts'
import { type ReadOnDisk, workspaceFileReader } from './workspace-files.ts'

let client: BaseLanguageClient | undefined

/** What VS Code's Markdown preview uses. */
export interface ExtensionApi {
  /** Has a renderer of Markdown show transcripts. */
  readonly extendMarkdownIt: typeof addTranscripts
}

/** What reads files of a disk. */
export interface DiskAccess {
  /** Reads and writes datasets. */
  readonly datasets: DatasetDisk
  /** Reads a file that the user did not open. */
  readonly readOnDisk: ReadOnDisk
}

/**
 * Starts the extension with a client for the world it runs in.
 *
 * @param disk what reads files of a disk, where there is one
 */
export async function start(
  context: vscode.ExtensionContext,
  makeClient: MakeClient,
  disk?: DiskAccess,
): Promise<ExtensionApi> {
  setTranslations(vscode.l10n.bundle)
  registerExamples(context)
  context.subscriptions.push(new WelcomeSteps())
  client = quietly(makeClient, restartsAtMost)(context, clientOptions(context))
  const readFile = workspaceFileReader(disk?.readOnDisk)
  const samples = registerDatasets(context, {
    count: countWhenRunning(client, countingBy(client)),
    disk: disk?.datasets,
    readFile,
    client,
  })
  const training = new TrainingChoices(context.workspaceState, {
    readFile,
    render: renderingBy(client),
    sampleOf: (uri) => samples.sampleOf(uri),
  })
  context.subscriptions.push(training)
  registerPreview(context, {
    count: countingBy(client),
    metadataOf: (uri) => samples.metadataOf(uri),
    training,
    foundIn: samples.foundIn,
    onFoundChanged: samples.onFoundChanged,
    writeOnDisk: disk?.datasets.writeFile,
  })
  registerConversion(context, samples)
  registerEditing(context, client, { readFile, keepsHeaders: (uri) => samples.keepsHeaders(uri) })
  registerPrompts(context, {
    readFile,
    count: countWhenRunning(client, countingBy(client)),
    fieldsOf: (dataset, number) => samples.fieldsOf(dataset, number),
  })
  registerExpectationTests(context, readFile)
  registerCommands(context, client)
  registerStatus(context, client)
  registerChatTools(context, readFile)
  registerConfigurationFiles(context, client, readFile)
  registerPromptFilesForServer(context, client, readFile)
  registerTranscriptFiles(context, client, readFile)
  const started = client
    .start()
    // The preview works without it, and the status offers a restart.
    .catch((error) => client?.error(vscode.l10n.t('The language server does not start'), error, 'force'))
  // Previews of Markdown wait for the extension, and need no server.
  if (vscode.workspace.textDocuments.some(({ languageId }) => languageId === 'openchatml')) await started
  return { extendMarkdownIt: addTranscripts }
}

/** Ends the server. */
export async function stop(): Promise<void> {
  await client?.dispose()
  client = undefined
}
