/** The examples of the documentation are programs: each is run, and prints what the page says. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { build } from 'esbuild'

interface Example {
  readonly program: string
  readonly output: string
}

/** Every TypeScript block that a text block follows: a program and what it prints. */
function examplesIn(page: string): Example[] {
  const pairs = page.matchAll(/```ts\n([\s\S]*?)```\n\n```text\n([\s\S]*?)```/g)
  return [...pairs].map(([, program = '', output = '']) => ({ program, output }))
}

async function outputOf(program: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'openchatml-example-'))
  try {
    const outfile = join(folder, 'example.mjs')
    await build({
      stdin: { contents: program, resolveDir: process.cwd(), loader: 'ts' },
      bundle: true,
      platform: 'neutral',
      mainFields: ['module', 'main'],
      format: 'esm',
      target: 'node20',
      alias: {
        'openchatml/tokenizer': './core/src/convert/o200k-encoder.ts',
        openchatml: './core/src/index.ts',
      },
      outfile,
      logLevel: 'error',
    })
    writeFileSync(join(folder, 'package.json'), '{}')
    return execFileSync(process.execPath, [outfile], {
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

for (const name of readdirSync('docs').filter((it) => it.endsWith('.md'))) {
  const examples = examplesIn(readFileSync(join('docs', name), 'utf8'))
  if (examples.length === 0) continue
  describe(`docs/${name}`, { concurrency: 2 }, () => {
    examples.forEach(({ program, output }, index) => {
      it(`example ${index + 1} prints what the page says`, async () => {
        assert.equal((await outputOf(program)).trimEnd(), output.trimEnd())
      })
    })
  })
}
