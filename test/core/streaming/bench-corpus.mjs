/** The texts of the benchmark, which lie outside the folder that the tests' types come from. */
export { hostileTexts, mixedCorpus } from '../../../scripts/bench/corpus.ts'
