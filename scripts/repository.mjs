/** Where things are in the repository, and which dependencies are bundled: shared by every script. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** The root of the repository, absolute. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))

/** The version of the package. */
export const { version } = manifest

/** True once the manifest names a repository, and no placeholder. */
export function hasRepository({ repository }) {
  return !repository.url.includes('/OWNER/')
}

/** The address of a file of the repository. */
export function fileAddress({ homepage }, path) {
  return `${homepage.replace(/#.*/, '')}/blob/main/${path}`
}

/** What takes the place of variables in the programs: the version, and where pages about rules are, if they are published. */
export const buildConstants = {
  'process.env.PACKAGE_VERSION': JSON.stringify(version),
  'process.env.RULE_PAGES': JSON.stringify(
    hasRepository(manifest) ? fileAddress(manifest, 'docs/rules') : '',
  ),
}

/** Dependencies that are bundled everywhere: their CommonJS build defeats named imports, or they are loaded when first needed. */
const bundledPackages = [
  '@babel/parser',
  're2js',
  'vscode-json-languageservice',
  'jsonc-parser',
  'vscode-languageserver-textdocument',
  'vscode-languageserver-types',
  'vscode-uri',
]

/**
 * An esbuild plugin: leaves packages to Node, except those that need bundling, and keeps the scripts of this folder
 * where they are, because they find files relative to themselves.
 */
export const leavePackagesOut = {
  name: 'leave-packages-out',
  setup(build) {
    build.onResolve({ filter: /^[^./]/ }, (args) => {
      if (args.kind === 'entry-point' || /^[A-Za-z]:/.test(args.path)) return undefined
      if (bundledPackages.some((name) => args.path === name || args.path.startsWith(name + '/')))
        return undefined
      return { path: args.path, external: true }
    })
    build.onResolve({ filter: /^\.{1,2}\/.*\.mjs$/ }, (args) => {
      const path = join(args.resolveDir, args.path)
      if (!path.startsWith(join(root, 'scripts')) || !existsSync(path)) return undefined
      return { path: pathToFileURL(path).href, external: true }
    })
  },
}
