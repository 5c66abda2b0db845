/**
 * Makes the workbench load extensions under development into the Web Worker that runs extensions, as vscode.dev does.
 *
 * Such extensions must come over HTTP from the workbench's own origin, and the workbench learns of them from the configuration in its
 * page. Both are done on the way to the browser, without another server.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'

const types = {
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.html': 'text/html',
}

/**
 * @param {import('playwright-core').BrowserContext} context where the workbench will be opened
 * @param {object} options
 * @param {number} options.port of VS Code's server
 * @param {string[]} options.extensions folders
 * @param {string} [options.tests] a bundle with `run()`, for browsers
 */
export async function loadIntoWorker(context, { port, extensions, tests }) {
  const uri = (path) => ({ scheme: 'http', authority: `127.0.0.1:${port}`, path })
  const folders = new Map(extensions.map((folder, index) => [`/extension-${index}`, folder]))
  // Tests run where the extension runs whose folder they are in.
  const testsPrefix = '/extension-0/tests-of-this-run'

  await context.route(
    (url) => url.pathname === '/',
    async (route) => {
      const response = await route.fetch()
      const body = withConfiguration(await response.text(), (it) => ({
        ...it,
        developmentOptions: {
          ...it.developmentOptions,
          extensions: extensions.map((_, index) => uri(`/extension-${index}`)),
          ...(tests === undefined ? {} : { extensionTestsPath: uri(`${testsPrefix}/${basename(tests)}`) }),
        },
      }))
      await route.fulfill({ response, body })
    },
  )
  if (tests !== undefined) folders.set(testsPrefix, dirname(tests)) // the last route goes first
  for (const [prefix, folder] of folders) {
    await context.route(
      (url) => url.pathname.startsWith(`${prefix}/`),
      async (route) => {
        const file = join(
          folder,
          decodeURIComponent(new URL(route.request().url()).pathname.slice(prefix.length)),
        )
        const isFile = existsSync(file) && statSync(file).isFile()
        if (!isFile) return route.fulfill({ status: 404, body: '' })
        const contentType = types[extname(file)] ?? 'application/octet-stream'
        return route.fulfill({ body: readFileSync(file), contentType })
      },
    )
  }
}

/** The page with another configuration: JSON in an attribute of a `meta` element. */
function withConfiguration(page, change) {
  const pattern = /(id="vscode-workbench-web-configuration" data-settings=")([^"]*)"/
  const attribute = pattern.exec(page)?.[2]
  if (attribute === undefined)
    throw new Error('The page of the workbench has no configuration where it is expected')
  const before = JSON.parse(attribute.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  const after = JSON.stringify(change(before)).replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return page.replace(pattern, (_, begin) => `${begin}${after}"`)
}
