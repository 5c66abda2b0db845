/** Replacing a file: all of it or nothing, with all that belongs to the file, and one program at a time. */
import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import promises, { type FileHandle, readFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { promisify } from 'node:util'
import { buildSync } from 'esbuild'
import {
  createOnDisk,
  RefusedWriteError,
  replaceOnDisk,
  writeOnDisk,
} from '../../client/disk/replace-on-disk.ts'
import { nightly } from '../helpers/nightly.ts'

const isRoot = process.getuid?.() === 0
const isLinux = process.platform === 'linux'

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'openchatml-disk-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** The function as a module that other processes can import. */
const bundle = join(mkdtempSync(join(tmpdir(), 'openchatml-disk-')), 'replace-on-disk.mjs')
buildSync({
  entryPoints: [resolve('client/disk/replace-on-disk.ts')],
  outfile: bundle,
  bundle: true,
  platform: 'node',
  format: 'esm',
})
chmodSync(join(bundle, '..'), 0o755)
after(() => rmSync(join(bundle, '..'), { recursive: true }))

/** Runs a command as a user without rights. */
function asNobody([command = '', ...args]: readonly string[], cwd: string) {
  const user = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : ['false']
  return spawnSync(user[0] ?? '', [...user.slice(1), command, ...args], { cwd, encoding: 'utf8' })
}

const canChangeUser = isRoot && asNobody([process.execPath, '-e', ''], '/').status === 0

/** Replaces what `before` says, and what is there now, by `after`. */
function replaceText(path: string, before: string, after: string, within?: string): Promise<void> {
  return replaceOnDisk(path, {
    within,
    assertUnchanged: async (file) => {
      const { size } = await file.stat()
      const bytes = Buffer.alloc(size)
      await file.read(bytes, 0, size, 0)
      if (bytes.toString() !== before) throw new Error('changed')
    },
    write: (copy) => copy.writeFile(after),
  })
}

test('a copy takes the place of the file, with its permissions and its owner', async (t) => {
  const path = join(folder(t), 'a b.jsonl')
  writeFileSync(path, 'old')
  chmodSync(path, 0o4640)
  if (isRoot) chownSync(path, 12, 34)
  if (isRoot) chmodSync(path, 0o4640)
  const before = statSync(path)
  await replaceText(path, 'old', 'new')
  const now = statSync(path)
  assert.equal(readFileSync(path, 'utf8'), 'new')
  assert.deepEqual([now.mode, now.uid, now.gid], [before.mode, before.uid, before.gid])
  assert.notEqual(now.ino, before.ino)
  assert.ok(now.mtimeMs >= before.mtimeMs)
  assert.deepEqual(readdirSync(join(path, '..')), ['a b.jsonl'])
})

test('extended attributes stay', { skip: !isLinux && 'set with a tool of Linux' }, async (t) => {
  const path = join(folder(t), 'a')
  writeFileSync(path, 'old')
  const python = (code: string) =>
    spawnSync('python3', ['-c', `import os\n${code}`, path], { encoding: 'utf8' })
  const set = python("import sys; os.setxattr(sys.argv[1], 'user.origin', b'here')")
  if (set.status !== 0) return t.skip('no python3, or a file system without extended attributes')
  await replaceText(path, 'old', 'new')
  assert.equal(python("import sys; print(os.getxattr(sys.argv[1], 'user.origin').decode())").stdout, 'here\n')
  assert.equal(readFileSync(path, 'utf8'), 'new')
})

test('other hard links see the new content', async (t) => {
  const path = join(folder(t), 'a')
  const other = join(path, '..', 'b')
  for (const [before, after] of [
    ['old', 'longer than before'],
    ['longer than before', ''],
  ] as const) {
    if (before === 'old') {
      writeFileSync(path, before)
      linkSync(path, other)
    }
    await replaceText(path, before, after)
    assert.equal(readFileSync(other, 'utf8'), after)
    assert.equal(statSync(path).ino, statSync(other).ino)
    assert.deepEqual(readdirSync(join(path, '..')), ['a', 'b'])
  }
})

test('links are followed, but not out of the folder that was given', async (t) => {
  const [inside, outside] = [folder(t), folder(t)]
  writeFileSync(join(outside, 'secret'), 'old')
  writeFileSync(join(inside, 'real'), 'old')
  symlinkSync(join(outside, 'secret'), join(inside, 'out'))
  symlinkSync('real', join(inside, 'in'))
  symlinkSync('loop', join(inside, 'loop'))
  await replaceText(join(inside, 'in'), 'old', 'new', inside)
  assert.equal(readFileSync(join(inside, 'real'), 'utf8'), 'new')
  await assert.rejects(
    replaceText(join(inside, 'out'), 'old', 'new', inside),
    (error) => error instanceof RefusedWriteError && error.reason === 'outside',
  )
  await assert.rejects(replaceText(join(inside, 'loop'), 'old', 'new', inside), /ELOOP/)
  assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'old')
  await replaceText(join(inside, 'out'), 'old', 'new')
  assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'new')
})

