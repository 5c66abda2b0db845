/** Types of `browser.mjs`, for the tests. */
import type { Browser } from './playwright.d.mts'

/** Launches a browser; `log` receives lines about what is installed. */
export function launchBrowser(log?: (line: string) => void): Promise<Browser>
