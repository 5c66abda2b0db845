/**
 * Makes the two packages from one source, `package.json`: the extension for VS Code, and the command line with the library for npm.
 *
 *     node scripts/packages.mjs        dist/packages/openchatml-VERSION.vsix and openchatml-VERSION.tgz; run the build before
 *
 * `.vscodeignore` and `.npmignore` list what each of them contains.
 */
import { execFile } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { listFiles } from '@vscode/vsce'
import { writeLibraryTypes } from './library-types.mjs'
import { fileAddress, hasRepository, root } from './repository.mjs'
import { npmCommand } from './vscode/install.mjs'

const run = promisify(execFile)

/** The list of what the extension contains. */
const ignoreFile = '.vscodeignore'
/** The list of what the package for npm contains. */
const npmIgnoreFile = '.npmignore'

/** What both manifests have. */
const shared = ['name', 'version', 'license', 'repository', 'bugs', 'homepage', 'keywords']
const ofExtension = [
  ...['displayName', 'description', 'publisher', 'icon', 'galleryBanner', 'categories', 'extensionKind'],
  ...['capabilities', 'main', 'browser', 'l10n', 'activationEvents', 'contributes', 'vsce'],
]
const ofLibrary = ['exports', 'sideEffects', 'bin', 'man']

/** The manifest of the extension. */
export function extensionManifest(source) {
  return {
    ...picked(source, [...shared, ...ofExtension]),
    engines: { vscode: source.engines.vscode },
    imports: importsOf(source, ['#tokenizer', '#tokenizer-json']),
    // Pages on the Marketplace need whole addresses; without a repository the pages of the package are all there are.
    vsce: { ...source.vsce, rewriteRelativeLinks: hasRepository(source) },
  }
}

/** The manifest of the package for npm. */
export function npmManifest(source) {
  return {
    ...picked(source, shared),
    description: 'Check, fix, convert, and render OpenChatML transcripts and datasets of conversations',
    type: 'commonjs',
    engines: { node: source.engines.node },
    main: source.exports['.'].require.default,
    types: source.exports['.'].require.types,
    ...picked(source, ofLibrary),
    typesVersions: { '*': typesBySubpath(source) },
    imports: importsOf(source, Object.keys(source.imports)),
  }
}

/**
 * Writes both packages as folders in `folder`, which `vsce package` and `npm pack` pack as they are.
 *
 * @returns the paths of the folders
 */
export async function stagePackages(folder) {
  const source = readJson('package.json')
  const extension = join(folder, 'extension')
  const npm = join(folder, 'npm')
  const [files, npmFiles] = await Promise.all([filesOfExtension(folder), filesOfLibrary(folder)])
  stage(extension, extensionManifest(source), files)
  copyFileSync(join(root, ignoreFile), join(extension, ignoreFile)) // else vsce misses a list of files
  stage(npm, npmManifest(source), npmFiles)
  copyFileSync(join(root, 'cli', 'README.md'), join(npm, 'README.md'))
  return { extension, npm }
}

function stage(folder, manifest, files) {
  rmSync(folder, { recursive: true, force: true })
  const all = new Set(files.map((it) => it.replaceAll('\\', '/')))
  for (const file of all) {
    mkdirSync(join(folder, dirname(file)), { recursive: true })
    if (file.endsWith('.md')) writeFileSync(join(folder, file), withWholeLinks(file, all, manifest))
    else copyFileSync(join(root, file), join(folder, file))
  }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`)
}

/** A page in which links to files that are not in the package lead to the repository. */
function withWholeLinks(page, files, manifest) {
  const text = readFileSync(join(root, page), 'utf8')
  return text.replaceAll(/\]\((?![a-z]+:|#)([^)\s#]+)/g, (link, target) => {
    const file = posix.join(posix.dirname(page), target)
    const isThere = files.has(file) || [...files].some((it) => it.startsWith(`${file.replace(/\/$/, '')}/`))
    return isThere ? link : `](${fileAddress(manifest, file)}`
  })
}

/** The files that vsce packs. */
async function filesOfExtension(folder) {
  return listFiles({ cwd: emptyCopies(folder, ignoreFile), packageManager: 0 })
}

/** The files that npm packs. */
async function filesOfLibrary(folder) {
  await writeLibraryTypes()
  const copy = emptyCopies(folder, npmIgnoreFile)
  const { stdout } = await npm(['pack', '--dry-run', '--json', '--ignore-scripts'], copy)
  return JSON.parse(stdout)[0].files.map(({ path }) => path)
}

/**
 * A folder with an empty copy of each file that the lines of a list can mean. vsce compares every file below a folder with every
 * line of its list, those of `node_modules` and of installed editors too, and npm compresses what it only lists.
 *
 * @returns its path
 */
function emptyCopies(folder, list) {
  const copy = join(folder, `listed-by${list}`)
  for (const line of readFileSync(join(root, list), 'utf8').split('\n')) {
    if (!line.startsWith('!')) continue
    const [, parent] = /^!\/?((?:[^*/]+\/)*)/.exec(line)
    const isDeep = line.includes('**')
    for (const it of readdirSync(join(root, parent), { recursive: isDeep, withFileTypes: true })) {
      if (!it.isFile()) continue
      const path = join(copy, relative(root, it.parentPath), it.name)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, '')
    }
  }
  for (const it of [list, 'package.json']) copyFileSync(join(root, it), join(copy, it))
  return copy
}

function npm(args, cwd) {
  const [program, all] = npmCommand([...args, '--loglevel=error'])
  return run(program, all, { cwd, shell: program === 'npm' && process.platform === 'win32' })
}

/** For compilers that do not know `exports`: `"moduleResolution": "node"`. */
function typesBySubpath({ exports }) {
  return Object.fromEntries(
    Object.entries(exports).flatMap(([path, it]) =>
      path === '.' ? [] : [[path.slice(2), [(it.require?.types ?? it).slice(2)]]],
    ),
  )
}

/** The modules that bundles load by name; their types are for the compilation of this repository. */
function importsOf({ imports }, names) {
  return Object.fromEntries(names.map((name) => [name, imports[name].default]))
}

function picked(source, keys) {
  return Object.fromEntries(keys.flatMap((key) => (source[key] === undefined ? [] : [[key, source[key]]])))
}

function readJson(path) {
  return JSON.parse(readFileSync(join(root, path), 'utf8'))
}

/** Packs the folders with `vsce package` and `npm pack`, into `folder`. @returns the paths of the files, and what vsce printed */
export async function pack({ extension, npm: library }, folder) {
  const { name, version } = readJson('package.json')
  const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce')
  const [{ stdout }] = await Promise.all([
    run(process.execPath, [vsce, 'package'], { cwd: extension }),
    npm(['pack', '--pack-destination', folder], library),
  ])
  const vsix = join(folder, `${name}-${version}.vsix`)
  renameSync(join(extension, `${name}-${version}.vsix`), vsix)
  return { vsix, tarball: join(folder, `${name}-${version}.tgz`), log: stdout }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = join(root, 'dist', 'packages')
  const { vsix, tarball, log } = await pack(await stagePackages(folder), folder)
  console.log(`${log}\n${vsix}\n${tarball}`)
}
