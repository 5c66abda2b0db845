/** The examples of the documentation are programs: each is run, and prints what the page says. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { build } from 'esbuild'

const run = promisify(execFile)

interface Example {
  readonly program: string
  readonly output: string
}

/** Every TypeScript block that a text block follows: a program and what it prints. */
function examplesIn(page: string): Example[] {
  const pairs = page.matchAll(/```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)
  return [...pairs].map(([, program = '', output = '']) => ({ program, output }))
}

const pages = readdirSync('docs').filter((it) => it.endsWith('.md'))
const examples = pages.flatMap((page) =>
  examplesIn(readFileSync(join('docs', page), 'utf8')).map((it, index) => ({ ...it, page, index })),
)

/** Bundles the programs into `folder`, together because they share most of their code: `0.mjs` and so on. */
async function bundle(programs: readonly string[], folder: string): Promise<void> {
  await build({
    entryPoints: programs.map((_, index) => ({ in: `example:${index}`, out: String(index) })),
    plugins: [
      {
        name: 'examples',
        setup: ({ onResolve, onLoad }) => {
          onResolve({ filter: /^example:/ }, ({ path }) => ({ path: path.slice(8), namespace: 'example' }))
          onLoad({ filter: /^/, namespace: 'example' }, ({ path }) => ({
            contents: programs[Number(path)] ?? '',
            resolveDir: process.cwd(),
            loader: 'ts',
          }))
        },
      },
    ],
    bundle: true,
    splitting: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    format: 'esm',
    target: 'node20',
    outExtension: { '.js': '.mjs' },
    alias: {
      'openchatml/tokenizer': './core/src/convert/o200k-encoder.ts',
      openchatml: './core/src/index.ts',
    },
    outdir: folder,
    logLevel: 'error',
  })
}

describe('the examples of the documentation', { concurrency: 2 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'openchatml-examples-'))
  before(() =>
    bundle(
      examples.map(({ program }) => program),
      folder,
    ),
  )
  after(() => rmSync(folder, { recursive: true, force: true }))

  for (const [nth, { page, index, output }] of examples.entries()) {
    it(`docs/${page}: example ${index + 1} prints what the page says`, async () => {
      const env = { ...process.env, NO_COLOR: '1' }
      const { stdout } = await run(process.execPath, [join(folder, `${nth}.mjs`)], { env })
      assert.equal(stdout.trimEnd(), output.trimEnd())
    })
  }
})
