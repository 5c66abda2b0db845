/** Waits for what a page shows. */
import type { Frame } from '../vscode/playwright.d.mts'

const patience = 1_200_000 // milliseconds: large files are read meanwhile

/** Waits until `condition` holds in the page. */
export async function until(frame: Frame, condition: string): Promise<void> {
  const end = performance.now() + patience
  while (!(await frame.evaluate<boolean>(`Boolean(${condition})`))) {
    if (performance.now() > end) throw new Error(`${condition}: not within ${patience} ms`)
    await new Promise((done) => setTimeout(done, 5))
  }
}
