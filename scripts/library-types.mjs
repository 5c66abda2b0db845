/**
 * Writes the types of the library to `dist/library`: all of them in one file, and a file for each subpath that names some of them.
 * Needs the declarations that `tsc -b core` writes.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rollup } from 'rollup'
import { libraryEntries } from './library-entries.mjs'
import { root } from './repository.mjs'

const declarations = join(root, 'dist', 'types', 'core')
const folder = join(root, 'dist', 'library')

// The plugin works on the compiler's API, which TypeScript 7 does not have; a tool for tests comes with a compiler that does.
const resolvedBy = (name) => createRequire(createRequire(import.meta.url).resolve(name))
const require = resolvedBy('rollup-plugin-dts')
require.cache[require.resolve('typescript')] = {
  exports: resolvedBy('@arethetypeswrong/core')('typescript'),
  loaded: true,
}
const { dts } = await import('rollup-plugin-dts')

/** TypeScript has this type from 5.4 on; the library supports 5.0. */
const noInfer = 'type NoInfer<Value> = [Value][Value extends unknown ? 0 : never]\n'

/** Writes the files: `.d.mts` for `import`, and the same as `.d.cts` for `require`. */
export async function writeLibraryTypes() {
  mkdirSync(folder, { recursive: true })
  write('index', await bundled(join(declarations, 'index.d.ts')))
  write('tokenizer', await bundled(join(declarations, 'convert', 'o200k-encoder.d.ts')))
  for (const [subpath, { values, types }] of Object.entries(libraryEntries)) {
    const names = [...values, ...types.map((it) => `type ${it}`)].join(', ')
    write(subpath, `export { ${names} } from './index.mjs'\n`)
  }
}

function write(name, text) {
  writeFileSync(join(folder, `${name}.d.mts`), text)
  writeFileSync(join(folder, `${name}.d.cts`), text.replaceAll(/(from '\.\/\w+)\.mjs'/g, "$1.cjs'"))
}

async function bundled(input) {
  const bundle = await rollup({
    input,
    plugins: [dts()],
    onwarn: ({ message }) => {
      throw new Error(message) // a package that users do not have, for example
    },
  })
  const { output } = await bundle.generate({ format: 'es' })
  await bundle.close()
  return output[0].code.includes('NoInfer<') ? noInfer + output[0].code : output[0].code
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await writeLibraryTypes()
