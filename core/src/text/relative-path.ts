/** Paths as files name one another: relative to the file that names, with `/` between names. */

/** Where `to` is, seen from the folder of the file at `from`. Both start at the same place, such as the root of the file system. */
export function relativePath(from: string, to: string): string {
  const folders = from.split('/').slice(0, -1)
  const names = to.split('/')
  let common = 0
  while (common < folders.length && common < names.length - 1 && folders[common] === names[common]) common++
  return [...folders.slice(common).map(() => '..'), ...names.slice(common)].join('/')
}

/** What the file at `from` names as `written`, without `.` and `..`; undefined if that is above where `from` starts. */
export function namedPath(from: string, written: string): string | undefined {
  const names = from.split('/').slice(0, -1)
  for (const name of written.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') names.push(name)
    else if (names.pop() === undefined) return undefined
  }
  return names.join('/')
}

/** True for a path that starts nowhere else than at the file that names it: no absolute path, URL, drive, or home folder. */
export function isRelativePath(written: string): boolean {
  return !/^[/\\]|^[A-Za-z][A-Za-z\d+.-]*:|^~/.test(written)
}
