/**
 * Writes THIRD-PARTY-NOTICES.txt: the licenses of the packages that the bundles in `dist` contain. Run it after a build.
 *
 *     node scripts/notices.mjs
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { root } from './repository.mjs'

const noticesFile = join(root, 'THIRD-PARTY-NOTICES.txt')
const line = '-'.repeat(80)

/**
 * The text of the notices.
 *
 * @throws Error if nothing was built, or if a package has no license
 */
export function notices() {
  const list = join(root, 'dist', 'bundled-packages.json')
  if (!existsSync(list)) throw new Error('There is no dist/bundled-packages.json: run `npm run build` first')
  const sections = JSON.parse(readFileSync(list, 'utf8')).map(sectionOf)
  return [
    'OpenChatML contains the following third-party software.\n',
    ...sections.map((it) => `\n${line}\n${it}`),
  ].join('')
}

function sectionOf(name) {
  const folder = join(root, 'node_modules', name)
  const { version, license, author, repository } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const file = readdirSync(folder)
    .filter((it) => /^(?:licen[cs]e|copying)(?:[.-]|$)/i.test(it))
    .sort()[0]
  if (typeof license !== 'string') throw new Error(`${name} names no license`)
  const address = typeof repository === 'string' ? repository : repository?.url
  const head = [`${name} ${version}`, `License: ${license}`, ...(address ? [`Source: ${address}`] : [])].join(
    '\n',
  )
  const text = file === undefined ? withoutFile(author) : readFileSync(join(folder, file), 'utf8')
  return `${head}\n\n${text
    .replaceAll('\r\n', '\n')
    .replaceAll(/[ \t]+$/gm, '')
    .trim()}\n`
}

/** Some packages name a license without its text. */
function withoutFile(author) {
  const name = typeof author === 'string' ? author : author?.name
  return `The package names its license and has no text of it.${name ? ` Author: ${name}` : ''}`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(noticesFile, notices())