test('nothing but a regular file is written', { skip: !isLinux && 'needs mkfifo' }, async (t) => {
  const path = join(folder(t), 'pipe')
  execFileSync('mkfifo', [path])
  const isRefused = (error: unknown) => error instanceof RefusedWriteError && error.reason === 'not-a-file'
  await assert.rejects(replaceText(path, '', 'new'), isRefused)
  await assert.rejects(replaceText('/dev/null', '', 'new'), isRefused)
})

test('what fails in writing leaves the file, and nothing next to it', async (t) => {
  for (const isLinked of [false, true]) {
    const cwd = folder(t)
    const path = join(cwd, 'a')
    writeFileSync(path, 'old')
    if (isLinked) linkSync(path, join(cwd, 'b'))
    const names = readdirSync(cwd)
    const write = async (copy: FileHandle) => {
      await copy.writeFile('half')
      throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    }
    await assert.rejects(replaceOnDisk(path, { assertUnchanged: async () => undefined, write }), /full/)
    assert.equal(readFileSync(path, 'utf8'), 'old')
    assert.deepEqual(readdirSync(cwd), names)
  }
})

test('a file with other hard links that is replaced after the last look keeps the work of that program', async (t) => {
  const cwd = folder(t)
  const path = join(cwd, 'a')
  writeFileSync(path, 'old')
  linkSync(path, join(cwd, 'b'))
  let nLooks = 0
  const replaced = replaceOnDisk(path, {
    assertUnchanged: async () => {
      if (++nLooks < 2) return
      rmSync(path)
      writeFileSync(path, 'theirs')
    },
    write: (copy) => copy.writeFile('mine'),
  })
  await assert.rejects(replaced, (it) => it instanceof RefusedWriteError && it.reason === 'changed')
  assert.deepEqual(
    ['a', 'b'].map((name) => readFileSync(join(cwd, name), 'utf8')),
    ['theirs', 'old'],
  )
  assert.deepEqual(readdirSync(cwd), ['a', 'b'])
})

/** Which folder becomes which during a save in `x/y/z`, and where that is then. */
const moves = [
  ['x/y/z', 'x/y/w', 'x/y/w'],
  ['x/y', 'x/w', 'x/w/z'],
  ['x', 'w', 'w/y/z'],
] as const

