#!/usr/bin/env node
/**
 * Stands in for the desktop program of VS Code where there is none, or no display for it: understands
 *
 *     executable.mjs --extensionDevelopmentPath=… --extensionTestsPath=… FOLDER
 *
 * also `--extensionDevelopmentKind=web`, which runs the extension in a Web Worker,
 * and ignores other options, as `runTests` of `@vscode/test-electron` passes them to `vscodeExecutablePath`.
 * What the tests print is printed; the exit status is theirs.
 */
import { format } from 'node:util'
import { openVSCode } from './open.mjs'

const args = process.argv.slice(2)
const valuesOf = (name) =>
  args.filter((it) => it.startsWith(`--${name}=`)).map((it) => it.slice(name.length + 3))
const [tests] = valuesOf('extensionTestsPath')
const folder = args.findLast((it) => !it.startsWith('-'))
const minutes = Number(process.env.VSCODE_TEST_MINUTES ?? 10)

if (tests === undefined || folder === undefined) {
  console.error('Usage: executable.mjs --extensionDevelopmentPath=FOLDER --extensionTestsPath=MODULE FOLDER')
  process.exit(2)
}

const ending = new Promise((done) => {
  const timer = setTimeout(() => {
    console.error(`The tests did not end within ${minutes} minutes`)
    done(1)
  }, minutes * 60_000)
  timer.unref()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => done(130))
  openVSCode({
    folder,
    extension: valuesOf('extensionDevelopmentPath'),
    tests,
    host: valuesOf('extensionDevelopmentKind').includes('web') ? 'worker' : 'node',
    size: { width: 480, height: 360 }, // nobody looks at it, and what is larger costs more to draw
    waitForWorkbench: false,
    onLog: print,
    onExit: done,
  }).then(
    (it) => {
      opened = it
    },
    (error) => {
      console.error(error.stack)
      done(1)
    },
  )
})
let opened
const code = await ending
await opened?.close()
process.exit(code)

/** The extension host's console comes with `%c` and its styles, which only a browser's console understands. */
function print(type, args) {
  const [first, ...rest] = args
  const nStyles = typeof first === 'string' ? (first.match(/%c/g)?.length ?? 0) : 0
  const text = nStyles > 0 ? format(first.replaceAll('%c', ''), ...rest.slice(nStyles)) : format(...args)
  // The workbench says much that is of no interest, about the native modules it lacks for example.
  const isOurs =
    /^\[test\]|openchatml|\/dist\//i.test(text) && !text.includes('Could not locate the bindings file')
  if (isOurs || process.env.VSCODE_TEST_VERBOSE) (type === 'error' ? console.error : console.log)(text)
}
