/** Where packages were installed. */
export interface InstalledPeers {
  /** Their `node_modules`. */
  readonly modules: string
  readonly versions: Readonly<Record<string, string>>
}

/** Installs DuckDB once. @throws Error if npm cannot install it */
export function installDuckdb(log: (line: string) => void): InstalledPeers
