/** Types of `open.mjs`, for the tests. */
import type { Browser, Frame, Page } from './playwright.d.mts'

/** What to open, and how. */
export interface OpenOptions {
  /** The folder of the workspace. */
  readonly folder: string
  /** Folders of extensions under development; default: this repository. */
  readonly extension?: string | readonly string[]
  /** A module with `run()`, to be run in the extension host. */
  readonly tests?: string
  /** What runs the extensions: Node, or a Web Worker as on vscode.dev (their `browser` entry); default `node`. */
  readonly host?: 'node' | 'worker'
  /** Machine settings, for example `{ 'workbench.colorTheme': 'Default Dark Modern' }`. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** More environment variables for the server and the extension host. */
  readonly env?: Readonly<Record<string, string>>
  /** True for Restricted Mode: the folder is one that the user does not trust. */
  readonly isRestricted?: boolean
  /** False for a picture: with all of VS Code's own extensions, and as a new user sees it; default true. */
  readonly isForTests?: boolean
  /** The display language, for example `de`; default English. */
  readonly language?: string
  /** Size of the window in pixels; default 1280 × 800. */
  readonly size?: { readonly width: number; readonly height: number }
  /** Device pixels for each pixel; 2 for sharp pictures. */
  readonly scale?: number
  /** Receives lines about what is being installed. */
  readonly log?: (line: string) => void
  /** Receives what the workbench and the extension host log, `type` being `log`, `warn`, `error`, …. */
  readonly onLog?: (type: string, args: readonly unknown[]) => void
  /** Called with the exit code of `tests`. */
  readonly onExit?: (code: number) => void
  /** Resolve as soon as the page is asked for, without waiting for the workbench. */
  readonly waitForWorkbench?: boolean
}

/** A VS Code that is open. */
export interface OpenedVSCode {
  /** The page with the workbench: keyboard, mouse, locators, `screenshot()`. */
  readonly page: Page
  /** Its server. */
  readonly server: {
    output(): string
    /** Replaces the machine settings, which the window soon follows. */
    useSettings(settings: Readonly<Record<string, unknown>>): void
  }
  /** The browser it is in. */
  readonly browser: Browser
  /** The frame of the webview (preview) that contains an element matching `selector`; waits for it, a minute by default. */
  frameOf(selector: string, options?: { readonly timeout?: number }): Promise<Frame>
  /** The frames of all webviews that are there now. */
  webviewFrames(): Frame[]
  /** Opens a file of the workspace by its path, as with Ctrl+P, and waits for what its editor `shows`, by default lines of text with the focus. */
  openFile(path: string, options?: { readonly shows?: string }): Promise<void>
  /** Runs a command by its title, as with F1, and chooses a row of the list that it shows. */
  runCommand(title: string, row?: string): Promise<void>
  /** Chooses a row of the list that `showList` shows, which is called again if the list closes. */
  chooseFrom(showList: () => Promise<void>, row: string): Promise<void>
  /** Chooses a row of the list that a command shows. */
  chooseRow(row: string): Promise<void>
  /** Resolves when the picture no longer changes (or after `timeout`, 10 seconds): call it before taking a screenshot. */
  settled(options?: { readonly timeout?: number }): Promise<void>
  /** Ends the browser and the server, with everything they started. */
  close(): Promise<void>
}

/** The lines of a text editor that keys go to. */
export const focusedEditor: string

/** Opens a real VS Code without a window. Installs it if need be. */
export function openVSCode(options: OpenOptions): Promise<OpenedVSCode>
