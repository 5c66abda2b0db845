/** Every command of KaTeX: it prints nothing, and takes no word away. */
import assert from 'node:assert/strict'
import { before, type TestContext, test } from 'node:test'
import { isNight } from '../helpers/nightly.ts'
import { formulasAfter, formulasWith, texNames } from '../helpers/tex-commands.ts'
import { assertSafe, rendered } from './dom.ts'

/** A word that no command adds by itself. */
const word = '語'

/** Within a line and as a block, in turn. */
const fences = ['$', '$$'] as const

let formulas: string[] = []

before(async () => {
  const { commands, symbols, environments } = await texNames()
  const perDay = 8 // by day, an eighth of them: what each costs is to be rendered
  const chosen = commands.filter((_it, index) => isNight || index % perDay === 0)
  formulas = [
    ...chosen.flatMap((it) => (symbols.has(it) ? formulasAfter(it, word) : formulasWith(it, word))),
    ...environments.map((it) => `\\begin{${it}}{cc}${word} & ${word} \\\\ ${word}\\end{${it}}`),
  ]
})

/** Commands that use an argument for something else than showing it: definitions, and the height of a box. */
const using = /^\\(?:(?:re|provide)?(?:new)?command|[gex]?def|let|futurelet|smash)\b|^\\bra@/

test('nothing is printed, no word is taken away, and everything is safe', (t) => {
  const printers = printersOf(t)
  const together = 50 // in one message, because a sanitizer costs more to start than to run
  for (let first = 0; first < formulas.length; first += together) {
    const some = formulas.slice(first, first + together)
    const element = rendered(
      some.map((tex, index) => `${fences[index % 2]}${tex}${fences[index % 2]}`).join('\n\n'),
    )
    assertSafe(element)
    const shown = [...element.children].map((it) => it.textContent ?? '')
    assert.equal(shown.length, some.length, shown.join('\n'))
    for (const [index, tex] of some.entries()) {
      const count = shown[index]?.split(word).length ?? 0
      if (!using.test(tex)) assert.ok(count >= tex.split(word).length, `${tex}: ${shown[index]}`)
    }
  }
  assert.deepEqual(
    printers.map((it) => it.mock.callCount()),
    printers.map(() => 0),
  )
})

/** All that could print from a library, watched instead. */
function printersOf({ mock }: TestContext) {
  const methods = ['debug', 'dir', 'error', 'info', 'log', 'trace', 'warn'] as const
  return [
    mock.method(process.stdout, 'write'),
    mock.method(process.stderr, 'write'),
    ...methods.map((it) => mock.method(console, it, () => undefined)),
  ]
}

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
