/** Links from citations such as `2.2 §6, §14, D7` to the pages of docs/spec. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './repository.mjs'

const folder = join(root, 'docs', 'spec')
const decisionPages = { D: 'decisions.md', F: 'forms.md' }
const anchors = new Map() // by version and number of the section

for (const version of ['2.2', '2.0', '0.1']) {
  const page = `openchatml-${version}.md`
  const text = readFileSync(join(folder, page), 'utf8')
  for (const [, heading = ''] of text.matchAll(/^##+ (.*)$/gm)) {
    const number = /^(\d+(?:\.\d+)?)\b/.exec(heading)?.[1]
    if (number !== undefined) anchors.set(`${version} §${number}`, `${page}#${slug(heading)}`)
  }
}

/**
 * `section` as Markdown, each citation a link.
 *
 * @param {string} section citations, separated by commas; `§14` alone is of the version before it
 * @param {string} toSpec the path from the page to docs/spec
 * @throws Error for a citation of something that is not there
 */
export function linked(section, toSpec) {
  let version = ''
  return section
    .split(', ')
    .map((citation) => {
      version = /^(\d\.\d) §/.exec(citation)?.[1] ?? version
      const [letter] = citation
      const page = decisionPages[letter]
      if (page !== undefined) return `[${citation}](${toSpec}/${page}#${citation.toLowerCase()})`
      if (letter === 'S') return citation // of the design of datasets, which is not a page for users
      const anchor = anchors.get(citation.startsWith('§') ? `${version} ${citation}` : citation)
      if (anchor === undefined) throw new Error(`No section for the citation ${citation} in ${section}`)
      return `[${citation}](${toSpec}/${anchor})`
    })
    .join(', ')
}

/** The anchor that GitHub and VS Code give a heading. */
function slug(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-')
}
