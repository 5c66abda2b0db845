/** DuckDB, from where `bench.mjs` installed it. */
import { createRequire } from 'node:module'
import { join } from 'node:path'

/** What runs statements. */
export interface DuckDb {
  run(statement: string): Promise<unknown>
  closeSync(): void
}

/** DuckDB in memory. @param modules the `node_modules` that has it */
export async function duckDbIn(modules: string | undefined, threads: number): Promise<DuckDb> {
  const { DuckDBInstance } = createRequire(join(modules ?? '', 'index.js'))('@duckdb/node-api')
  return (await DuckDBInstance.create(':memory:', { threads: String(threads) })).connect()
}
