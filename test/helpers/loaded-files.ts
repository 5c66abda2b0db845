/** What a program in Node loads: it is counted, because a start takes as long as the code that is read and compiled for it. */
import assert from 'node:assert/strict'
import { relative, resolve } from 'node:path'

const reporter = `
import { Module } from 'node:module'
const { load } = Module.prototype
const files = []
Module.prototype.load = function (file) {
  files.push(file)
  return load.call(this, file)
}
process.on('exit', () => console.error('LOADED ' + JSON.stringify(files)))
`

/** Options for Node, so that a program says on standard error which of its files were loaded, when it ends. */
export const reportsLoadedFiles = ['--import', `data:text/javascript,${encodeURIComponent(reporter)}`]

/** The files that a program has reported, relative to `dist`. */
export function loadedFilesIn(stderr: string): readonly string[] {
  const line = stderr.split('\n').find((it) => it.startsWith('LOADED '))
  assert.ok(line, stderr)
  const files = JSON.parse(line.slice('LOADED '.length)) as string[]
  return files.map((it) => relative(resolve('dist'), it))
}
