/**
 * TeX to MathML, which browsers draw by themselves: no font, no style and no script comes with a formula. What KaTeX wrote is
 * read again tag by tag, and only elements and values of the lists below are written.
 */
import katex from 'katex'
import { expanded } from './math-expansion.ts'
import { inAlphabet } from './math-letters.ts'

/** Longer formulas are shown as they stand (UTF-16 code units). */
export const longestFormula = 5000

/** How many formulas are remembered: those of a long message, so that typing in it does not read them again. */
const remembered = 500

/** Commands that would lead, load, or choose among their arguments, and comments: words of the formula would be lost. */
// Linear: a run of backslashes is looked at from its beginning only.
const losing = /\\(?:href|url|includegraphics|html[@A-Z]|@|TextOrMath|mathchoice)|(?<!\\)(?:\\\\)*%/

/** Commands of TeX that write their argument to a console, and nothing to the page. */
const printing = ['\\message', '\\errmessage', '\\show'] as const

/** A formula that was read. */
export interface Formula {
  /** A `math` element; nothing if there is no formula that can be shown. */
  readonly html: string | undefined
  /** What it costs: symbols that its macros put in their place. */
  readonly cost: number
}

const known = new Map<string, Formula>()

/** `tex` as a formula, with what it costs. */
export function formulaOf(tex: string, isBlock: boolean): Formula {
  if (tex.length > longestFormula || losing.test(tex)) return { html: undefined, cost: 0 }
  const key = `${isBlock ? 'b' : 'i'}${tex}`
  const before = known.get(key)
  if (before) return before
  const result = freshFormula(tex, isBlock)
  if (known.size >= remembered) known.clear()
  known.set(key, result)
  return result
}

function freshFormula(tex: string, isBlock: boolean): Formula {
  const { html, cost } = expanded(tex, {
    output: 'mathml',
    displayMode: isBlock,
    throwOnError: true,
    strict: 'ignore',
    trust: false, // no link, no picture, no class, no style
    maxExpand: 200, // a macro may not stand for more and more macros
    maxSize: 20,
    macros: withoutPrinting(),
  })
  if (html === undefined) return { html, cost }
  const element = html.slice(html.indexOf('<math'), html.lastIndexOf('</math>') + 7)
  return { html: rewritten(element.replaceAll(emptyCell, '')), cost }
}

/** Fresh definitions for one formula, which may add its own: commands that print are unknown. */
function withoutPrinting(): Record<string, () => never> {
  const unknown = (name: string) => () => {
    throw new katex.ParseError(`Undefined control sequence: ${name}`)
  }
  return Object.fromEntries(printing.map((name) => [name, unknown(name)]))
}

/** What a formula may consist of. */
export const mathElements: readonly string[] = [
  'math',
  'mfrac',
  'mi',
  'mn',
  'mo',
  'mover',
  'mpadded',
  'mphantom',
  'mroot',
  'mrow',
  'mspace',
  'msqrt',
  'mstyle',
  'msub',
  'msubsup',
  'msup',
  'mtable',
  'mtd',
  'mtext',
  'mtr',
  'munder',
  'munderover',
]

