/** The subpaths of the library, and the names that each exports. */
export const libraryEntries: Readonly<
  Record<string, { readonly values: readonly string[]; readonly types: readonly string[] }>
>
