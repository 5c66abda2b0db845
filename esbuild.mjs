/**
 * Builds every bundle into `dist`.
 *
 *     node esbuild.mjs                 once, with source maps
 *     node esbuild.mjs --production    smaller, without source maps: what is published
 *     node esbuild.mjs --watch         again at each change
 *
 * Dependencies are bundled, so neither the extension nor the command line nor the library needs `node_modules` at run time.
 */
import { chmodSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, context } from 'esbuild'
import { libraryEntries, subpathModule } from './scripts/library-entries.mjs'
import { buildConstants, root } from './scripts/repository.mjs'

process.env.GOGC ??= '400' // esbuild collects garbage less often: a tenth of its time, for memory that it can have

const production = process.argv.includes('--production')
const watch = process.argv.includes('--watch')

// At most what VS Code 1.99, the oldest supported, runs: Electron 34.
const node = { platform: 'node', target: 'node20', format: 'cjs' }
const browser = { platform: 'browser', target: 'chrome122' }

/**
 * Both files of the server share one protocol library: they hand each other its objects. Each takes its exports in one place:
 * otherwise, esbuild copies several hundred of them for each module that imports one.
 */
const protocolApart = {
  name: 'protocol-apart',
  setup(build) {
    build.onResolve({ filter: /^vscode-languageserver(\/node)?$/ }, () => ({
      path: 'protocol',
      namespace: 'protocol-apart',
    }))
    build.onResolve({ filter: /./, namespace: 'protocol-apart' }, ({ path }) => ({ path, external: true }))
    build.onLoad({ filter: /./, namespace: 'protocol-apart' }, () => ({
      contents: "export * from './protocol.js'",
    }))
  },
}

/**
 * The parsers of YAML and TypeScript, and the engine for expressions of schemas, are run when the first text asks for them, not
 * whenever a program starts. In Node they are files of their own, which all programs share.
 */
const parsersLate = {
  name: 'parsers-late',
  setup(build) {
    const isReal = {}
    const isNode = build.initialOptions.platform === 'node'
    for (const [filter, path] of [
      [/^@babel\/parser$/, '../parsers/babel.js'],
      [/^re2js$/, '../parsers/re2js.js'],
    ]) {
      build.onResolve({ filter }, ({ kind }) =>
        isNode && kind !== 'entry-point' ? { path, external: true } : undefined,
      )
    }
    build.onResolve({ filter: /^yaml$/ }, ({ path, kind, pluginData }) =>
      pluginData === isReal || kind === 'entry-point' ? undefined : { path, namespace: 'late' },
    )
    build.onResolve({ filter: /^real-yaml$/, namespace: 'late' }, ({ resolveDir, kind }) =>
      isNode
        ? { path: '../parsers/yaml.js', external: true }
        : build.resolve('yaml', { resolveDir, kind, pluginData: isReal }),
    )
    build.onLoad({ filter: /./, namespace: 'late' }, async () => {
      const names = Object.keys(await import('yaml')).filter((it) => /^\w+$/.test(it) && it !== 'default')
      const getters = names.map((name) => `get ${name}() { return load().${name} }`)
      const load = "let real\nconst load = () => (real ??= require('real-yaml'))"
      const contents = `${load}\nmodule.exports = { ${getters.join(', ')} }`
      return { contents, resolveDir: root }
    })
  },
}

/** A subpath of the library is an entry that exports some names of the public API. */
const librarySubpaths = {
  name: 'library-subpaths',
  setup(build) {
    build.onResolve({ filter: /^subpath:/ }, ({ path }) => ({
      path: path.slice('subpath:'.length),
      namespace: 'subpath',
    }))
    build.onLoad({ filter: /./, namespace: 'subpath' }, ({ path }) => ({
      contents: subpathModule(path),
      resolveDir: join(root, 'core', 'src'),
    }))
  },
}

/**
 * The modules of a bundle in parts, for `require`: each module for `import` in `folder`, with its imports turned into `require`.
 * esbuild divides only bundles for `import`.
 */
