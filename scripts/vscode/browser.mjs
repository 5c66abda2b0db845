/**
 * Finds a Chromium to show VS Code with, and launches it without a window: one that is installed, else one from npm.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { exclusively, installationFolder, installChromium, installDriver } from './install.mjs'
import { patiently } from './patiently.mjs'

const names = [
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'chrome',
  'microsoft-edge',
]
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
]

/**
 * Launches a browser.
 *
 * @param {(line: string) => void} log receives lines about what is installed
 * @param {{ isForTests?: boolean }} options without optimized code for tests, most of which run code a few times: optimizing it costs
 *   them a seventh of the processor time of the browser
 * @returns {Promise<import('playwright-core').Browser>}
 */
export async function launchBrowser(log = console.log, { isForTests = false } = {}) {
  const { playwright, executablePath, env } = await installBrowser(log)
  const options = {
    executablePath,
    env,
    // By default, what processes share is in files on the disk: it costs more there than in memory.
    ignoreDefaultArgs: hasSharedMemory() ? ['--disable-dev-shm-usage'] : [],
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      ...(isForTests ? ['--js-flags=--no-opt'] : []),
      '--force-color-profile=srgb',
    ],
  }
  // A browser may crash while it starts.
  return patiently(() => playwright.chromium.launch(options), { attempts: 3 })
}

/** Makes sure that there is a browser, and the program that drives it. */
export async function installBrowser(log = console.log) {
  const playwright = await installDriver(log)
  return { playwright, ...(installedBrowser() ?? (await packedBrowser(log))) }
}

/** True where memory can be shared in plenty; a container may have 64 MB. */
function hasSharedMemory() {
  const folder = '/dev/shm'
  if (!existsSync(folder)) return false
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize > 2 ** 30 // bytes
}

/** `OPENCHATML_BROWSER`, or a browser on the PATH that prints its version. */
function installedBrowser() {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((it) => it !== '')
  const candidates = process.env.OPENCHATML_BROWSER
    ? [process.env.OPENCHATML_BROWSER]
    : [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...places]
  for (const executablePath of candidates) {
    if (!existsSync(executablePath)) continue
    const { status } = spawnSync(executablePath, ['--version', '--no-sandbox'], { timeout: 10_000 })
    if (status === 0) return { executablePath, env: process.env }
  }
  return undefined
}

async function packedBrowser(log) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('No Chromium or Chrome found: install one, or let OPENCHATML_BROWSER name its program')
  }
  const folder = await unpack(await installChromium(log), log)
  const executablePath = join(folder, 'chromium')
  return {
    executablePath,
    env: { ...process.env, ...librariesFor(executablePath, folder), ...fontsFor(folder) },
  }
}

/** Unpacks Chromium and the libraries and fonts that come with it. */
async function unpack(packageFolder, log) {
  const folder = join(installationFolder, 'chromium-147.0.0-unpacked')
  if (existsSync(folder)) return folder
  return exclusively('chromium-unpacked', log, async () => {
    if (existsSync(folder)) return folder
    log('  unpacking Chromium')
    const part = `${folder}.part`
    rmSync(part, { recursive: true, force: true })
    mkdirSync(part, { recursive: true })
    // The package unpacks into the folder for temporary files, and its libraries only where it believes itself in a
    // cloud function. Both are environment variables, hence a process of its own.
    const script = `import chromium from ${JSON.stringify(join(packageFolder, 'build', 'esm', 'index.js'))}
      await chromium.executablePath()`
    const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], {
      env: { ...process.env, TMPDIR: part, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs22.x', NODE_OPTIONS: '' },
      encoding: 'utf8',
    })
    if (status !== 0 || !existsSync(join(part, 'chromium')))
      throw new Error(`Chromium cannot be unpacked:\n${stderr}`)
    renameSync(part, folder)
    return folder
  })
}

/** Chromium needs a few libraries (NSS, Expat) that small systems lack; then those that come with it serve. */
function librariesFor(executablePath, folder) {
  const { stdout } = spawnSync('ldd', [executablePath], { encoding: 'utf8' })
  if (stdout && !stdout.includes('not found')) return {}
  const libraries = join(folder, 'al2023', 'lib')
  const before = process.env.LD_LIBRARY_PATH
  return { LD_LIBRARY_PATH: before ? `${libraries}${delimiter}${before}` : libraries }
}

/** A system without any font would show a page without any text. */
function fontsFor(folder) {
  if (['/usr/share/fonts', '/usr/local/share/fonts'].some(hasFont)) return {}
  const configuration = join(folder, 'fonts.conf')
  writeFileSync(
    configuration,
    `<?xml version="1.0"?>\n<fontconfig><dir>${join(folder, 'fonts')}</dir><cachedir>${join(tmpdir(), 'openchatml-fonts')}</cachedir></fontconfig>\n`,
  )
  return { FONTCONFIG_FILE: configuration }
}

function hasFont(folder) {
  if (!existsSync(folder)) return false
  return readdirSync(folder, { recursive: true }).some((it) => /\.(ttf|otf|ttc|woff2?)$/i.test(String(it)))
}