const truth = /^(?:true|false)$/
const colour = /^(?:#[0-9a-f]{3,8}|[a-z]{3,20})$/i
// Little of it may be negative: a formula stays where it is, and does not move over what others said.
const size = /^(?:-?[0-2](?:\.\d+)?|1?\d(?:\.\d+)?|20)em$|^0px$|^-(?:0\.5|1)width$/
const shift = /^-?[0-2](?:\.\d+)?em$|^0px$/

/** The values that an attribute of a formula may have. */
export const mathAttributes: Readonly<Record<string, RegExp>> = {
  accent: truth,
  accentunder: truth,
  depth: size,
  display: /^block$/,
  displaystyle: truth,
  fence: truth,
  height: size,
  linethickness: size,
  lspace: size,
  mathbackground: colour,
  mathcolor: colour,
  mathsize: size,
  mathvariant: /^normal$/,
  maxsize: size,
  minsize: size,
  movablelimits: truth,
  rspace: size,
  scriptlevel: /^[0-3]$/,
  separator: truth,
  stretchy: truth,
  symmetric: truth,
  voffset: shift,
  width: size,
}

/** Classes for what MathML in browsers lacks: columns, frames and strokes, and bold and italic words. */
export const mathClass =
  /^(?:math|block|math-source|align-(?:left|center|right)|enclose-(?:box|updiagonalstrike|downdiagonalstrike|horizontalstrike|phasorangle|bottom|left|top|right|longdiv)|text-(?:bold|italic|bold-italic))$/

/** What the library puts around numbered equations; it has nothing in it, and shifts the columns. */
const emptyCell = /<mtd class ="m(?:tr-glue|ml-eqn-num)"><\/mtd>/g

const piece = /<(\/?)([a-z]+)((?:\s+[a-z:-]+="[^"]*")*)\s*(\/?)>|[^<]+/gi

interface Table {
  readonly alignments: readonly string[]
  column: number
}

/** `html` without what is not on the lists, and with classes and letters in place of attributes that browsers ignore. */
function rewritten(html: string): string {
  const tables: Table[] = []
  let result = ''
  let variant = ''
  let isNote = false
  const pieces = [...html.matchAll(piece)]
  /** What is written for the elements that are open. */
  const open: string[] = []
  for (const [index, [text, end, name = '', list = '', close]] of pieces.entries()) {
    if (name === 'annotation') isNote = end === ''
    else if (isNote || name === 'semantics') continue
    else if (name === '') {
      result += inAlphabet(text, variant)
      variant = ''
    } else if (end !== '') {
      if (name === 'mtable') tables.pop()
      result += `</${open.pop() ?? nameOf(name)}>`
    } else {
      const attributes = attributesOf(list)
      const classes = classesOf(name, attributes, tables)
      variant = name === 'mtext' ? '' : (attributes.get('mathvariant') ?? '')
      const written = leaves.has(name) && holdsElements(pieces, index) ? 'mrow' : nameOf(name)
      result += openTag(written, attributes, classes)
      if (close !== '') result += `</${written}>`
      else open.push(written)
    }
  }
  return result
}

/** Elements that hold text. In a page, elements in them are not part of the formula, and get lost. */
const leaves: ReadonlySet<string> = new Set(['mi', 'mn', 'mo', 'mtext'])

function holdsElements(pieces: readonly RegExpExecArray[], index: number): boolean {
  const [, end, name = ''] = pieces.slice(index + 1, index + 3).find(([text]) => text.startsWith('<')) ?? []
  return name !== '' && end === '' && pieces[index]?.[4] === ''
}

function nameOf(name: string): string {
  return mathElements.includes(name) ? name : 'mrow'
}

function attributesOf(list: string): Map<string, string> {
  // Linear: the list is what the expression for tags has matched: names that have values.
  return new Map(
    [...list.matchAll(/([a-z:-]+)="([^"]*)"/gi)].map(([, name = '', value = '']) => [name, value]),
  )
}

function openTag(name: string, attributes: ReadonlyMap<string, string>, classes: readonly string[]): string {
  let tag = `<${name}`
  for (const [key, value] of attributes) {
    if (Object.hasOwn(mathAttributes, key) && mathAttributes[key]?.test(value)) tag += ` ${key}="${value}"`
  }
  const names = classes.filter((it) => mathClass.test(it))
  return names.length > 0 ? `${tag} class="${names.join(' ')}">` : `${tag}>`
}

function classesOf(name: string, attributes: ReadonlyMap<string, string>, tables: Table[]): string[] {
  const table = tables.at(-1)
  switch (name) {
    case 'mtable':
      tables.push({ alignments: (attributes.get('columnalign') ?? '').split(' '), column: 0 })
      return []
    case 'mtr':
      if (table) table.column = 0
      return []
    case 'mtd':
      return table ? [`align-${table.alignments[table.column++] ?? ''}`] : []
    case 'menclose':
      return (attributes.get('notation') ?? '').split(' ').map((it) => `enclose-${it}`)
    case 'mtext':
      return [`text-${attributes.get('mathvariant') ?? ''}`]
    default:
      return []
  }
}
