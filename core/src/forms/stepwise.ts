/** Stepwise supervision: a prompt, the steps of its answer, and a label for each of them. */

import { objectIn } from '../conversation/json-input.ts'
import { localizable, localize } from '../text/localize.ts'
import { defineForm } from './form.ts'
import { sampleOf } from './json-sample.ts'
import { promptKey, readPrompt } from './samples/prompt.ts'
import { Columns } from './samples/sample-columns.ts'

/** The form. */
export const stepwise = defineForm({
  name: 'stepwise',
  title: 'Stepwise Supervision',
  summary: localizable`A prompt, and steps with labels`,
  documentation: '`prompt`, steps in `completions`, and one label per step in `labels`',
  language: 'json',
  holds: 'json',
  recognizedBy: {
    labels: (sample) =>
      promptKey(sample) !== undefined &&
      Array.isArray(sample.at('completions')) &&
      Array.isArray(sample.at('labels')),
  },
  read(value, context) {
    const root = objectIn(value, localize`The document`)
    const columns = new Columns(root, context)
    readPrompt(columns, promptKey(sampleOf(root)) ?? 'prompt')
    const { reader } = columns
    const steps = columns.list('completions') ?? []
    for (const [index, step] of steps.entries()) {
      const place = { parent: steps, key: index }
      if (typeof step !== 'string') throw columns.wrongType('completions', localize`a list of strings`)
      reader.element(place, context.losses.places?.of(steps, index))
      reader.say('assistant', step === '' ? [] : reader.text(step, place, 'assistant', place), {
        whole: place,
      })
    }
    // They are about the messages, and stay beside them.
    const labels = reader.parsed(root, 'labels') ?? []
    if (!Array.isArray(labels)) throw columns.wrongType('labels', localize`a list`)
    if (labels.length !== steps.length)
      context.losses.addAt(
        'unread',
        localize`There are ${labels.length} labels for ${steps.length} steps`,
        root,
        'labels',
      )
    return columns.conversation()
  },
})
