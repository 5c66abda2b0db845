/**
 * Counts what a program does: calls of functions, turns of loops, and what native methods walk through. The count depends
 * on the input alone, neither on the machine nor on what else it does, so tests can assert how it grows.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { parse } from '@babel/parser'
import { build } from 'esbuild'

const counter = { steps: 0 }
const counterName = '__ocmCountedWork'

/** The steps of `run`, of programs from {@link countedModule} and of native methods. */
export async function stepsOf(run: () => unknown): Promise<number> {
  const before = counter.steps
  await run()
  return counter.steps - before
}

/**
 * The exports of the TypeScript `contents`, a module in the root of the repository, built so that it counts. What it
 * imports counts as well, libraries included, but for those in `external`. A process has one of each.
 */
export async function countedModule<Exports>(
  contents: string,
  { external = [] }: { readonly external?: readonly string[] } = {},
): Promise<Exports> {
  const key = JSON.stringify([contents, ...external])
  const module = modules.get(key) ?? builtModule(contents, external)
  modules.set(key, module)
  return (await module) as Exports
}

const modules = new Map<string, Promise<unknown>>()
let nBuilt = 0

async function builtModule(contents: string, external: readonly string[]): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: process.cwd(), loader: 'ts' },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    mainFields: ['module', 'main'],
    external: [...external],
    banner: {
      // What CommonJS modules have, as in the folder of a program.
      // biome-ignore lint/suspicious/noTemplateCurlyInString: code of the bundle
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); const __dirname = `${process.cwd()}/dist/cli`;",
    },
    logLevel: 'error',
    absWorkingDir: process.cwd(),
  })
  const folder = join(process.env.TEST_OUTPUT ?? join('dist', 'test'), 'counted')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, `module-${process.pid}-${++nBuilt}.mjs`)
  writeFileSync(file, withCounter(outputFiles[0]?.text ?? ''))
  countNativeMethods()
  Object.assign(globalThis, { [counterName]: counter })
  return import(pathToFileURL(file).href)
}

/** `code` with a count at the beginning of every function and of every turn of a loop. */
function withCounter(code: string): string {
  const insertions: { readonly at: number; readonly text: string; readonly order: number }[] = []
  const insert = (at: number, text: string) => insertions.push({ at, text, order: insertions.length })
  const count = `${counterName}.steps++`
  visit(parse(code, { sourceType: 'module', errorRecovery: true }), (node) => {
    const { body } = node
    if (!isNode(body) || !counted.has(node.type)) return
    if (body.type === 'BlockStatement') {
      const directive = Array.isArray(body.directives) ? body.directives.at(-1) : undefined
      insert(isNode(directive) ? directive.end : body.start + 1, `;${count};`)
    } else if (node.type === 'ArrowFunctionExpression') {
      insert(body.start, `(${count},(`)
      insert(body.end, '))')
    } else {
      insert(body.start, `{${count};`)
      insert(body.end, '}')
    }
  })
  insertions.sort((one, other) => one.at - other.at || one.order - other.order)
  const parts: string[] = [`const ${counterName} = globalThis.${counterName};`]
  let at = 0
  for (const insertion of insertions) {
    parts.push(code.slice(at, insertion.at), insertion.text)
    at = insertion.at
  }
  parts.push(code.slice(at))
  return parts.join('')
}

const counted: ReadonlySet<string> = new Set([
  ...['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'],
  ...['ObjectMethod', 'ClassMethod', 'ClassPrivateMethod'],
  ...['ForStatement', 'ForInStatement', 'ForOfStatement', 'WhileStatement', 'DoWhileStatement'],
])

/** Keys of nodes that have no code. */
const withoutCode: ReadonlySet<string> = new Set([
  ...['loc', 'extra', 'tokens', 'errors'],
  ...['comments', 'leadingComments', 'innerComments', 'trailingComments'],
])

