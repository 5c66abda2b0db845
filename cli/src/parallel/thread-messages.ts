/** What this program's threads say to one another. */
import type { Works } from './work.ts'

/** What a worker is started with. */
export interface WorkerSetup {
  readonly name: keyof Works
  readonly setup: Works[keyof Works]['setup']
}

/** A piece of work for a worker. */
export interface Order {
  readonly id: number
  readonly input: unknown
}

/** What a worker made of it. */
export type Answer<Result> =
  | { readonly id: number; readonly result: Result }
  | { readonly id: number; readonly problem: string }
