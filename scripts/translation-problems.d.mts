/** The languages that there are translations for, such as `de` and `zh-cn`. */
export declare function languages(): string[]
/** Every problem of all translations, one line each: the file, what is wrong, and the English text or key. */
export declare function translationProblems(): string[]
/** The problems of the texts in `translated`, which have the keys of `english`. */
export declare function problemsOf(
  english: Readonly<Record<string, string>>,
  translated: Readonly<Record<string, unknown>>,
): string[]
