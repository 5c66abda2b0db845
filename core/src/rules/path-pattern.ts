/** Patterns of paths, as configuration files use them: `fixtures/**`, `*.broken.ocm`, `{old,new}/*.ocm`. */

/**
 * True if `path`, relative to the configuration file and with `/` between its parts, fits `pattern`.
 * A pattern without `/` fits the name of a file in any folder; one that ends in `/` fits everything in that folder.
 */
export function matchesPath(pattern: string, path: string): boolean {
  const anchored = pattern.replace(/^\.?\//, '')
  const whole = anchored.endsWith('/') ? `${anchored}**` : anchored
  const isName = !pattern.includes('/')
  return expressionOf(whole).test(isName ? (path.split('/').at(-1) ?? path) : path)
}

function expressionOf(pattern: string): RegExp {
  let source = ''
  let depth = 0
  for (const [part] of pattern.matchAll(/\*\*\/|\*+|\?|[{},]|[^*?{},]+/g)) {
    if (part === '**/') source += '(?:[^/]+/)*'
    else if (part.startsWith('**')) source += '.*'
    else if (part === '*') source += '[^/]*'
    else if (part === '?') source += '[^/]'
    else if (part === '{') {
      source += '(?:'
      depth++
    } else if (part === '}' && depth > 0) {
      source += ')'
      depth--
    } else if (part === ',' && depth > 0) source += '|'
    else source += part.replace(/[.+^${}()|[\]\\/]/g, '\\$&')
  }
  return new RegExp(`^${source}${')'.repeat(depth)}$`, 'su')
}
