/** The replay: visible text only, delta by delta, and controls for it. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import * as fc from 'fast-check'
import type { PageMessage, Replay } from '../../client/src/preview/preview-protocol.ts'
import { replayOf } from '../../client/src/preview/replay-steps.ts'
import { analyze, Transcript } from '../../core/src/internal.ts'
import { nightly } from '../helpers/nightly.ts'
import { TestPage } from './dom.ts'
import { canary, transcripts } from './transcripts.ts'

const chat = [
  'version: 2.2\n<|start|>system<|message|>Secret words.<|end|>',
  '<|start|>user<|message|>Is it hot?<|end|>',
  '<|start|>assistant<|channel|>analysis<|message|>Hidden words.<|end|>',
  '<|start|>assistant<|channel|>final<|message|>Rather <|literal|>**hot**<|endliteral|> today',
].join('\n')

function replayed(text: string, offset = 0): Replay {
  return replayOf(analyze(Transcript.parse(text)), offset)
}

function textOf({ parts }: PageMessage): string {
  return parts.map(({ text }) => text).join('')
}

/** A page with a replay, which the reader has paused. */
function pageWith(replay: Replay): TestPage {
  const page = new TestPage()
  open(page, replay)
  press(page, 'Pause')
  return page
}

function open(page: TestPage, replay: Replay): void {
  page.send({ kind: 'replayOpen', uri: 'file:///a.ocm', isLocked: false, hasMath: true })
  page.send({ kind: 'replay', replay })
}

function press(page: TestPage, label: string): void {
  page.document.querySelector<HTMLElement>(`.replay [aria-label="${label}"]`)?.click()
}

function shown(page: TestPage): string[] {
  return [...page.document.querySelectorAll('.replay .content')].map((it) => (it.textContent ?? '').trim())
}

test('no canary word of a hidden place is in a replay', () => {
  fc.assert(fc.property(transcripts, (text) => assert.ok(!JSON.stringify(replayed(text)).includes(canary))))
})

test('at its end, everything that a user sees is there, and it only ever grows', () => {
  fc.assert(
    fc.property(transcripts, (text) => {
      const { messages, steps } = replayed(text)
      const lengths = messages.map(() => 0)
      for (const { message, length } of steps) {
        assert.ok(length > (lengths[message] ?? 0))
        lengths[message] = length
      }
      assert.deepEqual(
        lengths,
        messages.map((message) => textOf(message).length),
      )
    }),
  )
})

test('a long conversation is replayed around the reader', () => {
  const texts = Array.from({ length: 400 }, (_, index) => `<|start|>user<|message|>number ${index}<|end|>\n`)
  const text = `version: 2.2\n${texts.join('')}`
  const { messages, steps, start, isCut } = replayed(text, text.indexOf('number 200'))
  assert.equal(isCut, true)
  assert.ok(messages.length <= 100)
  assert.equal(textOf(messages[steps[start]?.message ?? -1]!), 'number 200')
  assert.deepEqual(
    messages.map((_, index) => steps.findLast(({ message }) => message === index)?.length),
    messages.map((message) => textOf(message).length),
  )
  assert.equal(replayed(text, text.length).isCut, false)
})

test('steps, a jump to the next message, and the end of a truncated stream', () => {
  const page = pageWith(replayed(chat))
  assert.deepEqual(shown(page), [])
  press(page, 'Step forward')
  assert.deepEqual(shown(page), ['Is'])
  press(page, 'Step forward')
  assert.deepEqual(shown(page), ['Is it'])
  press(page, 'Step back')
  assert.deepEqual(shown(page), ['Is'])
  assert.match(status(page), /^Step 1 of \d+\. Canceled here, this message would end after 2 characters\.$/)
  page.document.querySelector<HTMLElement>('.replay .text-button')?.click()
  press(page, 'Step forward')
  assert.deepEqual(shown(page), ['Is it hot?', 'Rather'])
  page.document.querySelector<HTMLElement>('.replay .text-button')?.click()
  assert.deepEqual(shown(page), ['Is it hot?', 'Rather **hot** today'])
  assert.match(status(page), /The stream breaks off here\.$/)
  assert.equal(page.document.querySelector('.replay code.literal')?.textContent, '**hot**')
})

test('a line shows where a cancellation would stop, and where the stream breaks off', () => {
  const page = pageWith(replayed(chat))
  const cut = page.document.querySelector<HTMLElement>('.replay-cut')
  assert.equal(cut?.hidden, true)
  press(page, 'Step forward')
  assert.deepEqual([cut?.hidden, cut?.textContent], [false, 'Canceling now would stop here'])
  const slider = page.document.querySelector<HTMLInputElement>('.replay input')!
  slider.value = slider.max
  slider.dispatchEvent(new page.window.Event('input'))
  assert.deepEqual([cut?.hidden, cut?.textContent], [false, 'The stream breaks off here'])
  const ended = pageWith(replayed(`${chat}<|end|>`))
  const end = ended.document.querySelector<HTMLInputElement>('.replay input')!
  end.value = end.max
  end.dispatchEvent(new ended.window.Event('input'))
  assert.equal(ended.document.querySelector<HTMLElement>('.replay-cut')?.hidden, true)
})

