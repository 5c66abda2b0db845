/** The processor time of work: rarely asked for, and never more than the clock or the processor says. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorkTime } from '../../cli/src/parallel/work-time.ts'

/** A processor that is asked for its time. */
function processor() {
  let time = 100
  let questions = 0
  const work = new WorkTime(() => {
    questions++
    return time
  })
  return {
    work,
    /** A piece of work after other computing, and how long it takes by the clock on the wall. */
    piece(ofWork: number, other = 0, clock = ofWork) {
      time += ofWork + other
      work.add(clock)
    },
    get questions() {
      return questions
    },
  }
}

test('the system is asked for the time of short pieces now and then', () => {
  const it = processor()
  for (let nth = 0; nth < 1000; nth++) it.piece(0.1, 0.3)
  assert.ok(it.questions <= 12, `${it.questions} questions`)
  assert.ok(Math.abs(it.work.spent - 100) < 11, `${it.work.spent} ms`)
  assert.ok(Math.abs(it.work.share - 0.25) < 0.03, `${it.work.share}`)
})

test('time in which other programs had the processor does not count', () => {
  const it = processor()
  for (let nth = 0; nth < 100; nth++) it.piece(2, 0, 8)
  assert.ok(Math.abs(it.work.spent - 200) < 11, `${it.work.spent} ms`)
})

test('long pieces count at once', () => {
  const it = processor()
  it.piece(500, 500)
  assert.equal(it.work.spent, 500)
  assert.equal(it.work.share, 0.5)
})