for (const names of [[], ['a'], ['a', 'b']])
  test(`a folder with ${names.length} names for a file that is renamed while the file is saved keeps only the file`, async (t) => {
    for (const [from, to, now] of moves) {
      for (const moment of ['first look', 'write', 'last look']) {
        const top = folder(t)
        const cwd = join(top, 'x', 'y', 'z')
        const path = join(cwd, 'a')
        mkdirSync(cwd, { recursive: true })
        if (names.length > 0) writeFileSync(path, 'old')
        if (names.length > 1) linkSync(path, join(cwd, 'b'))
        let locks: readonly string[] = []
        const at = (it: string) => {
          if (it !== moment || existsSync(join(top, to))) return
          renameSync(join(top, from), join(top, to))
          // Another program saves at the old path.
          mkdirSync(cwd, { recursive: true })
          locks = readdirSync(join(top, now)).filter((name) => name.endsWith('.lock'))
          for (const name of locks) writeFileSync(join(cwd, name), 'theirs')
        }
        let nLooks = 0
        const assertUnchanged = async () => at(nLooks++ === 0 ? 'first look' : 'last look')
        const write = (copy: FileHandle) => copy.writeFile('new').then(() => at('write'))
        const saved =
          names.length > 0 ? replaceOnDisk(path, { assertUnchanged, write }) : createOnDisk(path, { write })
        if (names.length === 0 && moment !== 'write') await saved
        else {
          await assert.rejects(saved, `${to} ${moment}`)
          assert.deepEqual(readdirSync(join(top, now)), names, `${to} ${moment}`)
          for (const name of names) assert.equal(readFileSync(join(top, now, name), 'utf8'), 'old')
          assert.equal(locks.length, 1)
          for (const name of locks) assert.equal(readFileSync(join(cwd, name), 'utf8'), 'theirs')
        }
      }
    }
  })

test('what a save left in a folder that was moved far away is removed by the next save there', async (t) => {
  const [cwd, far] = [folder(t), join(folder(t), 'far')]
  const path = join(cwd, 'a')
  writeFileSync(path, 'old')
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const names = await namesOfSave(path)
  for (const name of names) writeFileSync(join(cwd, name), JSON.stringify({ pid, host: hostname(), id: 'x' }))
  renameSync(cwd, far)
  assert.equal(readdirSync(far).length, 3)
  await replaceText(join(far, 'a'), 'old', 'new')
  assert.deepEqual(readdirSync(far), ['a'])
})

test('a pipe that takes the place of the file meanwhile does not delay a save', {
  skip: !isLinux && 'needs mkfifo',
}, async (t) => {
  const path = join(folder(t), 'a')
  writeFileSync(path, 'old')
  const write = async (copy: FileHandle) => {
    await copy.writeFile('mine')
    rmSync(path)
    execFileSync('mkfifo', [path])
  }
  const replaced = replaceOnDisk(path, { assertUnchanged: async () => undefined, write })
  await assert.rejects(replaced, (it) => it instanceof RefusedWriteError && it.reason === 'changed')
})

test('a file that another program replaces while it is copied keeps the work of that program', async (t) => {
  for (const theirs of ['theirs', 'old']) {
    const cwd = folder(t)
    const path = join(cwd, 'a')
    writeFileSync(path, 'old')
    const replaced = replaceOnDisk(path, {
      assertUnchanged: async (file) => {
        if ((await file.stat()).size !== 3) throw new Error('changed')
      },
      write: async (copy) => {
        await copy.writeFile('mine')
        rmSync(path)
        writeFileSync(path, theirs)
        writeFileSync(join(cwd, 'other'), '')
      },
    })
    await assert.rejects(replaced, RefusedWriteError)
    assert.equal(readFileSync(path, 'utf8'), theirs)
    assert.deepEqual(readdirSync(cwd), ['a', 'other'])
  }
})

test('programs that save at the same moment do so one after the other', async (t) => {
  const path = join(folder(t), 'count')
  writeFileSync(path, '')
  const module = JSON.stringify(bundle)
  const script = `
    import { replaceOnDisk } from ${module}
    import { readFile } from 'node:fs/promises'
    for (let nth = 0; nth < 5; nth++)
      await replaceOnDisk(process.argv[1], {
        assertUnchanged: async () => undefined,
        write: async (copy, file) => copy.writeFile((await file.readFile('utf8')) + '.'),
      })`
  const run = promisify(execFile)
  const args = ['--input-type=module', '-e', script, path]
  await Promise.all(Array.from({ length: 4 }, () => run(process.execPath, args)))
  assert.equal(await readFile(path, 'utf8'), '.'.repeat(20))
  assert.deepEqual(readdirSync(join(path, '..')), ['count'])
})

