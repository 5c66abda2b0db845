/** The conversation of the benchmark, which lies outside the folder that the tests' types come from. */
export { mixedCorpus } from '../../../scripts/bench/corpus.ts'