const partsForRequire = (folder, { extension, isForImport, ...options }) => ({
  name: 'parts-for-require',
  setup(own) {
    own.onEnd(async ({ errors, metafile }) => {
      if (errors.length > 0) return
      const modules = Object.keys(metafile.outputs).filter((it) => it.endsWith('.mjs'))
      const { outputFiles } = await build({
        entryPoints: modules.filter((it) => !it.endsWith('/tokenizer.mjs')), // `require` finds it in a folder of its own
        outdir: folder,
        write: false,
        outExtension: { '.js': extension },
        absWorkingDir: root,
        bundle: true,
        ...options,
        format: 'cjs',
        minifySyntax: production,
        minifyWhitespace: production,
        logLevel: 'warning',
        plugins: [requiredParts(extension)],
      })
      for (const { path, text } of outputFiles) writeFileSync(path, withoutCopiedExports(text))
      if (!isForImport) for (const it of Object.keys(metafile.outputs)) rmSync(join(root, it))
    })
  },
})

/**
 * `code` of a part that gives others its exports themselves. esbuild copies them for consumers that ask for `__esModule`, which no
 * part does, and reading a copy takes a second getter: the row "`ocm convert` on a pipe" of `npm run bench` would be 10 % slower.
 */
const withoutCopiedExports = (code) =>
  code.replace(/\b(module\.exports ?= ?)__toCommonJS\((part_\w+)\)/, '$1$2')

/** The command line, which is run by its name. */
const executable = {
  name: 'executable',
  setup: ({ onEnd }) =>
    onEnd(({ errors }) => errors.length || chmodSync(join(root, 'dist', 'cli', 'ocm.js'), 0o755)),
}

/**
 * A part loads others where the module for `import` did: at its beginning, or late. Bundles with a name in `package.json` are
 * loaded in the same way, because Node looks through all of a file that it imports for the names that it exports.
 */
const requiredParts = (extension) => ({
  name: 'required-parts',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined
      if (!/^(?:\.\/.*\.mjs|#.*)$/.test(path)) return { path, external: true }
      const part = path.replace(/\.mjs$/, extension)
      return kind === 'dynamic-import'
        ? { path: part, namespace: 'late-part' }
        : { path: part, external: true }
    })
    build.onLoad({ filter: /./, namespace: 'late-part' }, ({ path }) => ({
      contents: `module.exports = require(${JSON.stringify(path)})`,
    }))
  },
})

/** The list of the vocabulary as JSON, which engines read in much less time than a list of the language. */
const vocabularyAsJson = {
  name: 'vocabulary-as-json',
  setup(build) {
    build.onLoad({ filter: /[\\/]bpeRanks[\\/]o200k_base\.js$/ }, async () => {
      const { default: ranks } = await import('gpt-tokenizer/bpeRanks/o200k_base')
      return { contents: `export default JSON.parse(${JSON.stringify(JSON.stringify(ranks))})` }
    })
  },
}

/** What is built: entries with the same options together, because they share what esbuild reads and parses. */
const builds = [
  {
    in: {
      'client/node': 'client/src/node.ts',
      // The threads that read columns of datasets.
      'client/columns': 'client/src/datasets/column-thread.ts',
      // The server in Node begins with little: what answers requests is loaded while the client reads what it may ask for.
      'server/node': 'server/src/main-node.ts',
      'server/services': 'server/src/services.ts',
      // The thread that counts tokens. In Node it finds the vocabulary by its name, in a browser it is told where it is.
      'server/count-node': 'server/src/counting/thread-node.ts',
      // As for the server: other commands need not load the library for the protocol.
      'mcp/protocol': 'cli/src/mcp/mcp-protocol.ts',
      // The vocabulary is large, and only token counts need it: `#tokenizer`, and `openchatml/tokenizer` for users of the library.
      'tokenizer/o200k': 'core/src/convert/o200k-encoder.ts',
      'tokenizer/tokenizer-json': 'core/src/training/tokenizer-json.ts',
    },
    ...node,
    external: ['vscode', '*/services.js', '#tokenizer', '#tokenizer-json'],
    plugins: [protocolApart, vocabularyAsJson],
  },
  {
    in: {
      'server/protocol': 'vscode-languageserver/node',
      'parsers/yaml': 'yaml',
      'parsers/babel': '@babel/parser',
      'parsers/re2js': 're2js',
    },
    ...node,
  },
  { in: { 'client/browser': 'client/src/browser.ts' }, ...browser, format: 'cjs', external: ['vscode'] },
  {
    in: {
      'server/browser': 'server/src/main-browser.ts',
      'server/count-browser': 'server/src/counting/thread-browser.ts',
      'webview/main': 'client/webview/preview-script.ts',
      'webview/dataset': 'client/webview/dataset/dataset-script.ts',
      'webview/review': 'client/webview/review/review-script.ts',
    },
    ...browser,
    format: 'iife',
    loader: { '.css': 'empty' },
  },
  {
    in: { 'webview/notebook': 'client/webview/notebook-script.ts' },
    ...browser,
    format: 'esm',
    loader: { '.css': 'text' },
  },
  {
    in: {
      'webview/main': 'client/webview/main.css',
      'webview/markdown': 'client/webview/styles/markdown-fences.css',
      'webview/dataset': 'client/webview/dataset/main.css',
      'webview/review': 'client/webview/review/review.css',
    },
    ...browser,
  },
  // In parts, so that a command loads only what it needs. The server is a file of its own (`#server` in package.json).
  {
    in: { ocm: 'cli/src/main.ts' },
    folder: 'cli',
    ...node,
    format: 'esm',
    splitting: true,
    chunkNames: 'part-[hash]',
    outExtension: { '.js': '.mjs' },
    external: ['#server', '#mcp', '#tokenizer', '#tokenizer-json'],
    plugins: [
      partsForRequire('dist/cli', { extension: '.js', sourcemap: production ? false : 'linked', ...node }),
      executable,
    ],
  },
  // The library in parts, so that a program which needs one function bundles little more than that.
  {
    in: {
      index: 'core/src/index.ts',
      tokenizer: 'core/src/convert/o200k-encoder.ts',
      ...Object.fromEntries(Object.keys(libraryEntries).map((it) => [it, `subpath:${it}`])),
    },
    folder: 'library',
    ...browser,
    format: 'esm',
    splitting: true,
    chunkNames: 'part-[hash]',
    outExtension: { '.js': '.mjs' },
    plugins: [
      librarySubpaths,
      vocabularyAsJson,
      partsForRequire('dist/library', { extension: '.cjs', isForImport: true, ...browser }),
    ],
  },
]