test('programs that save one file by several hard links lose nothing', async (t) => {
  const cwd = folder(t)
  const paths = [join(cwd, 'a'), join(cwd, 'b')] as const
  const [path, other] = paths
  writeFileSync(path, '')
  linkSync(path, other)
  const module = JSON.stringify(bundle)
  const script = `
    import { replaceOnDisk } from ${module}
    import { readFile } from 'node:fs/promises'
    const [path] = process.argv.slice(1)
    for (let nth = 0; nth < 10; ) {
      const before = await readFile(path, 'utf8')
      const assertUnchanged = async (file) => {
        const { size } = await file.stat()
        const { buffer } = await file.read(Buffer.alloc(size), 0, size, 0)
        if (buffer.toString() !== before) throw new Error('changed')
      }
      const write = (copy) => copy.writeFile(before + '.')
      await replaceOnDisk(path, { assertUnchanged, write }).then(() => nth++, (error) => {
        // On a busy machine, a turn may not come for 10 s: that is said, nothing is written, and one tries again.
        if (error.message !== 'changed' && error.name !== 'BusyFileError') throw error
      })
    }`
  const run = promisify(execFile)
  const args = ['--input-type=module', '-e', script]
  await Promise.all([...paths, ...paths].map((it) => run(process.execPath, [...args, it])))
  assert.equal(readFileSync(path, 'utf8'), '.'.repeat(40))
  assert.deepEqual(readdirSync(cwd), ['a', 'b'])
})

/** The names that a save makes, found by looking while it runs. */
async function namesOfSave(path: string): Promise<readonly string[]> {
  let names: readonly string[] = []
  await replaceOnDisk(path, {
    assertUnchanged: async () => undefined,
    write: async (copy) => {
      names = readdirSync(join(path, '..'))
      await copy.writeFile('old')
    },
  })
  return names.filter((it) => it.startsWith('.'))
}

test('what a killed program left is removed, unless it is all that is left of the file', async (t) => {
  const cwd = folder(t)
  const path = join(cwd, 'a')
  writeFileSync(path, 'old')
  const names = await namesOfSave(path)
  const lock = names.find((it) => it.endsWith('.lock')) ?? ''
  const copy = names.find((it) => it.endsWith('.new')) ?? ''
  assert.equal(names.length, 2, String(names))
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(join(cwd, lock), JSON.stringify({ pid, host: hostname(), id: 'x' }))
  writeFileSync(join(cwd, copy), 'half')
  writeFileSync(join(cwd, '.a.0123456789ab.new'), 'of somebody else')
  await replaceText(path, 'old', 'new')
  assert.deepEqual(readdirSync(cwd), ['.a.0123456789ab.new', 'a'])

  // Before the file was overwritten, after that, and meanwhile.
  const old = join(cwd, copy.replace(/new$/, 'old'))
  writeFileSync(old, 'new')
  await replaceText(path, 'new', 'newer')
  writeFileSync(old, 'new')
  writeFileSync(join(cwd, copy), 'newer')
  await replaceText(path, 'newer', 'newest')
  assert.deepEqual(readdirSync(cwd), ['.a.0123456789ab.new', 'a'])
  writeFileSync(old, 'newer')
  writeFileSync(join(cwd, copy), 'newest, and more')
  await assert.rejects(
    replaceText(path, 'newest', 'x'),
    (error) => error instanceof RefusedWriteError && error.reason === 'interrupted',
  )
  assert.equal(readFileSync(path, 'utf8'), 'newest')
  assert.equal(readFileSync(old, 'utf8'), 'newer')
})

test('copies that killed programs left for other files are removed after an hour, and nothing else', async (t) => {
  const cwd = folder(t)
  const path = join(cwd, 'a')
  writeFileSync(path, 'old')
  const copy = (name: string) => `.${name}.0123456789ab.165780ed-8850-4695-a048-b06ca09fe226`
  const kept = [
    `${copy('b')}.new`,
    `${copy('b')}.old`,
    `${copy('c')}.old`,
    '.mine.new',
    `${copy('d')}.new.txt`,
    'f',
  ]
  for (const name of [...kept, `${copy('e')}.new`, `${copy('f')}.new`]) writeFileSync(join(cwd, name), '')
  for (const name of [...kept, `${copy('e')}.new`]) utimesSync(join(cwd, name), 1, 1)
  await replaceText(path, 'old', 'new')
  assert.deepEqual(readdirSync(cwd), [...kept, `${copy('f')}.new`, 'a'].sort())
  const { now } = Date
  t.mock.method(Date, 'now', () => now() + 3_700_000)
  await replaceText(path, 'new', 'newer')
  assert.deepEqual(readdirSync(cwd), [...kept, 'a'].sort())
})

