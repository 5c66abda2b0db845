/** The job array of docs/scale.md on a real Slurm with one node, which runs in a folder of its own. */
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const patience = 120_000 // milliseconds: the machine may be busy

/** Why there is no Slurm; false if it can be started. */
function missing(): string | false {
  for (const program of ['munged', 'slurmctld', 'slurmd', 'sbatch']) {
    const { error } = spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 20_000 })
    if (error) return `${program} is not installed (Debian: slurm-wlm, munge)`
  }
  return process.getuid?.() === 0 ? false : 'slurmd must be started by root'
}

test('a job array does the parts of a dataset, and they are the whole', { skip: missing() }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'openchatml-slurm-'))
  const daemons: ChildProcess[] = []
  try {
    const env = await startSlurm(folder, daemons)
    const lines = Array.from({ length: 2200 }, (_, index) =>
      JSON.stringify({ messages: [{ role: 'user', content: `Question ${index}` }], score: index }),
    )
    await writeFile(join(folder, 'data.jsonl'), `${lines.join('\n')}\n`)
    const script = await documentedScript()
    await writeFile(join(folder, 'job.sh'), script)
    await run('sbatch', ['--array=1-2', '-o', join(folder, 'job-%a.log'), 'job.sh'], {
      cwd: folder,
      env,
      timeout: patience,
    })
    await eventually(folder, 'finish the jobs', async () => {
      const { stdout } = await run('squeue', ['-h'], { env })
      return stdout.trim() === ''
    })
    const names = await readdir(folder)
    const converted = names.filter((it) => /^converted-\d+\.jsonl$/.test(it))
    assert.equal(converted.length, 2)
    const parts = await Promise.all(converted.map((it) => readFile(join(folder, it), 'utf8')))
    const questions = parts.flatMap((it) => it.match(/Question \d+/g) ?? [])
    assert.deepEqual(
      questions.map((it) => Number(it.slice(9))).sort((one, other) => one - other),
      lines.map((_, index) => index),
    )
    const reports = names.filter((it) => /^stats-\d+\.json$/.test(it))
    const ocm = (args: readonly string[]) => run('ocm', args, { cwd: folder, env, timeout: patience })
    const merged = await ocm(['stats', '--format', 'json', '--merge', ...reports])
    const whole = await ocm(['stats', '--format', 'json', 'data.jsonl'])
    assert.deepEqual(JSON.parse(merged.stdout).columns, JSON.parse(whole.stdout).columns)
  } finally {
    for (const it of daemons.reverse()) it.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
})

async function documentedScript(): Promise<string> {
  const page = await readFile('docs/scale.md', 'utf8')
  const [, script] = /\n### Slurm\n.*?\n```sh\n(.*?)\n```\n/s.exec(page) ?? []
  assert.ok(script, 'docs/scale.md has a job script')
  return script
}

/** Starts Slurm in `folder`, and resolves when its node takes jobs. */
async function startSlurm(folder: string, daemons: ChildProcess[]): Promise<NodeJS.ProcessEnv> {
  const [host = 'localhost'] = hostname().split('.')
  const at = (name: string) => join(folder, name)
  await chmod(folder, 0o755)
  for (const name of ['state', 'spool']) await mkdir(at(name))
  await writeFile(at('munge.key'), 'x'.repeat(1024), { mode: 0o600 })
  await writeFile(at('ocm'), `#!/bin/sh\nexec "${process.execPath}" "${resolve('dist/cli/ocm.js')}" "$@"\n`)
  await chmod(at('ocm'), 0o755)
  // Ports of this process, so that another Slurm of the machine is not disturbed.
  const port = 20_000 + (process.pid % 20_000)
  const configuration = {
    ClusterName: 'one',
    SlurmctldHost: `${host}(127.0.0.1)`,
    SlurmctldPort: port,
    SlurmdPort: port + 1,
    SlurmUser: 'root',
    SlurmdUser: 'root',
    AuthType: 'auth/munge',
    AuthInfo: `socket=${at('munge.socket')}`,
    CredType: 'cred/munge',
    MailProg: '/bin/true',
    ProctrackType: 'proctrack/pgid',
    TaskPlugin: 'task/none',
    SelectType: 'select/cons_tres',
    // At once: by default, an array waits for the next look at the queue.
    SchedulerParameters: 'batch_sched_delay=0,sched_interval=1,sched_min_interval=0',
    StateSaveLocation: at('state'),
    SlurmdSpoolDir: at('spool'),
    SlurmctldPidFile: at('ctld.pid'),
    SlurmdPidFile: at('d.pid'),
    ReturnToService: 2,
    NodeName: `${host} NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN`,
    PartitionName: 'p Nodes=ALL Default=YES MaxTime=INFINITE State=UP',
  }
  const text = Object.entries(configuration).map(([name, value]) => `${name}=${value}\n`)
  await writeFile(at('slurm.conf'), text.join(''))
  const env = {
    ...process.env,
    SLURM_CONF: at('slurm.conf'),
    PATH: `${folder}${delimiter}${process.env.PATH}`,
  }
  const start = (program: string, args: readonly string[]) => {
    const daemon = spawn(program, args, { cwd: folder, env, stdio: 'ignore' })
    daemon.on('error', () => undefined) // the node never takes jobs then, which says the same
    daemons.push(daemon)
  }
  const munge = ['--key-file', at('munge.key'), '--socket', at('munge.socket'), '--pid-file', at('munge.pid')]
  start('munged', [
    '--foreground',
    '--force',
    ...munge,
    '--log-file',
    at('munge.log'),
    '--seed-file',
    at('seed'),
  ])
  start('slurmctld', ['-D', '-L', at('ctld.log')])
  start('slurmd', ['-D', '-L', at('d.log')])
  await eventually(folder, 'start', async () => {
    const { stdout } = await run('sinfo', ['-h', '-o', '%T'], { env }).catch(() => ({ stdout: '' }))
    return /idle|mixed/.test(stdout)
  })
  return env
}

async function eventually(folder: string, what: string, probe: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + patience
  while (!(await probe())) {
    if (performance.now() > end) throw new Error(`Slurm does not ${what}:\n${await logsIn(folder)}`)
    await new Promise((done) => setTimeout(done, 100))
  }
}

async function logsIn(folder: string): Promise<string> {
  const names = (await readdir(folder)).filter((it) => it.endsWith('.log'))
  const logs = await Promise.all(
    names.map(async (it) => `${it}:\n${await readFile(join(folder, it), 'utf8')}`),
  )
  return logs.join('\n')
}
