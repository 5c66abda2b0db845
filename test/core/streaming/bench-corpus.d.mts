/** The conversation of the benchmark. */
export declare function mixedCorpus(size: number): { readonly ocm: string }