test('a save whose traces cannot be removed is done, and the next one removes them', async (t) => {
  for (const isLinked of [false, true]) {
    const cwd = folder(t)
    const path = join(cwd, 'a')
    writeFileSync(path, 'old')
    if (isLinked) linkSync(path, join(cwd, 'b'))
    const names = readdirSync(cwd)
    const mocked = t.mock.method(promises, 'rm', async () => {
      throw Object.assign(new Error('in use'), { code: 'EBUSY' })
    })
    syncBuiltinESMExports()
    await replaceText(path, 'old', 'new').finally(() => {
      mocked.mock.restore()
      syncBuiltinESMExports()
    })
    assert.equal(readFileSync(path, 'utf8'), 'new')
    assert.ok(readdirSync(cwd).length > names.length)
    const begun = Date.now()
    await replaceText(path, 'new', 'newer')
    assert.ok(Date.now() - begun < 5000)
    assert.equal(readFileSync(path, 'utf8'), 'newer')
    assert.deepEqual(readdirSync(cwd), names)
  }
})

/** What a save asks the system for, by the objects that have it. */
const calls = {
  module: ['open', 'lstat', 'stat', 'readdir', 'realpath', 'rename', 'link', 'rm', 'chmod', 'chown'],
  file: ['sync', 'stat', 'chmod', 'truncate', 'read', 'write', 'writeFile'],
} as const

/** Runs `save` with the `nth` of its calls failing, before or after it is made; false if there are fewer. */
async function failing(
  t: TestContext,
  { nth, isMade }: { readonly nth: number; readonly isMade: boolean },
  save: () => Promise<void>,
): Promise<boolean> {
  const own = await promises.open(bundle)
  const prototype = Object.getPrototypeOf(own)
  await own.close()
  let nCalls = 0
  const failure = () => Object.assign(new Error('EIO: i/o error'), { code: 'EIO' })
  const opened = (file: FileHandle) => {
    const { close } = file
    file.close = async () => {
      const isIt = ++nCalls === nth
      await close() // a descriptor is given back even if that reports an error
      if (isIt) throw failure()
    }
    return file
  }
  const mocks = Object.entries(calls).flatMap(([kind, names]) => {
    const target = kind === 'module' ? promises : prototype
    return names.map((name) => {
      const call = target[name]
      return t.mock.method(target, name, async function (this: unknown, ...args: unknown[]) {
        const isIt = ++nCalls === nth
        if (isIt && (!isMade || name === 'open')) throw failure()
        const result: unknown = await Reflect.apply(call, this, args)
        if (isIt) throw failure()
        return name === 'open' ? opened(result as FileHandle) : result
      })
    })
  })
  syncBuiltinESMExports()
  try {
    await save()
  } finally {
    for (const { mock } of mocks) mock.restore()
    syncBuiltinESMExports()
  }
  return nCalls >= nth
}

