/** Formulas: what is one, what it is made of, and that no TeX harms or holds up the page. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { toHtml } from '../../client/render/markdown-to-html.ts'
import { formulaOf } from '../../client/render/math.ts'
import { inAlphabet } from '../../client/render/math-letters.ts'
import { createRender } from '../../client/webview/rendered-body.ts'
import { propertyRuns } from '../helpers/arbitraries.ts'
import { assertSafe, freshWindow, rendered } from './dom.ts'

function mathMl(tex: string, isBlock: boolean): string | undefined {
  return formulaOf(tex, isBlock).html
}

function formulas(text: string): string[] {
  return [...rendered(text).querySelectorAll('math')].map((it) => it.textContent ?? '')
}

test('formulas are read within a line and as blocks', () => {
  assert.deepEqual(formulas('The area is $\\pi r^2$.'), ['πr2'])
  assert.deepEqual(formulas('a $$x$$ b'), ['x'])
  assert.deepEqual(formulas('a \\(x\\) b'), ['x'])
  assert.deepEqual(formulas('$$\nx\n+y\n$$\n'), ['x+y'])
  assert.deepEqual(formulas('text\n\\[\nx\n\\]\ntext'), ['x'])
  assert.deepEqual(formulas('- one\n  $$\n  x\n  $$\n- two'), ['x'])
  assert.deepEqual(formulas('> $$x$$\n> y'), ['x'])
  assert.equal(rendered('$$\nx\n$$').querySelector('p.math.block')?.getAttribute('data-line'), '0')
  assert.equal(rendered('a\n\n$$\nx\n$$').querySelector('p.math.block')?.getAttribute('data-line'), '2')
})

test('prices, escaped dollars and code are none', () => {
  for (const text of [
    'It costs $5 and $6.',
    '$5-$10',
    'US$5 or A$6$',
    'a \\$x\\$ b',
    '`$x$`',
    '```\n$$\nx\n$$\n```',
    '$x',
    '$$\nx',
    '\\(x',
    '$ x $',
    '$$$$',
    '\\\\(x\\\\)',
    'a \\(see below\\) b',
    'see \\[1\\] there',
    '\\[1\\] Smith\n\\[2\\] Doe \\[x\\]',
    '- \\[ \\] to do',
  ]) {
    assert.deepEqual(formulas(text), [], text)
  }
})

test('what cannot be read stays as it is written', () => {
  for (const source of [
    '$\\frac{$',
    '\\(\\nosuchcommand\\)',
    '$\\href{https://e.org}{x}$',
    '$$\\includegraphics{x.png}$$',
  ]) {
    assert.equal(rendered(`a ${source} b`).textContent?.trim(), `a ${source} b`)
  }
})

test('literal text is no part of a formula', () => {
  const element = rendered([
    { kind: 'markdown', text: 'a $x ' },
    { kind: 'literal', text: '<|end|>' },
    { kind: 'markdown', text: ' y$' },
  ])
  assert.equal(element.textContent?.trim(), 'a $x <|end|> y$')
})

test('the setting of the Markdown preview switches them off', () => {
  const window = freshWindow()
  const render = createRender(window, { hasMath: () => false })
  const element = window.document.createElement('div')
  element.append(render({ parts: [{ kind: 'markdown', text: 'a $x$ \\(y\\)\n\n$$\nz\n$$' }], isJson: false }))
  assert.equal(element.querySelector('math'), null)
  assert.match(element.textContent ?? '', /\$x\$ \(y\)/)
})

test('letters of other alphabets are characters, columns and frames are classes', () => {
  assert.match(mathMl('\\mathbb{R}\\mathcal{L}\\mathbf{x}\\mathfrak{g}', false) ?? '', /ℝ.*ℒ.*𝐱.*𝔤/u)
  assert.equal(inAlphabet('Az09é', 'bold'), '𝐀𝐳𝟎𝟗é')
  assert.equal(inAlphabet('αΩ', 'italic'), '𝛼𝛺')
  assert.equal(inAlphabet('x', '__proto__'), 'x')
  assert.match(
    mathMl('\\begin{aligned}a&=b\\end{aligned}', true) ?? '',
    /<mtd class="align-right">.*<mtd class="align-left">/,
  )
  assert.match(mathMl('\\boxed{x}', false) ?? '', /<mrow class="enclose-box">/)
  assert.match(mathMl('\\text{\\textbf{a}}', false) ?? '', /<mtext class="text-bold">a<\/mtext>/)
  assert.doesNotMatch(mathMl('x', false) ?? '', /annotation|semantics|xmlns/)
})

test('a formula does not leave its place', () => {
  assert.doesNotMatch(
    mathMl('\\kern-50em x\\raisebox{90em}{y}\\rule{-80em}{99em}', false) ?? '',
    /"-\d\d|"9\d/,
  )
})

const pieces = fc.constantFrom(
  ...'$ $$ \\( \\) \\[ \\] { } ^ _ & \\\\ x 1 \\frac \\sqrt \\left( \\right) \\text{ \\color{red} \\def\\a{\\a\\a} \\a \\href{javascript:alert(1)}{x} \\htmlStyle{color:red}{x} \\begin{matrix} \\end{matrix} \\kern-9em \\mathbb{ \\unicode{x3c} <img \\url{ \\verb|<| % # ~'.split(
    ' ',
  ),
  '\n',
  '\n\n',
  ' ',
  '<script>',
  '"onload="',
  '\\cancel{',
  '\\tag{1}',
)

test('whatever TeX says, the page stays safe', () => {
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 14 }), (text) => assertSafe(rendered(text.join('')))),
    { numRuns: propertyRuns },
  )
})

test('hostile TeX is bounded: the elements it makes grow no faster than its length', () => {
  for (const unit of [
    '$',
    '$x ',
    '$a$',
    '\\(',
    '\\[\n',
    '$$\n',
    '$x^{',
    '$\\sqrt{x}$ ',
    '$\\def\\a{\\a\\a}\\a$ ',
    '$\\rule{99em}{99em}$',
  ]) {
    const html = (length: number) =>
      toHtml({ markdown: unit.repeat(length / unit.length), literals: new Map(), pattern: undefined })
    const [small, large] = [html(10_000).length, html(40_000).length]
    assert.ok(large < 5 * small + 100_000, `${unit}: ${small} and ${large}`)
    assert.ok(large < 1_500_000, `${unit}: ${large}`)
  }
  for (const bomb of [
    `$${'{'.repeat(4900)}$`,
    `$${'x^{'.repeat(1600)}$`,
    `$${'\\left('.repeat(800)}$`,
    `$\\begin{matrix}${'a&'.repeat(2400)}$`,
  ]) {
    assert.doesNotThrow(() => toHtml({ markdown: bomb, literals: new Map(), pattern: undefined }))
  }
  assert.equal(
    mathMl(
      '\\def\\a{\\b\\b}\\def\\b{\\c\\c}\\def\\c{\\d\\d}\\def\\d{\\e\\e}\\def\\e{\\f\\f}\\def\\f{\\g\\g}\\def\\g{\\h\\h}\\def\\h{x}\\a',
      false,
    ),
    undefined,
  )
})
