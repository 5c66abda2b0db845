/** The texts of the benchmark. */
export declare function hostileTexts(size: number): ReadonlyMap<string, string>
export declare function mixedCorpus(size: number): { readonly ocm: string }
