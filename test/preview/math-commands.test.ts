/** Every command of KaTeX: it prints nothing, and takes no word away. */
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { formulaOf } from '../../client/render/math.ts'
import { formulasWith, texNames } from '../helpers/tex-commands.ts'
import { assertSafe, rendered } from './dom.ts'

function mathMl(tex: string, isBlock: boolean): string | undefined {
  return formulaOf(tex, isBlock).html
}

/** A word that no command adds by itself. */
const word = '語'

let formulas: string[] = []

before(async () => {
  const { commands, environments } = await texNames()
  formulas = [
    ...commands.flatMap((it) => formulasWith(it, word)),
    ...environments.map((it) => `\\begin{${it}}{cc}${word} & ${word} \\\\ ${word}\\end{${it}}`),
  ]
})

test('nothing is printed', (t) => {
  const printers = [
    t.mock.method(process.stdout, 'write'),
    t.mock.method(process.stderr, 'write'),
    ...(['debug', 'dir', 'error', 'info', 'log', 'trace', 'warn'] as const).map((it) =>
      t.mock.method(console, it, () => undefined),
    ),
  ]
  for (const tex of formulas) {
    mathMl(tex, false)
    mathMl(tex, true)
  }
  const counts = printers.map((it) => it.mock.callCount())
  assert.deepEqual(
    counts,
    printers.map(() => 0),
  )
})

/** Commands that use an argument for something else than showing it: definitions, and the height of a box. */
const using = /^\\(?:(?:re|provide)?(?:new)?command|[gex]?def|let|futurelet|smash)\b|^\\bra@/

test('no word is taken away, and everything is safe', () => {
  const together = 50 // in one message, because a sanitizer costs more to start than to run
  for (let first = 0; first < formulas.length; first += together) {
    const some = formulas.slice(first, first + together)
    const element = rendered(some.map((tex) => `$${tex}$`).join('\n\n'))
    assertSafe(element)
    const shown = [...element.children].map((it) => it.textContent ?? '')
    assert.equal(shown.length, some.length, shown.join('\n'))
    for (const [index, tex] of some.entries()) {
      const count = shown[index]?.split(word).length ?? 0
      if (!using.test(tex)) assert.ok(count >= tex.split(word).length, `${tex}: ${shown[index]}`)
    }
  }
})

test('what TeX prints, and comments, stay as they are written', () => {
  for (const source of [
    '$\\message{<script>1</script>}$',
    '$\\errmessage{words}$',
    '$x \\show x$',
    '$\\let\\a\\message \\a{words}$',
    '$\\def\\a{\\message{words}}\\a$',
    '$x = 50%$',
    '$\\\\% words$',
  ]) {
    assert.equal(rendered(`a ${source} b`).textContent?.trim(), `a ${source} b`)
  }
  assert.equal(rendered('$50\\%$').querySelector('math')?.textContent, '50%')
})
