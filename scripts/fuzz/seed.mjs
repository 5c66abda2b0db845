/**
 * Loaded before a test file: makes its properties start from the seed of the round, and from the same one in every run of
 * `npm test`, so that a change fails for what it does. What no seed has met yet is for `npm run fuzz` to find.
 *
 * Threads of the programs under test load this file, too. They have no properties, and need not read the maps of their sources.
 */
import { isMainThread } from 'node:worker_threads'

if (isMainThread) {
  const { default: fc } = await import('fast-check')
  fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.FUZZ_SEED ?? 2026) })
} else process.setSourceMapsEnabled(false)
