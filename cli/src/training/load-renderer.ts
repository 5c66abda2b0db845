/** Loads what renders samples: the engine of chat templates is a part of the program that most runs do without. */
import type { RenderChoice, TrainingRenderer } from './training-work.ts'

/** What renders samples by `choice`, if there is one. @throws FileProblem */
export async function loadRenderer(choice: RenderChoice | undefined): Promise<TrainingRenderer | undefined> {
  if (choice === undefined) return undefined
  const { TrainingRenderer } = await import('./training-work.ts')
  return TrainingRenderer.load(choice)
}
