/** The names of files that are offered, and looked at, as parts of prompts. Any text may be a part; most have one of these endings. */

const endings = [
  'md',
  'markdown',
  'mdx',
  'txt',
  'text',
  'jinja',
  'jinja2',
  'j2',
  'html',
  'xml',
  'prompt',
  'tmpl',
]

/** Matches the paths of files with such names. */
export const partPattern = `**/*.{${endings.join(',')}}`

/** Matches the paths of prompts, too. */
export const includingPattern = `**/*.{ocm,${endings.join(',')}}`

/** True if `name` has one of the endings. */
export function isPartName(name: string): boolean {
  return endings.includes(endingOf(name))
}

/** True if a file with this name may include parts. */
export function mayInclude(name: string): boolean {
  return isPartName(name) || endingOf(name) === 'ocm'
}

function endingOf(name: string): string {
  return name.includes('.') ? name.slice(name.lastIndexOf('.') + 1).toLowerCase() : ''
}
