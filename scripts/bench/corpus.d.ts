/** The benchmark's conversations: a fixed generator, so that every run and every peer sees the same text. */
/** A message as both forms need it: the text of `.ocm`, and the equivalent object for JSON. */
export interface CorpusMessage {
  readonly text: string
  readonly json: object
}
/** A corpus in both forms. */
export interface Corpus {
  /** The `.ocm` document. */
  readonly ocm: string
  /** The same conversation as JSON, for the peers that read JSON. */
  readonly json: string
  readonly messageCount: number
}
/** A small generator of pseudo-random numbers (mulberry32): the same sequence on every machine. */
export declare function randomFrom(seed: number): () => number
/** A mixed corpus of about `size` UTF-16 code units. */
export declare function mixedCorpus(size: number): Corpus
/** Texts that try to make a state of the automaton slow, each of about `size` code units. */
export declare function hostileTexts(size: number): ReadonlyMap<string, string>
/** `text` as it would come from a file: one flat string, not a tree of pieces. */
export declare function asFromFile(text: string): string
/** `ocm`, made by {@link mixedCorpus}, as far as Harmony can say it: without header, call ids, literal blocks and escapes. */
export declare function asHarmony(ocm: string): string