for (const kind of ['a file', 'a file with other hard links', 'a new file']) {
  for (const isMade of [false, true]) {
    const register = kind === 'a file with other hard links' ? nightly : test
    register(
      `saving ${kind}, an error of the device at any call ${isMade ? 'that was made ' : ''}leaves the old content, or is none`,
      async (t) => {
        for (let nth = 1; ; nth++) {
          const cwd = folder(t)
          const path = join(cwd, 'a')
          const isNew = kind === 'a new file'
          if (!isNew) writeFileSync(path, 'old content')
          if (kind === 'a file with other hard links') linkSync(path, join(cwd, 'b'))
          const write = (copy: FileHandle) => copy.writeFile('new')
          const save = () => (isNew ? createOnDisk(path, { write }) : replaceText(path, 'old content', 'new'))
          const saving = failing(t, { nth, isMade }, save)
          const isDone = await saving.then(
            () => true,
            (error) => assert.equal(error.code, 'EIO', error.stack),
          )
          const now = existsSync(path) ? readFileSync(path, 'utf8') : undefined
          const text = `call ${nth}: ${isDone ? 'done' : 'failed'}, ${now}`
          if (isDone) assert.equal(now, 'new', text)
          // What was made and reported as an error cannot be told from what was not: the file may have taken its place.
          else assert.ok(now === (isNew ? undefined : 'old content') || (isMade && now === 'new'), text)
          // The next save removes what could not be removed.
          if (now === undefined) await save()
          else await replaceText(path, now, 'newer')
          assert.deepEqual(
            readdirSync(cwd).filter((it) => it !== 'b'),
            ['a'],
            text,
          )
          if (isDone && !(await saving)) break
        }
      },
    )
  }
}

test('content that may not be read to its end replaces nothing', async (t) => {
  const cwd = folder(t)
  const path = join(cwd, 'a')
  writeFileSync(path, 'old')
  async function* chunks() {
    yield new TextEncoder().encode('half')
    throw Object.assign(new Error('of another file'), { code: 'EACCES' })
  }
  await assert.rejects(writeOnDisk(path, chunks()), { code: 'EACCES' })
  assert.equal(readFileSync(path, 'utf8'), 'old')
  assert.deepEqual(readdirSync(cwd), ['a'])
})

test('locks that a killed program moved away are removed later', async (t) => {
  const cwd = folder(t)
  const path = join(cwd, 'a')
  writeFileSync(path, 'old')
  const lock = (await namesOfSave(path)).find((it) => it.endsWith('.lock')) ?? ''
  const moved = `${lock}.165780ed-8850-4695-a048-b06ca09fe226`
  writeFileSync(join(cwd, moved), 'of a dead program')
  await replaceText(path, 'old', 'new')
  assert.deepEqual(readdirSync(cwd), [moved, 'a'])
  const { now } = Date
  t.mock.method(Date, 'now', () => now() + 60_000)
  await replaceText(path, 'new', 'newer')
  assert.deepEqual(readdirSync(cwd), ['a'])
})

test('something other than a lock in its place does not delay a save', {
  skip: !isLinux && 'needs mkfifo',
}, async (t) => {
  const cwd = folder(t)
  const path = join(cwd, 'a')
  writeFileSync(path, '0')
  const name = (await namesOfSave(path)).find((it) => it.endsWith('.lock')) ?? ''
  const lock = join(cwd, name)
  writeFileSync(path, '0')
  for (const [nth, make] of [
    () => mkdirSync(lock),
    () => symlinkSync('nowhere', lock),
    () => symlinkSync(name, lock),
    () => execFileSync('mkfifo', [lock]),
    () => writeFileSync(lock, ' '.repeat(2000)),
  ].entries()) {
    make()
    const begun = Date.now()
    await replaceText(path, String(nth), String(nth + 1))
    assert.ok(Date.now() - begun < 5000)
    assert.deepEqual(readdirSync(cwd), [name, 'a'])
    rmSync(lock, { recursive: true })
  }
})

test('garbage in the place of a lock is removed without waiting', { timeout: 60_000 }, async (t) => {
  const cwd = folder(t)
  const path = join(cwd, 'a')
  writeFileSync(path, '0')
  const lock = join(cwd, (await namesOfSave(path)).find((it) => it.endsWith('.lock')) ?? '')
  const now = Date.now()
  t.mock.method(Date, 'now', () => now) // whoever waits, waits forever
  writeFileSync(path, '0')
  for (const [nth, garbage] of ['x', '\0'.repeat(100), '{"PID":1}', '[1]'].entries()) {
    writeFileSync(lock, garbage)
    utimesSync(lock, now / 1000, now / 1000)
    await replaceText(path, String(nth), String(nth + 1))
    assert.deepEqual(readdirSync(cwd), ['a'])
  }
})

