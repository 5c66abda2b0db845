/** Types of `browser.mjs`, for the tests. */
import type { Browser } from './playwright.d.mts'

/** Launches a browser; `log` receives lines about what is installed. For tests, it doesn't optimize code that runs often. */
export function launchBrowser(
  log?: (line: string) => void,
  options?: { readonly isForTests?: boolean },
): Promise<Browser>
