/** Loaded before a test file: makes its properties start from the seed of the round. */
import fc from 'fast-check'

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: Number(process.env.FUZZ_SEED) })