test('a lock of another machine counts for an hour, whatever its clock says', async (t) => {
  const cwd = folder(t)
  const path = join(cwd, 'a')
  writeFileSync(path, 'old')
  const lock = join(cwd, (await namesOfSave(path)).find((it) => it.endsWith('.lock')) ?? '')
  for (const hours of [-2, 2]) {
    writeFileSync(path, 'old')
    writeFileSync(lock, JSON.stringify({ pid: 1, host: 'another', id: 'x' }))
    const time = Date.now() / 1000 + hours * 3600
    utimesSync(lock, time, time)
    const begun = Date.now()
    await replaceText(path, 'old', 'new')
    assert.ok(Date.now() - begun < 5000)
    assert.deepEqual(readdirSync(cwd), ['a'])
  }
})

test('locks of other users', {
  skip: !canChangeUser && 'the program cannot be run as another user',
}, async (t) => {
  const cwd = folder(t)
  const path = join(cwd, 'a')
  writeFileSync(path, 'old')
  const name = (await namesOfSave(path)).find((it) => it.endsWith('.lock')) ?? ''
  chmodSync(cwd, 0o1777) // only owners remove files
  chmodSync(path, 0o666)
  const lock = join(cwd, name)
  // The clock runs fast: nothing waits for long.
  const script = `
    import { replaceOnDisk } from ${JSON.stringify(bundle)}
    const { now } = Date
    let asked = 0
    Date.now = () => now() + 3000 * asked++
    const write = (copy) => copy.writeFile('new')
    const assertUnchanged = async () => undefined
    await replaceOnDisk('a', { assertUnchanged, write }).then(() => console.log('saved'), ({ name }) => console.log(name))`
  const saved = () => {
    writeFileSync(path, 'old')
    const { stdout } = asNobody([process.execPath, '--input-type=module', '-e', script], cwd)
    return [stdout.trim(), readFileSync(path, 'utf8'), ...readdirSync(cwd)]
  }
  const live = JSON.stringify({ pid: process.pid, host: hostname(), id: 'x' })
  writeFileSync(lock, live, { mode: 0o600 })
  assert.deepEqual(saved(), ['BusyFileError', 'old', name, 'a'])
  utimesSync(lock, 0, 0)
  assert.deepEqual(saved(), ['saved', 'new', name, 'a'])
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(lock, JSON.stringify({ pid, host: hostname(), id: 'x' }))
  chmodSync(lock, 0o644)
  assert.deepEqual(saved(), ['saved', 'new', name, 'a'])
})

test('a new file is there completely or not at all, and replaces none', async (t) => {
  const cwd = folder(t)
  const path = join(cwd, 'a')
  const failing = async (copy: FileHandle) => {
    await copy.writeFile('half')
    throw new Error('full')
  }
  await assert.rejects(createOnDisk(path, { write: failing }), /full/)
  assert.deepEqual(readdirSync(cwd), [])
  await createOnDisk(path, { write: (copy) => copy.writeFile('new') })
  assert.equal(statSync(path).mode & 0o777, 0o666 & ~process.umask())
  await assert.rejects(createOnDisk(path, { write: (copy) => copy.writeFile('newer') }), { code: 'EEXIST' })
  symlinkSync('elsewhere', join(cwd, 'b'))
  await assert.rejects(createOnDisk(join(cwd, 'b'), { write: (copy) => copy.writeFile('x') }), {
    code: 'EEXIST',
  })
  assert.deepEqual(readdirSync(cwd), ['a', 'b'])
})

test('a file is written complete or not at all', async (t) => {
  const path = join(folder(t), 'a.jsonl')
  async function* broken() {
    yield new TextEncoder().encode('half')
    throw new Error('broken')
  }
  await assert.rejects(writeOnDisk(path, broken()), /broken/)
  assert.ok(!existsSync(path))
  writeFileSync(path, 'before')
  await assert.rejects(writeOnDisk(path, broken()), /broken/)
  assert.equal(readFileSync(path, 'utf8'), 'before')
})

