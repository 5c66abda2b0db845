/** Types of `install.mjs`, for the tests. */

/** VS Code's own extensions, with the grammars that transcripts embed. Installs VS Code if need be. */
export function vscodeExtensionsFolder(log?: (line: string) => void): Promise<string>

/** Makes sure that TypeScript 5.0 is installed; the result is its compiler. */
export function installOldestTypeScript(log?: (line: string) => void): Promise<string>