test('the slider goes anywhere', () => {
  const page = pageWith(replayed(chat))
  const slider = page.document.querySelector<HTMLInputElement>('.replay input')
  assert.ok(slider)
  slider.value = slider.max
  slider.dispatchEvent(new page.window.Event('input'))
  assert.equal(shown(page).length, 2)
  slider.value = '0'
  slider.dispatchEvent(new page.window.Event('input'))
  assert.deepEqual(shown(page), [])
  assert.equal(page.document.querySelectorAll('datalist option').length, 2)
})

test('it plays to its end and pauses there, and a step pauses it', async () => {
  const page = pageWith(replayed(chat))
  const speed = page.document.querySelector<HTMLSelectElement>('.replay select')
  assert.ok(speed)
  speed.value = '80'
  press(page, 'Play')
  await new Promise<void>((done) => {
    const observer = new page.window.MutationObserver(() => {
      if (!/breaks off/.test(status(page))) return
      observer.disconnect()
      done()
    })
    observer.observe(page.document.querySelector('.replay-status')!, { childList: true })
  })
  assert.ok(page.document.querySelector('.replay [aria-label="Play"]'))
  press(page, 'Play')
  assert.deepEqual(shown(page), [], 'from the start again')
  press(page, 'Step forward')
  assert.ok(page.document.querySelector('.replay [aria-label="Play"]'))
  page.send({ kind: 'open', uri: 'file:///b.ocm', isLocked: false, hasMath: true })
})

test('the speed is that of the choice, also while it plays', () => {
  const page = new TestPage()
  const delays: number[] = []
  const running = new Set<number>()
  page.window.setInterval = ((_: TimerHandler, delay: number) => {
    running.add(delays.push(delay))
    return delays.length
  }) as typeof page.window.setInterval
  page.window.clearInterval = (timer) => {
    running.delete(Number(timer))
  }
  open(page, replayed(chat))
  assert.equal(running.size, 1, 'it plays at once')
  const speed = page.document.querySelector<HTMLSelectElement>('.replay select')
  assert.ok(speed)
  assert.equal(speed.selectedOptions[0]?.text, 'Normal')
  for (const option of [...speed.options]) {
    speed.value = option.value
    speed.dispatchEvent(new page.window.Event('change'))
    assert.equal(running.size, 1, 'one clock ticks')
  }
  assert.deepEqual(delays, [50, 1000 / 6, 50, 12.5])
  press(page, 'Pause')
  assert.equal(running.size, 0)
  speed.dispatchEvent(new page.window.Event('change'))
  assert.equal(running.size, 0, 'a choice alone plays nothing')
})

test('closing it, or another document, brings the conversation back', () => {
  const page = pageWith(replayed(chat))
  const main = page.document.querySelector<HTMLElement>('main')
  assert.equal(main?.hidden, true)
  press(page, 'End the replay')
  assert.deepEqual(page.said('chooseView'), [{ kind: 'chooseView', view: 'user' }])
  page.send({ kind: 'open', uri: 'file:///b.ocm', isLocked: false, hasMath: true })
  assert.equal(main?.hidden, false)
  assert.equal(page.document.querySelectorAll('.replay .message').length, 0)
})

test('the switch asks for it, and the page for its messages once it is there', () => {
  const page = new TestPage()
  page.show([])
  page.document.querySelector<HTMLElement>('[data-view=replay]')?.click()
  assert.deepEqual(page.said('chooseView'), [{ kind: 'chooseView', view: 'replay' }])
  assert.deepEqual(page.said('startReplay'), [])
  page.send({ kind: 'replayOpen', uri: 'file:///a.ocm', isLocked: false, hasMath: true })
  assert.deepEqual(page.said('startReplay'), [{ kind: 'startReplay' }])
})

nightly('axe finds nothing to complain about in a replay', async () => {
  const page = pageWith(replayed(chat))
  for (let step = 0; step < 6; step++) press(page, 'Step forward')
  page.window.eval(readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8'))
  const { axe } = page.window as unknown as { readonly axe: typeof import('axe-core') }
  const { violations } = await axe.run(page.document, { rules: { 'color-contrast': { enabled: false } } })
  assert.equal(JSON.stringify(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])), '[]')
})

function status(page: TestPage): string {
  return page.document.querySelector('.replay-status')?.textContent ?? ''
}

test('links, code, and images of a replay do what they do in the preview', () => {
  const text = [
    '<|start|>assistant<|channel|>final<|message|>[mail](mailto:a@example.org)',
    '```\ncode\n```',
    '![dot](data:image/png;base64,AAAA)<|return|>',
  ].join('\n\n')
  const page = pageWith(replayed(text))
  const slider = page.document.querySelector<HTMLInputElement>('.replay input')!
  slider.value = slider.max
  slider.dispatchEvent(new page.window.Event('input'))
  const link = page.document.querySelector<HTMLElement>('.replay a[href]')
  const click = new page.window.MouseEvent('click', { bubbles: true, cancelable: true })
  link?.dispatchEvent(click)
  assert.ok(click.defaultPrevented) // VS Code opens mail addresses without a question
  assert.deepEqual(page.said('openLink'), [{ kind: 'openLink', href: 'mailto:a@example.org' }])
  page.document.querySelector<HTMLElement>('.replay [data-action="copy-code"]')?.click()
  assert.deepEqual(page.said('copy'), [{ kind: 'copy', text: 'code\n' }])
  page.document.querySelector<HTMLElement>('.replay [data-action="image"]')?.click()
  assert.ok(page.document.querySelector('.replay img'))
})