test('a file that another program makes while it is written keeps the work of that program', async (t) => {
  const path = join(folder(t), 'a.jsonl')
  async function* chunks() {
    yield new TextEncoder().encode('mine')
    writeFileSync(path, 'theirs')
  }
  await assert.rejects(writeOnDisk(path, chunks()), { code: 'EEXIST' })
  assert.equal(readFileSync(path, 'utf8'), 'theirs')
})

test('a link to a file that is not there yet is followed, and a loop of links is not', async (t) => {
  const cwd = folder(t)
  async function* chunks() {
    yield new TextEncoder().encode('new')
  }
  mkdirSync(join(cwd, 'sub'))
  symlinkSync('sub', join(cwd, 'folder'))
  symlinkSync('folder/link', join(cwd, 'link'))
  symlinkSync('../file', join(cwd, 'sub', 'link'))
  symlinkSync('loop', join(cwd, 'loop'))
  for (let nth = 0; nth < 2; nth++) {
    await writeOnDisk(join(cwd, 'link'), chunks())
    assert.equal(readFileSync(join(cwd, 'file'), 'utf8'), 'new')
  }
  await assert.rejects(writeOnDisk(join(cwd, 'loop'), chunks()), { code: 'ELOOP' })
  assert.deepEqual(readdirSync(cwd), ['file', 'folder', 'link', 'loop', 'sub'])
})

/** Runs `script` in a shell that may mount file systems; undefined where the system does not allow that. */
function mounting(script: string, cwd: string): string | undefined {
  const may = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', cwd])
  if (may.status !== 0) return undefined
  return execFileSync('unshare', ['-rm', 'sh', '-c', `set -e\n${script}`], { cwd, encoding: 'utf8' })
}

const save = `save() { '${process.execPath}' --input-type=module -e "
  import { replaceOnDisk } from '${bundle}'
  const [path, length] = process.argv.slice(1)
  const write = (copy) => copy.writeFile('n'.repeat(Number(length)))
  await replaceOnDisk(path, { assertUnchanged: async () => undefined, write }).catch(({ code }) => console.log(code))
" "$1" "$2"; }`

test('a full disk, and a file that is mounted on its own', async (t) => {
  const cwd = folder(t)
  const script = `${save}
    mkdir full own
    mount -t tmpfs -o size=64k none full
    printf old > full/a; printf old > full/b; ln full/b full/c
    save full/a 100000; cat full/a; save full/b 50000; cat full/b; ls -A full
    dd if=/dev/zero of=full/rest bs=1k 2>/dev/null || true
    save full/a 1; cat full/a; ls -A full
    printf old > own/real; printf old > own/mounted; mount --bind own/real own/mounted
    save own/mounted 3; cat own/mounted; ls -A own
    mount -o remount,bind,ro own/mounted; save own/mounted 1; cat own/mounted`
  const output = mounting(script, cwd)
  if (output === undefined) return t.skip('no right to mount')
  assert.equal(
    output,
    'ENOSPC\noldENOSPC\nolda\nb\nc\nENOSPC\nolda\nb\nc\nrest\nnnnmounted\nreal\nEROFS\nnnn',
  )
})

test('who may not write the file may not replace it', async (t) => {
  if (isRoot && spawnSync('setpriv', ['--version']).status !== 0) return t.skip('root may write everything')
  const cwd = folder(t)
  chmodSync(cwd, 0o777)
  writeFileSync(join(cwd, 'a'), 'old')
  chmodSync(join(cwd, 'a'), 0o444)
  const user = isRoot ? 'setpriv --reuid=65534 --regid=65534 --clear-groups ' : ''
  const code = "require('fs').openSync(process.argv[1], 'r+')"
  const can = spawnSync('sh', ['-c', `${user}'${process.execPath}' -e "${code}" a`], {
    cwd,
    encoding: 'utf8',
  })
  if (!can.stderr.includes('EACCES')) return t.skip('the program cannot be run as another user')
  const script = `${save.replace(" '/", ` ${user}'/`)}\nsave a 3; cat a; ls -A`
  assert.equal(spawnSync('sh', ['-c', script], { cwd, encoding: 'utf8' }).stdout, 'EACCES\nolda\n')
})