interface SyntaxNode {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Calls `enter` for every node, inner after outer; what ends at one place is closed from the inside. */
function visit(tree: unknown, enter: (node: SyntaxNode) => void): void {
  const waiting: unknown[] = [tree]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (Array.isArray(value)) for (const it of value) waiting.push(it)
    else if (isNode(value)) {
      enter(value)
      for (const key in value) {
        const it = value[key]
        if (typeof it === 'object' && it !== null && !withoutCode.has(key)) waiting.push(it)
      }
    }
  }
}

type Walked = (receiver: never, args: readonly never[], result: never) => number

/** How far native methods walk, by what they are called on, with, and answer. */
const walks: readonly (readonly [prototype: object, methods: Readonly<Record<string, Walked>>])[] = [
  [
    String.prototype,
    {
      indexOf: (text: string, [, from = 0]: readonly number[], found: number) =>
        (found === -1 ? text.length : found) - from,
      lastIndexOf: (text: string, [, from = text.length]: readonly number[], found: number) => from - found,
      includes: (text: string) => text.length,
      split: (text: string) => text.length,
      replaceAll: (text: string) => text.length,
      toLowerCase: (text: string) => text.length,
      toUpperCase: (text: string) => text.length,
      normalize: (text: string) => text.length,
      repeat: (_: string, __: readonly never[], result: string) => result.length,
    },
  ],
  [
    Array.prototype,
    {
      indexOf: (list: readonly never[], [, from = 0]: readonly number[], found: number) =>
        (found === -1 ? list.length : found) - from,
      includes: (list: readonly never[]) => list.length,
      lastIndexOf: (list: readonly never[]) => list.length,
      slice: (_: never, __: readonly never[], result: readonly never[]) => result.length,
      concat: (_: never, __: readonly never[], result: readonly never[]) => result.length,
      splice: (list: readonly never[], [from = 0]: readonly number[]) =>
        from < 0 ? -from : list.length - from,
      unshift: (list: readonly never[]) => list.length,
      join: (_: never, __: readonly never[], result: string) => result.length,
      reverse: (list: readonly never[]) => list.length,
      fill: (list: readonly never[]) => list.length,
    },
  ],
  [
    RegExp.prototype,
    {
      exec: (regex: RegExp, [text]: readonly string[], found: RegExpExecArray | null) =>
        found ? found[0].length : regex.sticky || isAnchored(regex) ? 0 : (text?.length ?? 0),
    },
  ],
  [
    JSON,
    {
      parse: (_: never, [text]: readonly string[]) => text?.length ?? 0,
      stringify: (_: never, __: readonly never[], result: string | undefined) => result?.length ?? 0,
    },
  ],
] as unknown as readonly (readonly [object, Readonly<Record<string, Walked>>])[]

/** True if `regex` looks at the beginning only. Called by methods that count, so it calls none of them. */
function isAnchored(regex: RegExp): boolean {
  if (regex.multiline) return false
  const { source } = regex
  const isKnown = anchored.get(source)
  if (isKnown !== undefined) return isKnown
  const result = isAnchoredSource(source)
  anchored.set(source, result)
  return result
}

const anchored = new Map<string, boolean>()

function isAnchoredSource(source: string): boolean {
  if (source.charAt(0) !== '^') return false
  let depth = 0
  for (let at = 0; at < source.length; at++) {
    const character = source.charAt(at)
    if (character === '\\') at++
    else if (character === '(' || character === '[') depth++
    else if (character === ')' || character === ']') depth--
    else if (character === '|' && depth === 0) return false
  }
  return true
}

let isCounting = false

/** Makes native methods of this process count what they walk through. */
function countNativeMethods(): void {
  if (isCounting) return
  isCounting = true
  for (const [owner, methods] of walks) {
    for (const [name, walked] of Object.entries(methods)) {
      const native = Reflect.get(owner, name) as (...args: readonly unknown[]) => unknown
      Object.defineProperty(owner, name, {
        configurable: true,
        writable: true,
        value(this: unknown, ...args: readonly unknown[]) {
          const result = native.apply(this, args as unknown[])
          counter.steps += Math.max(0, walked(this as never, args as never, result as never))
          return result
        },
      })
    }
  }
}