for (const it of ['cli', 'library']) rmSync(join(root, 'dist', it), { recursive: true, force: true }) // names of parts change with their content

const contexts = []
for (const { in: entryPoints, folder = '', plugins = [], ...options } of builds) {
  contexts.push(
    await context({
      entryPoints,
      outdir: join('dist', folder),
      absWorkingDir: root,
      bundle: true,
      mainFields: options.platform === 'browser' ? ['browser', 'module', 'main'] : ['module', 'main'],
      // Identifiers keep their names, so that a stack trace in a bug report can be read.
      minifySyntax: production,
      minifyWhitespace: production,
      legalComments: 'none', // THIRD-PARTY-NOTICES.txt has the licenses
      metafile: true,
      sourcemap: production ? false : 'linked',
      inject: [join(root, 'scripts/silent-console.mjs')],
      define: {
        console: 'silentConsole',
        // Of a page or a worker: a library resolves references in schemas against it, and some workers' is no address.
        'self.location': 'undefined',
        'process.env.NODE_ENV': production ? '"production"' : '"development"',
        ...buildConstants,
      },
      logLevel: 'warning',
      plugins: [parsersLate, announce(folder), ...plugins],
      ...options,
    }),
  )
}

if (watch) {
  await Promise.all(contexts.map((it) => it.watch()))
  console.log('Watching for changes; Ctrl+C ends it.')
} else {
  const results = await Promise.allSettled(contexts.map((it) => it.rebuild()))
  await Promise.all(contexts.map((it) => it.dispose()))
  const inputs = results.flatMap(({ value }) => Object.keys(value?.metafile.inputs ?? {}))
  writeFileSync(join(root, 'dist', 'bundled-packages.json'), JSON.stringify(packagesOf(inputs)))
  if (results.some((it) => it.status === 'rejected')) process.exitCode = 1 // esbuild has said why
}

/** The packages that files of `inputs` are from, by name: for `scripts/notices.mjs`. */
function packagesOf(inputs) {
  const names = inputs.flatMap((it) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(it)?.[1] ?? [])
  return [...new Set(names)].sort()
}

/** Says what was written: every file, or the folder whose parts they are. */
function announce(folder) {
  return {
    name: 'announce',
    setup(build) {
      build.onEnd(({ errors, metafile }) => {
        if (errors.length > 0) return
        const files = Object.keys(metafile.outputs).filter((it) => !it.endsWith('.map'))
        const size = (those) => those.reduce((sum, it) => sum + statSync(join(root, it)).size, 0)
        const say = (what, bytes) =>
          console.log(`  ${what.padEnd(20)} ${String(Math.ceil(bytes / 1024)).padStart(6)} KiB`)
        if (folder !== '') say(folder, size(files))
        else for (const it of files) say(it.replace('dist/', ''), size([it]))
      })
    },
  }
}
